/** `ttsr-agent/matcher` in a folder where there is nothing else. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN } from "../support/program.js";
import { PATIENCE_MS } from "../support/wait.js";

const ROOT = resolve(dirname(BIN), "..");
const SNIPPETS = [...readFileSync(join(ROOT, "docs/matcher.md"), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);
const OPTIONS = "--module esnext --moduleResolution bundler --target es2022 --strict --noEmit".split(" ");
const exec = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ttsr-matcher-"));
  const home = join(folder, "node_modules/ttsr-agent");
  mkdirSync(join(home, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(home, "package.json"));
  cpSync(join(ROOT, "dist/matcher.js"), join(home, "dist/matcher.js"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(code: string): Promise<string[]> {
  writeFileSync(join(folder, "snippet.mjs"), code);
  const { stdout, stderr } = await exec(process.execPath, ["snippet.mjs"], {
    cwd: folder,
    env: {},
    timeout: PATIENCE_MS,
  });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

describe("the matcher as a library", () => {
  it("is one file that imports nothing but modules of Node", () => {
    const text = readFileSync(join(ROOT, "dist/matcher.js"), "utf8");
    const imports = [...text.matchAll(/(?<!\.)\b(?:from|import|require)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name);
    expect(imports.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    expect(text).not.toContain("Dynamic require");
  });

  it("docs/matcher.md has snippets", () => {
    expect(SNIPPETS.length).toBeGreaterThan(3);
  });

  it.each(SNIPPETS.map((code, index) => [index + 1, code] as const))(
    "snippet %i prints what it says",
    async (_, code) => {
      const said = [...code.matchAll(/\/\/ → (.*)/g)].map(([, line]) => line);
      expect(said.length).toBeGreaterThan(0);
      expect(await run(code)).toEqual(said);
    },
  );

  it("has declarations that stand alone", async () => {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    // As `npm run build -- --types` makes them, of this entry alone.
    const outDir = join(folder, "node_modules/ttsr-agent/dist/types");
    const config = {
      extends: join(ROOT, "build/types.json"),
      compilerOptions: { outDir, rootDir: join(ROOT, "src"), typeRoots: [join(ROOT, "node_modules/@types")] },
      include: [],
      files: [join(ROOT, "src/ttsr/matcher/index.ts")],
    };
    writeFileSync(join(folder, "types.json"), JSON.stringify(config));
    await exec(process.execPath, [tsc, "-p", join(folder, "types.json")]);
    const code = SNIPPETS[0]?.replace("open(() => true)", "open((ruleId: string) => ruleId !== '')") ?? "";
    writeFileSync(join(folder, "user.ts"), `${code}\nconst wrong: number = cursor.feed("");\nexport { wrong };\n`);
    const failed = await exec(process.execPath, [tsc, "user.ts", ...OPTIONS], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    const errors = failed.stdout
      .trim()
      .split("\n")
      .filter((line) => !line.includes("'console'"));
    expect(errors).toEqual([expect.stringContaining("user.ts")]);
    expect(errors[0]).toContain("is not assignable to type 'number'");
  });
});
