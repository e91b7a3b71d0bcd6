import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { AstPattern, Rule } from "../../../src/capability/rule.js";
import { childMain } from "../../../src/ttsr/ast/child-main.js";
import { Languages } from "../../../src/ttsr/ast/languages.js";
import { SyntaxChecker } from "../../../src/ttsr/ast/syntax-checker.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import { FileScanner } from "../../../src/ttsr/scan/scanner.js";
import type { TtsrMatch } from "../../../src/ttsr/types.js";
import { DEFAULT_TTSR, rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

const WRITE = fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" });

/** Looks through all that is below each node, below each node, …: minutes on a file of this size. */
const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? { pattern: "nowhere" } : { has: { stopBy: "end", ...nested(depth - 1) } };
const ENDLESS: AstPattern = { rule: { kind: "program", ...nested(5) } };
const LARGE = `${"export function f(a, b) { if (a > b) { return g(a, [b, c(d)]); } return x.y(z => z + 1); }\n".repeat(3500)}eval(src);\n`;

const languages: Languages[] = [];
function opened(): Languages {
  const made = new Languages();
  languages.push(made);
  return made;
}
afterEach(() => {
  for (const each of languages.splice(0)) each.checker.stop();
});

const onSyntax = (name: string, condition: AstPattern): Rule =>
  rule(name, { ttsrTrigger: [], astCondition: [condition] });

/** A monitor that has these rules, and what it is asked at the end of a message with one call. */
function session(rules: Rule[]) {
  const manager = new TtsrManager(DEFAULT_TTSR, { languages: opened() });
  for (const each of rules) expect(manager.addRule(each), JSON.stringify(manager.diagnostics())).toBe(true);
  const found: TtsrMatch[] = [];
  const monitor = createMonitor({
    manager,
    tools: () => WRITE,
    cwd: "/project",
    onBatch: (matches) => {
      found.push(...matches);
      return "pass";
    },
  });
  const close = (content: string, signal?: AbortSignal) => {
    monitor.open(() => signal?.aborted !== true);
    return monitor.close(
      {
        role: "assistant",
        provider: "p",
        model: "m",
        wire: "scripted",
        content: [{ type: "toolCall", id: "c1", name: "write", arguments: { path: "a.ts", content } }],
        stopReason: "toolUse",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
      signal,
    );
  };
  return { manager, found, close };
}

/** What has ended and was not asked about by its parent yet is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return false;
  } catch {
    // Gone, or not Linux.
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("TTSR-4.5 no rule on syntax stalls the program", () => {
  it("one that would take minutes is given up, told once and off; the others go on", async () => {
    const { manager, found, close } = session([
      onSyntax("first", "eval($A)"),
      onSyntax("endless", ENDLESS),
      onSyntax("last", "eval(src)"),
    ]);
    let beats = 0;
    const heart = setInterval(() => beats++, 20);
    await close(LARGE);
    clearInterval(heart);
    expect(beats).toBeGreaterThan(10);
    expect(found.map((match) => match.rule.name)).toEqual(["first", "last"]);
    expect(manager.takeNews()).toMatchObject([
      {
        rule: "endless",
        severity: "warning",
        code: "undecided",
        message: "A file was let pass without its `astCondition`: it took longer than 1 s, and is tried no more.",
      },
    ]);
    await close("eval(src);");
    expect(found.map((match) => match.rule.name)).toEqual(["first", "last", "first", "last"]);
    expect(manager.takeNews()).toEqual([]);
  });

  it("TTSR-9.2 Esc does not wait for it, nor does the next call", async () => {
    const { manager, found, close } = session([onSyntax("endless", ENDLESS), onSyntax("last", "eval(src)")]);
    const user = new AbortController();
    const closed = close(LARGE, user.signal);
    let over = false;
    void closed.then(() => {
      over = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(over).toBe(false);
    user.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(true);
    expect(found).toEqual([]);
    expect(manager.takeNews()).toEqual([]);
    await close("eval(src);");
    expect(found.map((match) => match.rule.name)).toEqual(["last"]);
  });

  it("a scan names it, and finds what the others find", async () => {
    const told: string[] = [];
    const scanner = new FileScanner([onSyntax("endless", ENDLESS), onSyntax("last", "eval($A)")], {
      languages: opened(),
      undecided: ({ name }, why) => told.push(`${name}: ${why}`),
    });
    expect((await scanner.scan("a.ts", LARGE)).map((hit) => hit.rule.name)).toEqual(["last"]);
    expect(told).toEqual(["endless: it took longer than 1 s, and is tried no more"]);
  });
});

describe("the process in which rules on syntax are tried", () => {
  const place = new Languages().placeOf("TypeScript");
  const source = `(${childMain.toString()})(require)`;
  const started: ChildProcess[] = [];
  const start = (script = source): ChildProcess => {
    const child = spawn(process.execPath, ["--eval", script], { stdio: ["pipe", "ignore", "ignore", "ipc"] });
    started.push(child);
    return child;
  };
  afterEach(() => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
  });

  it("is one for all, started with the first question and ended by `stop`", async () => {
    const checker = new SyntaxChecker(() => start());
    expect(started).toHaveLength(0);
    const asked = ["eval(a);", "eval(b);"].map((text) => checker.check(place, text, [["eval($A)"], ["eval(b)"]]));
    const hit = { condition: 0, start: 0, end: 7, firstLine: 0, lastLine: 0 };
    expect(await Promise.all(asked)).toEqual([
      [{ hits: [hit] }, { hits: [] }],
      [{ hits: [hit] }, { hits: [hit] }],
    ]);
    expect(started).toHaveLength(1);
    checker.stop();
    await gone(started[0]?.pid ?? 0);
  });

  it("one that ends by itself is started once more; a rule that ends it again is off", async () => {
    let starts = 0;
    // The first one ends with the question, the second is whole.
    const checker = new SyntaxChecker(() => start(starts++ === 0 ? "process.once('message', process.exit)" : source));
    expect(await checker.check(place, "eval(a);", [["eval($A)"]])).toMatchObject([{ hits: [{ start: 0 }] }]);
    expect(starts).toBe(2);
    checker.stop();

    const dies = `process.on('message', async ({ id }) => {
      process.send({ kind: 'ready' });
      process.send({ kind: 'parsed', id }, () => process.exit(1));
    })`;
    const fragile = new SyntaxChecker(() => start(dies));
    const undecided = "the process that tried it ended twice, and it is tried no more";
    expect(await fragile.check(place, "a", [["a"]])).toEqual([{ undecided }]);
    const before = started.length;
    expect(await fragile.check(place, "a", [["a"]])).toEqual([{ undecided }]);
    expect(started).toHaveLength(before);
  });

  it("where none can be had, that is said, each time anew", async () => {
    let starts = 0;
    const checker = new SyntaxChecker(() => {
      starts++;
      throw new Error("no more processes");
    });
    const none = [{ undecided: "no process could be started for it" }];
    expect(await checker.check(place, "a", [["a"]])).toEqual(none);
    expect(await checker.check(place, "a", [["a"]])).toEqual(none);
    expect(starts).toBe(4);
    const missing = new SyntaxChecker(() => spawn("/nowhere/node", { stdio: ["pipe", "ignore", "ignore", "ipc"] }));
    expect(await missing.check(place, "a", [["a"]])).toEqual(none);
  });

  it("what is asked too much of its language is an answer, not an end", async () => {
    const checker = new SyntaxChecker(() => start());
    const [answer] = await checker.check({ ...place, language: "nothing" }, "a", [["a"]]);
    expect(answer).toMatchObject({ undecided: expect.stringMatching(/^the file could not be parsed/) });
    expect(await checker.check(place, "a;", [["a"]])).toMatchObject([{ hits: [{ start: 0 }] }]);
    checker.stop();
  });

  it("kill -9 of its parent ends it, whatever it computes", async () => {
    const question = {
      ...place,
      id: 1,
      text: LARGE,
      rules: [[ENDLESS]],
      limitMs: 1_000_000,
    };
    const parent = spawn(
      process.execPath,
      [
        "--eval",
        `const child = require("node:child_process").spawn(process.execPath, ["--eval", ${JSON.stringify(source)}], { stdio: ["pipe", "ignore", "ignore", "ipc"] });
         child.on("message", ({ kind }) => { if (kind === "parsed") process.stdout.write(String(child.pid)); });
         process.on("message", (question) => child.send(question));`,
      ],
      { stdio: ["ignore", "pipe", "ignore", "ipc"] },
    );
    started.push(parent);
    parent.send(question);
    const [pid] = (await once(parent.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    expect(isAlive(Number(pid))).toBe(true);
    parent.kill("SIGKILL");
    await gone(Number(pid));
  });
});
