/** What scripts rely on: the shapes and exit codes of `ttsr-agent rules`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN } from "../support/program.js";
import { PATIENCE_MS } from "../support/wait.js";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-rules-"));
  mkdirSync(join(root, "project/.git"), { recursive: true });
  mkdirSync(join(root, "project/.rules/more"), { recursive: true });
  mkdirSync(join(root, "project/src"));
  const rules = join(root, "project/.rules");
  const rule = (name: string, front: string): void =>
    writeFileSync(join(rules, `${name}.md`), `---\n${front}\n---\nText.\n`);
  rule("fast", "ttsr_trigger: '\\beval\\('\nscope: tool:write\nexamples: { fire: ['eval(x)'] }");
  rule("slow", "ttsr_trigger: '(\\w+) \\1'\nscope: text");
  rule("more/fast", "ttsr_trigger: '\\bexec\\('\nscope: tool:write\nobserve: true");
  rule("bad", "ttsr_trigger: 'foo('");
  writeFileSync(join(root, "project/src/a.ts"), "eval(1);\n");
  writeFileSync(join(root, "project/src/clean.ts"), "parse(1);\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function rules(...args: string[]): { status: number | null; stdout: string; stderr: string; json(): unknown } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "rules", ...args], {
    cwd: join(root, "project"),
    encoding: "utf8",
    timeout: PATIENCE_MS,
    env: { PATH: process.env["PATH"], HOME: root, TTSR_AGENT_HOME: join(root, "c"), TTSR_AGENT_STATE: join(root, "s") },
  });
  return { status, stdout, stderr, json: () => JSON.parse(stdout) as unknown };
}

describe("rules list", () => {
  it("--json has the tier of each rule that acts", () => {
    const { status, json } = rules("list", "--trust", "--json");
    expect(status).toBe(0);
    const listed = json() as { name: string; state: string; tier?: number; provider: string }[];
    const own = listed.filter(({ provider }) => provider === "project");
    expect(own.map(({ name, state, tier }) => [name, state, tier]).sort()).toEqual([
      ["bad", "broken", undefined],
      ["fast", "armed", 1],
      ["more/fast", "observe", 1],
      ["slow", "armed", 2],
    ]);
  });

  it("says how many of what, and which rule is slow", () => {
    const { stdout } = rules("list", "--trust");
    expect(stdout).toMatch(/^\d+ rules: \d+ armed, \d+ observe, 1 broken\.$/m);
    expect(stdout).toMatch(/^armed +slow .*\[tier 2: tried in a worker\]$/m);
  });
});

describe("rules show --json", () => {
  it("has triggers with tier and time, examples, and history", () => {
    expect(rules("show", "fast", "--json").json()).toMatchObject({
      name: "fast",
      state: "armed",
      triggers: [{ pattern: "\\beval\\(", line: 2, tier: 1, settles: "on its last character" }],
      examples: [{ kind: "fire", text: "eval(x)", ok: true }],
      history: { hits: 0, interrupts: 0, discardedTokens: 0, sessions: 0, read: 0 },
      diagnostics: [],
    });
    expect(rules("show", ".rules/bad.md", "--json").json()).toMatchObject({
      state: "broken",
      triggers: [{ settles: "never: it cannot be used" }],
      diagnostics: [{ code: "syntax", message: "A group is opened with ( and never closed." }],
    });
  });
});

describe("rules test --json", () => {
  it("says where it fires, and what keeps it from firing elsewhere", () => {
    expect(rules("test", "fast", "a eval(x)", "--tool", "write", "--json").json()).toMatchObject({
      fires: true,
      splitInvariant: true,
      matches: [{ rule: "fast", trigger: 0, start: 2, end: 7, settledAt: 7, source: "tool", toolName: "write" }],
      excluded: [],
    });
    expect(rules("test", "fast", "eval(x)", "--tool", "bash", "--json").json()).toMatchObject({
      fires: false,
      matches: [],
      excluded: [{ toolName: "bash", because: ["its scope (tool:write) does not take in bash.command"] }],
    });
  });
});

describe("rules check", () => {
  it("takes folders, and names a rule of a folder in it as a session does", () => {
    const names = (...args: string[]) =>
      (rules("check", "--json", ...args).json() as { rules: { name: string }[] }).rules.map(({ name }) => name);
    expect(names(".rules").sort()).toEqual(["bad", "fast", "more/fast", "slow"]);
    expect(names(".rules/more", ".rules/more/fast.md", ".rules/fast.md")).toEqual(["more/fast", "fast"]);
  });
});

describe("exit codes", () => {
  it.each([
    [0, ["check", ".rules/fast.md"]],
    [1, ["check"]],
    [1, ["check", "--json"]],
    [0, ["test", "fast", "nothing"]],
    [2, ["test", "fsat", "eval(x)"]],
    [2, ["show", "nobody"]],
    [2, ["check", "nowhere.md"]],
    [6, ["scan"]],
    [6, ["scan", "--json"]],
    [0, ["scan", "--only", "more/fast"]],
    [2, ["scan", "--format", "xml"]],
    [2, ["scan", "nowhere"]],
    [2, ["backtest", "--sessions", "nowhere"]],
    [1, ["trust", "--revoke"]],
  ])("%i: rules %j", (code, args) => {
    const { status, stderr } = rules(...args);
    expect(status).toBe(code);
    // A failure is one sentence, or what was asked for; never a stack.
    expect(stderr).toMatch(code === 2 || args[0] === "trust" ? /^ttsr-agent: [^\n]+\n$/ : /^$/);
  });
});

describe("help", () => {
  it.each(["list", "show", "check", "test", "scan", "backtest", "trust"])("of %s has an example", (name) => {
    const { status, stdout } = rules(name, "--help");
    expect(status).toBe(0);
    expect(stdout).toContain(`Example:\n  ttsr-agent rules ${name}`);
    if (name !== "trust") expect(stdout).toContain("--json");
  });

  it("of rules has examples and the exit codes", () => {
    expect(rules("--help").stdout).toContain(
      "Exit codes: 0 done, 1 a rule is broken (check), 2 wrong usage, 6 hits (scan).",
    );
  });
});
