/** Cases of rule files that died in silence elsewhere. */
import { describe, expect, it } from "vitest";
import { loadCapability } from "../../src/capability/index.js";
import type { Rule } from "../../src/capability/rule.js";
import { registerRuleProviders } from "../../src/discovery/index.js";
import { readRuleFile } from "../../src/discovery/rule-file.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { DEFAULT_TTSR } from "../support/rules.js";
import { ruleText, workspace } from "./workspace.js";

registerRuleProviders();

const BASH = { source: "tool", contentIndex: 0, toolCallId: "c", toolName: "bash", argument: "command" } as const;

function read(text: string, name = "r") {
  return readRuleFile({ path: `/p/.rules/${name}.md`, name, provider: "project", bytes: Buffer.from(text) });
}

function managed(rule: Rule) {
  const manager = new TtsrManager(DEFAULT_TTSR);
  const added = manager.addRule(rule);
  const said = manager
    .diagnostics()
    .map(({ code, severity, suggestion = "" }) => `${severity} ${code} ${suggestion}`.trim());
  return { manager, added, said };
}

async function load(files: Record<string, string>) {
  const space = workspace(files);
  return loadCapability("rules", { cwd: space.repo, dirs: space.dirs, builtinRules: false, trusted: true });
}

describe("C96 a leading (?i) is translated", () => {
  it("fires on either case", () => {
    const { rule } = read('---\ncondition: "(?i)todo"\n---\nB');
    expect(managed(rule).manager.check("a ToDo b")).toHaveLength(1);
  });
  it("other flags are an error with the line", () => {
    const { rule } = read("---\ncondition: '(?x)todo'\n---\nB");
    const { manager, added } = managed(rule);
    expect(added).toBe(false);
    expect(manager.diagnostics()).toMatchObject([{ severity: "error", line: 2, pattern: "(?x)todo" }]);
  });
});

describe("C97 what is no YAML and was meant well", () => {
  it('scope: "text","thinking"', () => {
    const { rule, diagnostics } = read('---\ncondition: a\nscope: "text","thinking"\n---\nB');
    expect(rule.scope).toEqual(["text", "thinking"]);
    expect(diagnostics).toMatchObject([{ code: "repaired", line: 3 }]);
  });
});

describe("C98 a regex that looks like a file glob stays a regex", () => {
  it.each([
    ["https?://", "see http://x", "see htp://"],
    ["rm -rf /.*", "rm -rf / ", "rm -r /"],
    ["git push .* origin/main", "git push -f origin/main", "git push origin/main"],
    ["</?script", "a </script", "a </ script"],
    ["[A-Za-z0-9/]{16}", "abcdefgh/1234567", "abcdefgh-1234567"],
    ["src/*.ts", "src//.ts", "src/a.ts"],
  ])("%s", (pattern, fires, silent) => {
    const { rule } = read(`---\ncondition: '${pattern}'\n---\nB`);
    expect(rule).toMatchObject({ ttsrTrigger: [pattern], scope: [], globs: [] });
    const { manager } = managed(rule);
    expect(manager.check(`${fires} `, BASH)).toHaveLength(1);
    expect(manager.check(`${silent} `, BASH)).toHaveLength(0);
  });
});

describe("C100 a POSIX class means something else", () => {
  it("is a lint that names what was meant", () => {
    const { said } = managed(read("---\ncondition: 'password[[:space:]]*='\n---\nB").rule);
    expect(said.join()).toContain("posix-class");
    expect(said.join()).toContain("\\s");
  });
});

describe("C102 a doubled backslash or a block scalar never fires", () => {
  it("a doubled backslash is a lint", () => {
    const { rule } = read('---\ncondition: "\\\\\\\\bfoo"\n---\nB');
    expect(rule.ttsrTrigger).toEqual(["\\\\bfoo"]);
    expect(managed(rule).said.join()).toContain("doubled-backslash");
  });
  it.each(["|", ">"])("%s ends the pattern with a line end: said, with the way out", (mark) => {
    const file = read(`---\ncondition: ${mark}\n  \\bfoo\n---\nB`);
    expect(file.rule.ttsrTrigger).toEqual(["\\bfoo\n"]);
    expect(file.diagnostics).toMatchObject([
      { code: "block-scalar", line: 2, suggestion: `Write condition: ${mark}- or one line in quotes.` },
    ]);
    expect(read(`---\ncondition: ${mark}-\n  \\bfoo\n---\nB`).diagnostics).toEqual([]);
  });
});

describe("C103 `name:` is not the name", () => {
  it("the path is, and it is said", () => {
    const file = read("---\nname: other\ncondition: a\n---\nB", "js/this");
    expect(file.rule.name).toBe("js/this");
    expect(file.diagnostics).toMatchObject([{ code: "name-ignored", line: 2 }]);
  });
});

describe("C104 copies and shadows are told", () => {
  it("a backup in the folder is a rule too, and both would fire", async () => {
    const set = await load({ "repo/.rules/a.md": ruleText("x"), "repo/.rules/a-backup.md": ruleText("x") });
    expect(set.items).toHaveLength(2);
    expect(set.diagnostics).toMatchObject([{ code: "copy", severity: "warning" }]);
    expect(set.diagnostics[0]?.message).toContain('The rule "a" is a copy of "a-backup"');
  });
  it("a project's copy of the user's rule is shadowed, and by whom is known", async () => {
    const set = await load({ "config/rules/a.md": ruleText("x"), "repo/.rules/a.md": ruleText("x") });
    expect(set.items.map(({ provider }) => provider)).toEqual(["user"]);
    expect(set.shadowed.map(({ rule, by }) => [rule.provider, by.provider])).toEqual([["project", "user"]]);
    expect(set.diagnostics).toEqual([]);
  });
});

describe("C105 folders in folders", () => {
  it.each([".rules", ".omp/rules", ".claude/rules"])("%s/python/uv.md is python/uv", async (folder) => {
    const set = await load({ [`repo/${folder}/python/uv.md`]: ruleText("x") });
    expect(set.items.map(({ name }) => name)).toEqual(["python/uv"]);
  });
});

describe("C106 a rule on a text that its tool never has is told at load", () => {
  it.each([
    ["tool:bash.content", 'Did you mean "tool:bash.command"?'],
    ["tool:write.path", 'Did you mean "tool:write.content"?'],
    ["tool:edit.new", 'Did you mean "tool:edit.added" or "tool:edit.removed"?'],
    ["tool:bash(*.ts)", 'Did you mean "tool:bash"?'],
    ["bash(*.ts)", 'Did you mean "tool:bash"?'],
  ])("%s", (scope, suggestion) => {
    const { added, said } = managed(read(`---\ncondition: a\nscope: ${scope}\n---\nB`).rule);
    expect(added).toBe(false);
    expect(said).toEqual([`error scope ${suggestion}`]);
  });
  it.each(["tool:bash.*", "tool:bash.command", "tool:custom.content", "tool:edit.removed(*.ts)", "tool(*.ts)"])(
    "%s may fire",
    (scope) =>
      expect(managed(read(`---\ncondition: a\nscope: ${scope}\n---\nB`).rule)).toMatchObject({ added: true, said: [] }),
  );
  it("globs where nothing has a file, comments where there are none", () => {
    const globs = managed(read("---\ncondition: a\nscope: text, tool:bash\nglobs: '*.ts'\n---\nB").rule);
    expect(globs.said.join()).toContain("warning unreachable");
    const zones = managed(read("---\ncondition: a\nscope: text\nin: comment\n---\nB").rule);
    expect(zones.said.join()).toContain("warning unreachable");
    expect(managed(read("---\ncondition: a\nscope: text\nin: comment, code\n---\nB").rule).said).toEqual([]);
  });
});

describe("C107 C109 keys that do nothing are said", () => {
  it("C107 repeatGap and repeatMode are honoured, an unknown key is named", () => {
    const file = read("---\ncondition: a\nrepeatMode: after-gap\nrepeatGap: 3\nrepeatCompactions: 2\n---\nB");
    expect(file.rule).toMatchObject({ repeatMode: "after-gap", repeatGap: 3 });
    expect(file.diagnostics).toMatchObject([{ code: "unknown-key", line: 5 }]);
  });
  it("C109 an empty list of triggers is no stream rule", () => {
    const file = read("---\ncondition: []\nscope: text\n---\nB");
    expect(file.rule.ttsrTrigger).toEqual([]);
    expect(file.diagnostics).toMatchObject([{ code: "no-trigger", line: 2 }]);
  });
});

describe("C92 rules for some agents only", () => {
  it("one for sub-agents is off in the top session, and says so", async () => {
    const set = await load({ "repo/.rules/a.md": ruleText("x", "agents: '!main'\n") });
    expect(set.items).toEqual([]);
    expect(set.off).toMatchObject([{ reason: "agents: it is not for main" }]);
  });
});
