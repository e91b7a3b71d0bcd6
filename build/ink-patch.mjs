import { readFileSync } from "node:fs";

/** A map that forgets: two generations of at most `size` entries. Ink 6.8 keeps every text it ever measured. */
const bounded = `class Bounded{constructor(size){this.size=size;this.young=new Map();this.old=new Map()}
get(key){let value=this.young.get(key);if(value===undefined){value=this.old.get(key);if(value!==undefined)this.set(key,value)}return value}
set(key,value){this.young.set(key,value);if(this.young.size>=this.size){this.old=this.young;this.young=new Map()}}}
`;

/**
 * Rows that stand alone, each from the left edge, need no grid of cells: they are the frame. Ink 6.8 makes an object of every cell of every
 * frame and compares the styles of each with its neighbour, which is most of what a frame costs. Anything else goes the old way.
 */
const rowsAlone = `    get() {
        const rows = rowsAlone(this);
        if (rows)
            return { output: rows.join('\\n'), height: this.height };
`;
const rowsAloneFunction = `function rowsAlone({operations, height}) {
    const rows = Array(height).fill('');
    const taken = Array(height).fill(false);
    for (const {type, x, y, text, transformers} of operations) {
        if (type !== 'write' || x !== 0) return undefined;
        for (let [index, line] of text.split('\\n').entries()) {
            if (taken[y + index]) return undefined;
            if (y + index >= height) break;
            for (const transformer of transformers) line = transformer(line, index);
            taken[y + index] = true;
            rows[y + index] = line.trimEnd();
        }
    }
    return rows;
}
`;

/** file → replacements; each must occur, so an update of Ink cannot drop one in silence. */
const patches = {
  "measure-text.js": [["const cache = new Map()", `${bounded}const cache = new Bounded(500)`]],
  "wrap-text.js": [
    ["const cache = {}", `${bounded}const cache = new Bounded(500)`],
    ["cache[cacheKey];", "cache.get(cacheKey);"],
    ["cache[cacheKey] = wrappedText", "cache.set(cacheKey, wrappedText)"],
  ],
  "output.js": [
    ["    get() {\n", rowsAlone],
    ["export default class Output", `${rowsAloneFunction}export default class Output`],
  ],
  "ink.js": [
    // Never wipe the user's scrollback: home and erase below instead of the full clear.
    ["ansiEscapes.clearTerminal", "'\\u001B[H\\u001B[J'"],
    // What has been printed is the terminal's: only whether anything has been is asked for later.
    [
      "if (hasStaticOutput) {\n            this.fullStaticOutput += staticOutput;",
      "if (hasStaticOutput) {\n            this.fullStaticOutput = staticOutput;",
    ],
  ],
};

/** esbuild plugin: bounds what Ink keeps, spares it the grid, keeps the scrollback, and leaves its developer tools out. */
export function inkPatch() {
  return {
    name: "ink-patch",
    setup(build) {
      build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "react-devtools-core", namespace: "empty" }));
      build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};" }));
      build.onLoad({ filter: /ink\/build\/(measure-text|wrap-text|output|ink)\.js$/ }, ({ path }) => {
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
