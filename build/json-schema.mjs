/**
 * The validator of `callCondition`, in a file of its own that is read when the first such rule is registered. Registering takes one step, so it
 * cannot be a chunk, which would have to be waited for: it is CommonJS, and required.
 */
const FILE = "json-schema.cjs";

/** What of the build's options is its own. */
export const jsonSchema = {
  entryPoints: { [FILE.replace(".cjs", "")]: "ajv/dist/2020.js" },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
};

/** esbuild plugin: where the bundle finds it, from whichever chunk asks. */
export function jsonSchemaPlace() {
  return {
    name: "json-schema-place",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]ttsr[\\/]calls[\\/]place\.ts$/ }, () => ({
        contents: `export const PLACE = (/\\/chunks\\/[^/]*$/.test(import.meta.url) ? "../" : "./") + ${JSON.stringify(FILE)};`,
        loader: "js",
      }));
    },
  };
}
