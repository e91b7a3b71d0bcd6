/** `npm run fuzz -- --minutes 30 [--seed 7]`: the matcher's differential fuzz for longer than in the tests. Bundled first: Node runs no TypeScript. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const outfile = place(`../node_modules/.cache/fuzz-${process.pid}.mjs`);

await build({
  entryPoints: [place("../test/ttsr/matcher/fuzz/main.ts")],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "error",
});
await import(outfile);
