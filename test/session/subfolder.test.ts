/** TTSR-3.2 in a repository of many parts: the file patterns of a rule count from the folder that its rules folder stands in. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCapability } from "../../src/capability/index.js";
import { type AgentSession, createAgentSession } from "../../src/sdk.js";
import { Languages } from "../../src/ttsr/ast/languages.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { proveRule } from "../../src/ttsr/proving/prove.js";
import { FileScanner } from "../../src/ttsr/scan/scanner.js";
import { DEFAULT_TTSR } from "../support/rules.js";
import { type ScriptedAnswer, ScriptedModel, shape } from "../support/scripted-model.js";

let root: string;
let session: AgentSession | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-parts-")));
  mkdirSync(join(root, ".git"));
});
afterEach(async () => {
  await session?.dispose();
  rmSync(root, { recursive: true, force: true });
});

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const rule = (...lines: string[]): string => `---\nttsr_trigger: '\\beval\\('\n${lines.join("\n")}\n---\nNo.\n`;

/** @returns the rules that fire on this file, for a session in this folder */
async function firing(cwd: string, path: string): Promise<string[]> {
  const dirs = { config: join(root, "config"), state: join(root, "state") };
  const set = await loadCapability("rules", { cwd: join(root, cwd), dirs, trusted: true, builtinRules: false });
  const manager = new TtsrManager(DEFAULT_TTSR);
  for (const each of set.items) manager.addRule(each);
  const lane = { source: "tool" as const, contentIndex: 0, toolName: "write", argument: "content", filePath: path };
  return manager
    .check("eval(x)", lane)
    .map(({ name }) => name)
    .sort();
}

describe("TTSR-3.2 globs of a rule in a folder above the working folder, or in it", () => {
  beforeEach(() => {
    put(".rules/of-root.md", rule("globs: 'packages/a/src/**'"));
    put(".rules/scoped.md", rule("scope: 'tool:write(packages/*/src/*.ts)'"));
    put(".rules/anywhere.md", rule("globs: '*.ts'"));
    put(".rules/other.md", rule("globs: 'packages/b/**'"));
    put(".claude/rules/paths.md", rule("paths: packages/a/src/x.ts"));
    put("packages/a/.rules/of-part.md", rule("globs: 'src/**'"));
  });

  it("count from there, wherever the session is", async () => {
    const inPart = ["anywhere", "of-part", "of-root", "paths", "scoped"];
    expect(await firing("packages/a", "src/x.ts")).toEqual(inPart);
    expect(await firing("packages/a/src", "x.ts")).toEqual(inPart);
    expect(await firing("packages/a", "../b/x.ts")).toEqual(["anywhere", "other"]);
    expect(await firing(".", "packages/a/src/x.ts")).toEqual(["anywhere", "of-root", "paths", "scoped"]);
    expect(await firing(".", "src/x.ts")).toEqual(["anywhere"]);
  });

  it("in `rules scan` and at a run's end, where files count from the repository", async () => {
    const cwd = join(root, "packages/a");
    const set = await loadCapability("rules", {
      cwd,
      trusted: true,
      builtinRules: false,
      dirs: { config: root, state: root },
    });
    const scanner = new FileScanner(set.items, { languages: new Languages(), workingFolder: "packages/a" });
    const names = async (path: string) => (await scanner.scan(path, "eval(x)\n")).map((hit) => hit.rule.name).sort();
    expect(await names("packages/a/src/x.ts")).toEqual(["anywhere", "of-part", "of-root", "paths", "scoped"]);
    expect(await names("packages/b/src/x.ts")).toEqual(["anywhere", "other", "scoped"]);
    expect(await names("src/x.ts")).toEqual(["anywhere"]);
  });

  it("an example's path counts from there too", async () => {
    put(
      ".rules/proved.md",
      rule("globs: 'packages/a/**'", "examples: { fire: ['eval(', { text: 'eval(', path: packages/a/x.ts }] }"),
    );
    const cwd = join(root, "packages/a");
    const set = await loadCapability("rules", {
      cwd,
      trusted: true,
      builtinRules: false,
      dirs: { config: root, state: root },
    });
    const proved = set.items.find(({ name }) => name === "proved")!;
    const verdicts = await proveRule(proved, { tools: () => undefined }, false);
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it("advice for files comes with the files that it means", async () => {
    put(".rules/advice.md", "---\nglobs: 'packages/a/docs/**'\n---\nShort sentences.\n");
    put("packages/a/docs/x.md", "text\n");
    put("packages/a/x.md", "text\n");
    const read = (path: string): ScriptedAnswer => ({ blocks: [{ call: "read", args: { path } }], reason: "toolUse" });
    const model = new ScriptedModel([read("x.md"), read("docs/x.md"), { blocks: [{ text: "ok" }] }]);
    session = await createAgentSession({
      cwd: join(root, "packages/a"),
      env: { PATH: process.env["PATH"], HOME: root },
      dirs: { config: join(root, "config"), state: join(root, "state") },
      model,
      trust: true,
      permissionMode: "yolo",
      settings: ["ttsr.builtinRules=false"],
      session: { persist: false },
    });
    await session.prompt("go");
    const results = shape(model.requests.at(-1)!).filter((line) => line.startsWith("toolResult"));
    expect(results.map((text) => text.includes("Short sentences."))).toEqual([false, true]);
  });
});
