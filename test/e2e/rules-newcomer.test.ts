/** What the `rules` commands say to whoever writes the first rules: true, and with what to do. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN } from "../support/program.js";
import { PATIENCE_MS } from "../support/wait.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-newcomer-"));
  mkdirSync(join(root, "shop/.git"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function rule(name: string, ...front: string[]): void {
  mkdirSync(join(root, "shop/.rules", name, ".."), { recursive: true });
  writeFileSync(join(root, `shop/.rules/${name}.md`), `---\n${front.join("\n")}\n---\nText.\n`);
}

function run(...args: string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, [BIN, ...args], {
    cwd: join(root, "shop"),
    encoding: "utf8",
    timeout: PATIENCE_MS,
    env: { PATH: process.env["PATH"], HOME: root, TTSR_AGENT_HOME: join(root, "c"), TTSR_AGENT_STATE: join(root, "s") },
  });
}
const rules = (...args: string[]): string => run("rules", ...args).stdout;

describe("rules show", () => {
  it("says what became of the rule, as `rules list` does", () => {
    rule("no-eval", "ttsr_trigger: 'eval\\('");
    rule("bad", "ttsr_trigger: 'eval('");
    expect(rules("show", "no-eval")).toMatch(/^no-eval {2}untrusted \(the folder is not trusted\)\n/);
    expect(rules("show", "bad")).toMatch(/^bad {2}broken \(A group is opened/);
    rules("trust");
    expect(rules("show", "no-eval")).toMatch(/^no-eval {2}armed\n/);
    rule("no-eval", "ttsr_trigger: 'exec\\('");
    expect(rules("show", "no-eval")).toMatch(/^no-eval {2}untrusted \(changed since it was accepted\)\n/);
  });

  it("names the whole reach of `unless` where a part of it is said", () => {
    rule("below", "ttsr_trigger: foo", "unless: fine", "unlessAfter: 1");
    rule("above", "ttsr_trigger: foo", "unless: fine", "unlessWithin: 1");
    expect(rules("show", "below")).toContain("\nunless:   fine  (within 3 lines above, 1 line below)\n");
    expect(rules("show", "above")).toContain("\nunless:   fine  (within 1 line above)\n");
  });

  it("sets a rule of ast-grep on lines that fit, like a schema", () => {
    const relation = "{ kind: for_in_statement, stopBy: end, has: { kind: await_expression, stopBy: end } }";
    rule("loop", "astCondition:", "  pattern: await $CALL", `  inside: ${relation}`, "globs: '*.ts'");
    const shown = rules("show", "loop");
    expect(shown).toContain('\nfires on: {\n            "pattern": "await $CALL",\n            "inside": {');
    for (const row of shown.split("\n").slice(2)) expect(row.length, row).toBeLessThanOrEqual(80);
  });
});

describe("a file that only switches a bundled rule off", () => {
  it("is in order", () => {
    rule("safety/credentials", "enabled: false");
    expect(rules("check")).toBe("1 rule: 1 ok, 0 with warnings, 0 broken.\n");
    const listed = rules("list", "--trust");
    expect(listed).toMatch(/^off +safety\/credentials +project +enabled: false in the file$/m);
    expect(listed).not.toContain("nothing of it is used");
  });
});

describe("rules list", () => {
  it("names files from the working folder, as `rules check` does", () => {
    rule("typo", "ttsr_trigger: foo", "scpoe: text");
    rule("unknown", "ttsr_trigger: foo", "scope: tool:frob");
    const listed = rules("list", "--trust");
    expect(listed).toMatch(/^\.rules\/typo\.md:3: Unknown key "scpoe"/m);
    expect(listed).toMatch(/^\.rules\/unknown\.md: Its scope names the tool "frob"/m);
    expect(listed).not.toContain(`${root}/shop/.rules`);
  });
});

describe("rules check", () => {
  it("tells of a tool that is named without tool:, as a remark", () => {
    rule("bare", "ttsr_trigger: foo", "scope: edit");
    expect(rules("check")).toBe(
      'info     bare\n         .rules/bare.md: Its scope names the tool "edit" without "tool:". Write "tool:edit".\n1 rule: 1 ok, 0 with warnings, 0 broken.\n',
    );
  });
});

describe("rules test", () => {
  it("says so where the rule does not act, and what it would do", () => {
    rule("off", "ttsr_trigger: foo", "enabled: false");
    rule("failing", "ttsr_trigger: foo", "examples: { fire: [bar] }");
    const off = run("rules", "test", "off", "foo", "--source", "text");
    expect(off.stderr).toBe("off is off (enabled: false in the file), so it does not act; this is what it would do.\n");
    expect(off.stdout).toMatch(/^fires /);
    expect(run("rules", "test", "failing", "foo", "--source", "text").stderr).toMatch(
      /^failing is broken \(It should fire on "bar", and its trigger does not match that\), so it does not act; /,
    );
  });

  it("tells which of several conditions on calls holds, or the value that fails each", () => {
    rule(
      "slow",
      "callCondition:",
      "  - { required: [timeout], properties: { timeout: { minimum: 600 } } }",
      "  - { required: [command], properties: { command: { pattern: '^sleep ' } } }",
      "scope: tool:bash",
    );
    expect(rules("test", "slow", '{"command":"sleep 9"}')).toContain("because of its callCondition (2 of 2)\n");
    expect(rules("test", "slow", '{"command":"ls","timeout":5}')).toBe(
      [
        "silent  in a call of bash: its `callCondition` does not hold",
        "        timeout is 5, which does not fit `minimum: 600`",
        '        command is "ls", which does not fit `pattern: "^sleep "`',
        "",
      ].join("\n"),
    );
  });

  it("explains its marks in --help", () => {
    expect(rules("test", "--help")).toContain("stands between »«");
  });
});

describe("help in 80 columns", () => {
  it.each([[], ["rules"], ["rules", "test"], ["rules", "scan"], ["models"], ["config"]].map((words) => [words]))(
    "%j keeps within them",
    (words) => {
      for (const row of run(...words, "--help").stdout.split("\n")) expect(row.length, row).toBeLessThanOrEqual(80);
    },
  );
});

describe("wrong usage", () => {
  it.each([
    [["rules", "test"], "rules test"],
    [["rules", "scan", "--nope"], "rules scan"],
    [["models", "--nope"], "models"],
  ])("%j points at the help of that command", (args, command) => {
    expect(run(...args).stderr).toMatch(new RegExp(`^ttsr-agent: .*\\. See ttsr-agent ${command} --help\\.\\n$`));
  });
});
