/** In the place of is-in-ci, which looks at the environment alone. */
const isInCi = false;
export default isInCi;
