/**
 * esbuild plugin: gray-matter without the YAML parser it brings. Every engine of it is replaced before it reads a file (`discovery/front-matter.ts`), so
 * js-yaml would only be 68 KB of start-up, and at its start it requires whatever `esprima` lies in a `node_modules` near by.
 */
export function grayMatterPatch() {
  return {
    name: "gray-matter-patch",
    setup(build) {
      build.onResolve({ filter: /^js-yaml$/ }, ({ importer }) => {
        if (!/gray-matter\/lib\/engines\.js$/.test(importer.replaceAll("\\", "/"))) return undefined;
        return { path: "js-yaml", namespace: "refusing-yaml" };
      });
      build.onLoad({ filter: /.*/, namespace: "refusing-yaml" }, () => ({
        contents: `
          function refuse() { throw new Error("gray-matter's own YAML engine is not in this bundle."); }
          module.exports = { safeLoad: refuse, safeDump: refuse };`,
      }));
    },
  };
}
