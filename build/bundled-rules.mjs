import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { grayMatterPatch } from "./gray-matter-patch.mjs";

const LOADER = fileURLToPath(new URL("../src/discovery/bundled-rules.ts", import.meta.url));
const RULES = fileURLToPath(new URL("../rules", import.meta.url));

/** esbuild plugin: the bundled rules as our own loader reads them now, instead of the loader at every start. */
export function bundledRulesPlugin() {
  return {
    name: "bundled-rules",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]discovery[\\/]bundled-rules\.ts$/ }, async () => ({
        contents: await parsed(),
        loader: "js",
      }));
    },
  };
}

async function parsed() {
  const loader = await build({
    entryPoints: [LOADER],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
    plugins: [grayMatterPatch()],
  });
  const { bundledRules } = await import(
    `data:text/javascript;base64,${Buffer.from(loader.outputFiles[0].contents).toString("base64")}`
  );
  const read = bundledRules(RULES);
  if (read.found.length === 0) throw new Error(`There are no rules in ${RULES}.`);
  for (const item of named(read)) item.path = relative(RULES, item.path).replaceAll(sep, "/");
  // A string, since every caller gets rules of its own.
  return `
    import { join } from "node:path";
    const TEXT = ${JSON.stringify(JSON.stringify(read))};
    ${named}
    export function bundledRules(folder) {
      const read = JSON.parse(TEXT);
      for (const item of named(read)) item.path = join(folder, item.path);
      return read;
    }`;
}

/** Everything that names its file. */
function named({ found, skipped, diagnostics }) {
  return [...found.map(({ rule }) => rule), ...skipped, ...diagnostics];
}
