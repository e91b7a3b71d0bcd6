/** Builds dist/: one bundle with lazy chunks. `--types` also writes the declarations of the two public entries; so does a build for a package. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundledRulesPlugin } from "./bundled-rules.mjs";
import { grayMatterPatch } from "./gray-matter-patch.mjs";
import { inkPatch } from "./ink-patch.mjs";
import { jsonSchema, jsonSchemaPlace } from "./json-schema.mjs";
import { thirdPartyLicenses } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const version = JSON.parse(readFileSync("package.json", "utf8")).version;

const shared = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  write: false,
};
const program = await build({
  ...shared,
  entryPoints: { main: "src/cli/main.ts", sdk: "src/sdk.ts" },
  chunkNames: "chunks/[name]-[hash]",
  splitting: true,
  loader: { ".md": "text" },
  external: ["@vscode/ripgrep", "@ast-grep/napi"],
  // Without these two React keeps measurements of every commit for ever, and Ink looks for its developer tools.
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    __VERSION__: JSON.stringify(version),
  },
  // Some bundled packages are CommonJS and call require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [inkPatch(), grayMatterPatch(), bundledRulesPlugin(), jsonSchemaPlace()],
});
/** A library of its own: one file, which shares nothing with the program. */
const matcher = await build({ ...shared, entryPoints: { matcher: "src/ttsr/matcher/index.ts" } });
const validator = await build({ ...shared, ...jsonSchema });
// Only now: a build that fails leaves the last one that worked.
rmSync("dist", { recursive: true, force: true });
for (const { path, contents } of [program, matcher, validator].flatMap(({ outputFiles }) => outputFiles)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
writeFileSync(
  "dist/THIRD_PARTY_LICENSES",
  thirdPartyLicenses(Object.keys({ ...program.metafile.inputs, ...validator.metafile.inputs })),
);

// npm runs `prepare` last when it packs, so nothing that ran before leaves anything in dist/.
const packing = ["pack", "publish"].includes(process.env.npm_command ?? "");
if (packing || process.argv.includes("--types")) {
  const tsc = spawnSync("node_modules/.bin/tsc", ["-p", "build/types.json"], { stdio: "inherit" });
  process.exitCode = tsc.status ?? 1;
}
