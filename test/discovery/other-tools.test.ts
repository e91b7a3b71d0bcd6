import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCapability, type RuleContext, type RuleSet } from "../../src/capability/index.js";
import { dialectOf, registerRuleProviders } from "../../src/discovery/index.js";
import { ruleText, workspace } from "./workspace.js";

registerRuleProviders();

/** One small repository in which every tool's every shape stands once. */
const FIXTURES = join(import.meta.dirname, "../fixtures/other-tools");

async function load(more: Partial<RuleContext> = {}, files: Record<string, string> = {}) {
  const space = workspace(files);
  cpSync(FIXTURES, space.repo, { recursive: true });
  const set = await loadCapability("rules", {
    cwd: space.repo,
    dirs: space.dirs,
    builtinRules: false,
    trusted: true,
    ...more,
  });
  return { space, set };
}

type Seen = [string, string, "always" | "" | readonly string[], (string | undefined)?];

/** provider, name, what brings the body in, the description that it is listed by */
function seen(set: RuleSet): Seen[] {
  return set.items.map((rule) => {
    const brings = rule.alwaysApply ? "always" : rule.globs.length === 0 ? "" : rule.globs;
    return [rule.provider, rule.name, brings, rule.description];
  });
}

describe("rules.md, providers: every tool's rules mean here what they mean there", () => {
  it("in order of priority, names from paths, keys from each tool's own documentation", async () => {
    const { set } = await load();
    // always.md of Continue and all.* share their names with rules before them; see "shadowing".
    const expected: Seen[] = [
      ["omp", "python/uv", "", undefined],
      ["omp", "tone", "", "How to write to people"],
      ["cursor", "Asked-for", "", "How releases are made"],
      ["cursor", "always", "always", "when adding a module"],
      ["cursor", "web/attached", ["*.ts", "src/**/*.{tsx,css}"], undefined],
      ["cursor", "cursorrules", "always", undefined],
      ["claude", "api/handlers", ["src/api/**/*.ts", "src/**/*.{js,jsx}"], undefined],
      ["claude", "everywhere", "always", undefined],
      ["claude", "one-path", ["lib/**/*.rb", "*.rake"], undefined],
      ["windsurf", "files", ["*.ts", "*.tsx"], undefined],
      ["windsurf", "model", "", "When SQL is written"],
      ["windsurf", "on", "always", "label"],
      ["windsurf", "windsurfrules", "always", undefined],
      ["cline", "01-plain", "always", undefined],
      ["cline", "02-paths", ["src/**", "*.config.js"], undefined],
      ["cline", "04-note", "always", undefined],
      ["copilot", "all", "always", undefined],
      ["copilot", "described", "", "How to write migrations"],
      ["copilot", "web/ts", ["**/*.ts", "**/*.tsx"], "Types"],
      ["copilot", "copilot-instructions", "always", undefined],
      ["continue", "asked", "", "When a release is cut"],
      ["continue", "content", ["**"], undefined],
      ["continue", "default", "always", "label"],
      ["continue", "react", ["**/*.tsx"], undefined],
    ];
    expect(seen(set)).toEqual(expected);
    const fileContent = set.items.flatMap((rule) => (rule.fileContent ? [[rule.name, rule.fileContent]] : []));
    expect(fileContent).toEqual([
      ["content", ["^#!/bin/sh"]],
      ["react", ["^import React", "useState"]],
    ]);
  });

  it("what its tool would leave out is off, and says why", async () => {
    const { set } = await load();
    expect(set.off.map(({ rule, reason }) => `${rule.provider}:${rule.name}: ${reason}`)).toEqual([
      "cursor:by-hand: Cursor uses it only when somebody names it: it has neither files, nor a description, nor alwaysApply",
      "windsurf:bare: Windsurf uses it only when somebody names it: it has neither files, nor a description, nor alwaysApply",
      "windsurf:hand: its trigger is manual: Windsurf uses it only when somebody names it",
      "cline:03-off: paths: [] switches it off",
      "copilot:review: excludeAgent: coding-agent keeps it from agents",
      "continue:never: Continue uses it only when somebody names it: it has neither files, nor a description, nor alwaysApply",
    ]);
    expect(set.broken).toEqual([]);
  });

  it("TTSR-1.2 T16 shadowing goes across tools, and stays visible", async () => {
    const { set } = await load({}, { "repo/.rules/tone.md": ruleText("tone") });
    expect(set.shadowed.map(({ rule, by }) => `${rule.provider}:${rule.name} by ${by.provider}`)).toEqual([
      "omp:tone by project",
      "copilot:by-hand by cursor",
      "continue:always by cursor",
      "continue:files by windsurf",
    ]);
  });

  it("whose format a file is in, where it stands tells", () => {
    const tool = (path: string): string | undefined => dialectOf(`/p/${path}`)?.tool;
    expect(tool("app/.cursor/rules/a/b.mdc")).toBe("Cursor");
    expect(tool("app/.cursor/rules/a/b.md")).toBeUndefined();
    expect(tool(".clinerules")).toBe("Cline");
    expect(tool(".clinerules/a.txt")).toBe("Cline");
    expect(tool(".github/copilot-instructions.md")).toBe("GitHub Copilot");
    expect(tool(".github/instructions/a.instructions.md")).toBe("GitHub Copilot");
    expect(tool(".omp/rules/a.md")).toBeUndefined();
    expect(tool(".rules/a.md")).toBeUndefined();
  });

  it("a trigger of ours works in a rule of theirs; its stream keys are read then", async () => {
    const space = workspace({
      "repo/.cursor/rules/no-any.mdc": ruleText("'as any'", "globs: *.ts\nalwaysApply: true\nscope: tool:edit\n"),
    });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.items).toMatchObject([{ ttsrTrigger: ["as any"], scope: ["tool:edit"], globs: ["*.ts"] }]);
    expect(set.items[0]).not.toHaveProperty("alwaysApply");
  });

  it("C107 keys that nobody knows are named, without a warning in other tools' files", async () => {
    const space = workspace({
      "repo/.cursor/rules/a.mdc": "---\ntitle: T\nscope: project\nalwaysApply: true\n---\nA.\n",
      "repo/.omp/rules/b.md": "---\ncondition: b\nquestion: Is it b?\n---\nB.\n",
    });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.diagnostics.map(({ severity, line, message }) => `${severity} ${line} ${message}`)).toEqual([
      'warning 3 Unknown key "question"; it was left out.',
      'info 2 Unknown key "title" in a rule of Cursor; it was left out.',
      'info 3 Unknown key "scope" in a rule of Cursor; it was left out.',
    ]);
  });

  it("globs without quotes are the way of Cursor, Windsurf and Copilot: told, no warning; ours are warned of", async () => {
    const globs = "globs: *.ts,*.tsx";
    const space = workspace({
      "repo/.cursor/rules/a.mdc": `---\n${globs}\n---\nA.\n`,
      "repo/.windsurf/rules/b.md": `---\ntrigger: glob\n${globs}\n---\nB.\n`,
      "repo/.github/instructions/c.instructions.md": "---\napplyTo: **/*.ts\n---\nC.\n",
      "repo/.rules/d.md": `---\n${globs}\n---\nD.\n`,
    });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.diagnostics.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ["repaired", "warning", 2],
      ["repaired", "info", 2],
      ["repaired", "info", 3],
      ["repaired", "info", 2],
    ]);
  });

  it("an expression of Continue that cannot be read is told of", async () => {
    const space = workspace({ "repo/.continue/rules/a.md": "---\nglobs: '*.ts'\nregex: ['^a', '(b']\n---\nA.\n" });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.diagnostics).toMatchObject([{ severity: "warning", code: "syntax", line: 3 }]);
  });

  it("TTSR-1.7 all of them stand in the repository: nothing acts untrusted", async () => {
    const { set } = await load({ trusted: false });
    expect(set.items).toEqual([]);
    expect(set.off).toEqual([]);
    expect(set.untrusted).toHaveLength(33);
  });

  it("TTSR-1.5 the working folder's come before those of the folders above", async () => {
    const space = workspace({
      "repo/.claude/rules/a.md": "far",
      "repo/app/.claude/rules/a.md": "near",
      "repo/other/.claude/rules/b.md": "elsewhere",
      "repo/app/.cursorrules": "near",
      ".claude/rules/above.md": "outside",
    });
    const set = await loadCapability("rules", {
      cwd: space.at("repo/app"),
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.items.map(({ provider, name, content }) => [provider, name, content])).toEqual([
      ["cursor", "cursorrules", "near"],
      ["claude", "a", "near"],
    ]);
    expect(set.shadowed.map(({ rule }) => rule.content)).toEqual(["far"]);
  });
});

describe("rules.md, front matter of other tools is read as carefully as ours", () => {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ...["b", "c", "d", "e"].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcd"[i]}`).join(", ")}]`),
    "globs: *e",
  ].join("\n");

  it.each([
    ["---js", "---js\nmodule.exports = { alwaysApply: true }\n---\nText.\n", "Front matter must start with exactly"],
    ["---json", '---json\n{"alwaysApply": true}\n---\nText.\n', "Front matter must start with exactly"],
    ["alias bomb", `---\n${bomb}\n---\nText.\n`, "The front matter is built too deep or too large"],
  ])("%s is refused", async (_, text, reason) => {
    const space = workspace({ "repo/.cursor/rules/a.mdc": text, "repo/.claude/rules/b.md": text });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.items).toEqual([]);
    expect(set.broken).toHaveLength(2);
    for (const broken of set.broken) expect(broken.reason).toContain(reason);
  });

  it("of duplicate keys the last counts, with a word; tabs and two blocks are repaired", async () => {
    const space = workspace({
      "repo/.cursor/rules/twice.mdc": "---\nglobs: a.ts\nglobs: b.ts\n---\nT.\n",
      "repo/.claude/rules/tabs.md": "---\npaths:\n\t- a.ts\n\t- b.ts\n---\nT.\n",
      "repo/.continue/rules/two.md": "---\nname: Two\n---\n\n---\nglobs: a.ts\n---\nT.\n",
    });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.items.map(({ name, globs }) => [name, globs])).toEqual([
      ["twice", ["b.ts"]],
      ["tabs", ["a.ts", "b.ts"]],
      ["two", ["a.ts"]],
    ]);
    expect(set.diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["duplicate-key", 3],
      ["repaired", 2],
      ["two-blocks", 5],
    ]);
  });
});

describe("rules.md, limits hold for every provider", () => {
  it("500 rules in all; the lowest in priority are skipped and named", async () => {
    const many = (folder: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`repo/${folder}/${folder.slice(1, 4)}${i}.md`, "x"]));
    const space = workspace({ ...many(".rules", 490), ...many(".claude/rules", 12), "repo/.windsurfrules": "x" });
    const context = { cwd: space.repo, dirs: space.dirs, builtinRules: false };
    const set = await loadCapability("rules", { ...context, trusted: true });
    expect(set.items).toHaveLength(500);
    expect(set.skipped.map(({ provider, reason }) => `${provider}: ${reason}`)).toEqual([
      "claude: there are more than 500 rules",
      "claude: there are more than 500 rules",
      "windsurf: there are more than 500 rules",
    ]);
    const untrusted = await loadCapability("rules", context);
    expect(untrusted.skipped).toEqual([]);
  });

  it("a repository crowds out none of the rules that come with the program, or with an extension", async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`repo/.rules/r${i}.md`, "x"]));
    const space = workspace(files);
    const added = [{ owner: "ext", name: "shipped", text: "---\nttsr_trigger: shipped\n---\nNo.\n" }];
    const set = await loadCapability("rules", { cwd: space.repo, dirs: space.dirs, trusted: true, added });
    expect(set.items).toHaveLength(500);
    const others = set.items.filter(({ provider }) => provider !== "project");
    expect(others.map(({ name }) => name)).toContain("shipped");
    expect(others.filter(({ provider }) => provider === "bundled").length).toBeGreaterThan(5);
    expect(new Set(set.skipped.map(({ provider }) => provider))).toEqual(new Set(["project"]));
  });

  it("64 KiB a file, links that leave, and pipes, for single files too", async () => {
    const space = workspace({
      "repo/.cursorrules": "x".repeat(64 * 1024 + 1),
      "repo/.github/instructions/big.instructions.md": "x".repeat(64 * 1024 + 1),
      "outside.md": "evil",
      "repo/.github/copilot-instructions.md/readme": "a folder in its place",
    });
    symlinkSync(space.at("outside.md"), space.at("repo/.windsurfrules"));
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      builtinRules: false,
      trusted: true,
    });
    expect(set.items).toEqual([]);
    expect(set.skipped.map(({ provider, reason }) => `${provider}: ${reason}`)).toEqual([
      "cursor: it has 65537 bytes; a rule has at most 65536",
      "windsurf: it is a link that leaves the repository",
      "copilot: it has 65537 bytes; a rule has at most 65536",
    ]);
  });
});

describe("TTSR-3.4 agents", () => {
  const files = {
    "repo/.rules/all.md": ruleText("a"),
    "repo/.rules/main.md": ruleText("b", "agents: main\n"),
    "repo/.rules/not-main.md": ruleText("c", "agents: ['!main']\n"),
    "repo/.rules/reviewers.md": ruleText("d", "agents: review*, !reviewer-fast\n"),
    "repo/.rules/advice.md": "---\nalwaysApply: true\nagents: Scout\n---\nText.\n",
  };
  it.each([
    [undefined, ["all", "main"]],
    ["main", ["all", "main"]],
    ["reviewer", ["all", "not-main", "reviewers"]],
    ["reviewer-fast", ["all", "not-main"]],
    ["scout", ["advice", "all", "not-main"]],
  ])("C92 %s", async (agent, expected) => {
    const space = workspace(files);
    const context = { cwd: space.repo, dirs: space.dirs, builtinRules: false, trusted: true };
    const set = await loadCapability("rules", { ...context, ...(agent === undefined ? {} : { agent }) });
    expect(set.items.map(({ name }) => name)).toEqual(expected);
    expect(set.off.every(({ reason }) => reason === `agents: it is not for ${agent ?? "main"}`)).toBe(true);
    expect(set.items.length + set.off.length).toBe(5);
  });
});
