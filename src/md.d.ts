/** Texts for models live in markdown files; the build and the test runner hand them over as strings. */
declare module "*.md" {
  const text: string;
  export default text;
}
