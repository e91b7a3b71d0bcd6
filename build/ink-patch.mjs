import { readFileSync } from "node:fs";

/** A map that forgets: two generations of at most `size` entries. Ink 6.8 keeps every text it ever measured. */
const bounded = `class Bounded{constructor(size){this.size=size;this.young=new Map();this.old=new Map()}
get(key){let value=this.young.get(key);if(value===undefined){value=this.old.get(key);if(value!==undefined)this.set(key,value)}return value}
set(key,value){this.young.set(key,value);if(this.young.size>=this.size){this.old=this.young;this.young=new Map()}}}
`;

/** file → replacements; each must occur, so an update of Ink cannot drop one in silence. */
const patches = {
  "measure-text.js": [["const cache = new Map()", `${bounded}const cache = new Bounded(500)`]],
  "wrap-text.js": [
    ["const cache = {}", `${bounded}const cache = new Bounded(500)`],
    ["cache[cacheKey];", "cache.get(cacheKey);"],
    ["cache[cacheKey] = wrappedText", "cache.set(cacheKey, wrappedText)"],
  ],
  // Never wipe the user's scrollback: home and erase below instead of the full clear.
  "ink.js": [["ansiEscapes.clearTerminal", "'\\u001B[H\\u001B[J'"]],
};

/** esbuild plugin: bounds Ink's caches, keeps the scrollback, and leaves its developer tools out. */
export function inkPatch() {
  return {
    name: "ink-patch",
    setup(build) {
      build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "react-devtools-core", namespace: "empty" }));
      build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};" }));
      build.onLoad({ filter: /ink\/build\/(measure-text|wrap-text|ink)\.js$/ }, ({ path }) => {
        let contents = readFileSync(path, "utf8");
        for (const [from, to] of patches[path.slice(path.lastIndexOf("/") + 1)]) {
          if (!contents.includes(from)) throw new Error(`ink patch: "${from}" is no longer in ${path}`);
          contents = contents.replace(from, to);
        }
        return { contents, loader: "js" };
      });
    },
  };
}
