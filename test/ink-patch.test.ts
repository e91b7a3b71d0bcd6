import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error: a script of the build, in plain JavaScript
import { inkPatch } from "../build/ink-patch.mjs";

const FILES = ["measure-text.js", "wrap-text.js", "output.js", "ink.js"];
const INK = new URL("../node_modules/ink/build/", import.meta.url);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-ink-"));
  mkdirSync(join(root, "ink", "build"), { recursive: true });
  for (const name of FILES) writeFileSync(join(root, "ink", "build", name), readFileSync(new URL(name, INK)));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function bundle(names: readonly string[]): Promise<string> {
  const contents = names.map((name, i) => `export { default as part${i} } from "./ink/build/${name}";`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    plugins: [ignoreOthers, inkPatch()],
  });
  return outputFiles[0]?.text ?? "";
}

/** What the files import themselves is not looked at. */
const ignoreOthers: Plugin = {
  name: "ignore-others",
  setup(builder) {
    builder.onResolve({ filter: /.*/ }, ({ path, importer }) =>
      importer === "<stdin>" ? null : { path, external: true },
    );
  },
};

describe("the patch of Ink", () => {
  it("bounds its caches, spares it the grid, and never wipes the scrollback", async () => {
    const text = await bundle(FILES);
    expect(text.match(/new Bounded\d*\(500\)/g)).toHaveLength(2);
    expect(text).toContain("rowsAlone(this)");
    expect(text).not.toContain("clearTerminal");
  });

  it("fails the build when Ink no longer has what it changes", async () => {
    const file = join(root, "ink", "build", "output.js");
    writeFileSync(file, readFileSync(file, "utf8").replace("    get() {", "    read() {"));
    await expect(bundle(FILES)).rejects.toThrow(/ink patch: [\s\S]* is no longer in/);
  });

  it("fails the build when one of its files is not in the bundle", async () => {
    await expect(bundle(FILES.slice(1))).rejects.toThrow(/measure-text\.js of Ink was not in the bundle/);
  });
});
