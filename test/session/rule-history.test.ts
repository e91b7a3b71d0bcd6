import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ruleHistory } from "../../src/session/rule-history.js";
import type { TtsrInjection } from "../../src/session/session-entries.js";
import { SessionManager } from "../../src/session/session-manager.js";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "ttsr-history-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

let ids = 0;
function session(day: number): SessionManager {
  const clock = { date: () => new Date(Date.UTC(2026, 0, day, 12)) };
  const random = () => (++ids * 0.618_034) % 1;
  const manager = SessionManager.create({
    cwd: "/p",
    stateDir: state,
    clock,
    random,
    fsync: false,
    report: () => undefined,
  });
  manager.appendMessage({
    role: "user",
    content: [{ type: "text", text: '{"type":"ttsr_injection","id":"x"} no-eval' }],
  });
  return manager;
}

const injection = (names: readonly string[], more: Partial<TtsrInjection> = {}): TtsrInjection => ({
  rules: names.map((name) => ({ name, hash: "h", path: "/p", lane: "text", excerpt: "eval(", start: 0, end: 5 })),
  attempt: 1,
  turn: 1,
  contextMode: "discard",
  cutMessageId: "",
  delivered: true,
  discardedTokens: 0,
  estimated: false,
  ...more,
});

describe("what a rule did so far", () => {
  it("is nothing where there is no session", () => {
    expect(ruleHistory(state, "no-eval")).toEqual({ hits: 0, interrupts: 0, discardedTokens: 0, sessions: 0, read: 0 });
  });

  it("counts interrupts, what they cut, and reminders, of all sessions", () => {
    const first = session(1);
    first.appendTtsrInjection(injection(["no-eval", "other"], { cutMessageId: "c1", discardedTokens: 40 }));
    first.appendTtsrInjection(injection(["no-eval"]));
    first.close();
    const second = session(2);
    second.appendTtsrInjection(injection(["other"], { cutMessageId: "c2", discardedTokens: 7 }));
    second.close();
    const third = session(3);
    third.appendTtsrInjection(injection(["no-eval"], { cutMessageId: "c3", discardedTokens: 2 }));
    third.close();
    const progress: string[] = [];
    expect(ruleHistory(state, "no-eval", (done, all) => progress.push(`${done}/${all}`))).toEqual({
      hits: 3,
      interrupts: 2,
      discardedTokens: 42,
      sessions: 2,
      last: "2026-01-03T12:00:00.000Z",
      read: 3,
    });
    expect(progress).toEqual(["1/3", "2/3", "3/3"]);
    expect(ruleHistory(state, "other")).toMatchObject({ hits: 2, interrupts: 2, discardedTokens: 47 });
  });

  it("an interrupt that was taken back is a hit, and none that cut anything", () => {
    const manager = session(1);
    const cut = injection(["no-eval"], { cutMessageId: "c1", discardedTokens: 40 });
    manager.appendTtsrInjection(cut);
    manager.appendTtsrInjection({ ...cut, delivered: false });
    manager.close();
    expect(ruleHistory(state, "no-eval")).toMatchObject({ hits: 1, interrupts: 0, discardedTokens: 0 });
  });

  it("a damaged log gives what can be read of it", () => {
    const manager = session(1);
    manager.appendTtsrInjection(injection(["no-eval"], { cutMessageId: "c1", discardedTokens: 4 }));
    const { file = "" } = manager;
    manager.close();
    writeFileSync(file, '{"type":"message","id":"torn', { flag: "a" });
    expect(ruleHistory(state, "no-eval")).toMatchObject({ hits: 1, interrupts: 1, discardedTokens: 4, read: 1 });
  });
});
