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
  rule("more/wrong", "ttsr_trigger: 'baz'\nexamples: { silent: ['baz'] }");
  rule("advice", "alwaysApply: true");
  rule(
    "quiet",
    "ttsr_trigger: '^bar'\nunless: fine\nunlessWithin: 1\ninterruptMode: never\nrepeatMode: after-gap\nrepeatGap: 4\nseverity: info",
  );
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
      ["advice", "advice", undefined],
      ["bad", "broken", undefined],
      ["fast", "armed", 1],
      ["more/fast", "observe", 1],
      ["more/wrong", "broken", undefined],
      ["quiet", "armed", 1],
      ["slow", "armed", 2],
    ]);
  });

  it("says how many of what, and which rule is slow", () => {
    const { stdout } = rules("list", "--trust");
    expect(stdout).toMatch(/^\d+ rules: \d+ armed, \d+ observe, 1 advice, 2 broken\.$/m);
    expect(stdout).toMatch(/^armed +slow .*\[tier 2: tried in a worker\]$/m);
  });
});

describe("rules show --json", () => {
  it("has triggers with tier and time, examples, and history", () => {
    expect(rules("show", "fast", "--json").json()).toMatchObject({
      name: "fast",
      // Nobody trusts this folder.
      state: "untrusted",
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

describe("rules show", () => {
  it("says all that a rule says of itself", () => {
    const { stdout } = rules("show", "quiet");
    expect(stdout).toContain("\nunless:   fine  (within 1 line above)\n");
    expect(stdout).toContain("\nalso:     interruptMode never, repeatMode after-gap, repeatGap 4, severity info\n");
  });

  it("says of advice when it is read", () => {
    expect(rules("show", "advice").stdout).toMatch(
      /^advice {2}untrusted \(the folder is not trusted\)\n[^\n]+\n\nis read: {2}always, in the system prompt\n\nText\.\n$/,
    );
  });
});

describe("rules backtest", () => {
  it("says in one line which rules would not have fired, and what to do where there is nothing to play", () => {
    const said = JSON.stringify([{ role: "assistant", content: "bar" }]);
    writeFileSync(join(root, "said.json"), said);
    const { stdout } = rules("backtest", "quiet", "slow", "more/fast", "--sessions", "../said.json");
    expect(stdout).toMatch(
      /^1 answer in 1 transcript\.\n\nquiet: would have fired 1 time;[^\n]+\n[^\n]+\n\nWould not have fired: slow, more\/fast\.\n$/,
    );
    expect(rules("backtest").stdout).toMatch(/^0 answers in 0 transcripts\.\nThere is nothing to play; /);
    expect(rules("backtest", "bad").stderr).toMatch(/^ttsr-agent: bad is broken, so it never fires: /);
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

describe("a rule that fires on nothing", () => {
  it.each([
    [1, "bad", /^ttsr-agent: bad is broken, so it never fires: A group is opened with \( and never closed\. Close it/],
    [2, "advice", /^ttsr-agent: advice has no trigger, so it fires on nothing\.$/m],
  ])("is not tested: %i, %s", (code, name, said) => {
    const { status, stdout, stderr } = rules("test", name, "foo(");
    expect([status, stdout, stderr]).toEqual([code, "", expect.stringMatching(said)]);
  });

  it("is broken where it fails its own examples, as it is in a session, and can be tested", () => {
    expect(rules("show", "more/wrong").stdout).toMatch(
      /^more\/wrong {2}broken \(It should be silent on "baz", and fires/,
    );
    expect(rules("test", "more/wrong", "baz", "--source", "text").stdout).toMatch(/^fires /);
  });
});

describe("rules test", () => {
  it("shows a match over several lines from its beginning", () => {
    writeFileSync(join(root, "two.md"), "---\nttsr_trigger: 'foo\\nbar'\n---\nText.\n");
    const { stdout } = rules("test", "../two.md", "a foo\nbar", "--tool", "bash");
    expect(stdout).toMatch(/^fires {3}in bash\.command, characters 2 to 9\n {8}»foo ⏎ bar«\n/);
  });
});

describe("rules test with a tool that is not known", () => {
  it("tries it, and says so", () => {
    const { status, stdout, stderr } = rules("test", "fast", "eval(x)", "--tool", "Write");
    expect([status, stderr]).toEqual([0, 'No tool "Write" is known now. Did you mean write?\n']);
    expect(stdout).toMatch(/^silent {2}in Write\.text\n/);
    expect(rules("test", "fast", "eval(x)", "--tool", "edit.removed").stderr).toBe("");
  });
});

describe("rules check", () => {
  it("takes folders, and names a rule of a folder in it as a session does", () => {
    const names = (...args: string[]) =>
      (rules("check", "--json", ...args).json() as { rules: { name: string }[] }).rules.map(({ name }) => name);
    expect(names(".rules").sort()).toEqual(["advice", "bad", "fast", "more/fast", "more/wrong", "quiet", "slow"]);
    expect(rules("check", ".rules/quiet.md").stdout).toMatch(
      /^info {5}quiet\n[^\n]*quiet\.md:2: \^ means the beginning/,
    );
    expect(names(".rules/more", ".rules/more/fast.md", ".rules/fast.md")).toEqual(["more/fast", "more/wrong", "fast"]);
  });
});

describe("exit codes", () => {
  it.each([
    [0, ["check", ".rules/fast.md"]],
    [1, ["check"]],
    [1, ["check", "--json"]],
    [0, ["test", "fast", "nothing"]],
    [2, ["test", "fsat", "eval(x)"]],
    [2, ["test", "wrong", "baz"]],
    [2, ["scan", "--only", "slow"]],
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
