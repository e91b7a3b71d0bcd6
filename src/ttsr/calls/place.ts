/** Where the validator is found, from the module that loads it; the build puts the bundle's own place here (`build/json-schema.mjs`). */
export const PLACE = "ajv/dist/2020.js";
