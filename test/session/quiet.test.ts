/** When a rule is quiet is read from the branch, whatever made that branch. */
import { describe, expect, it } from "vitest";
import { type Message, userText } from "../../src/agent/messages.js";
import { SessionManager } from "../../src/session/session-manager.js";
import { FakeClock } from "../support/fake-clock.js";
import { rule } from "../support/rules.js";
import { shape } from "../support/scripted-model.js";
import { BAD_TEXT, createSession, GOOD_TEXT, NOTHING_AROUND } from "../support/session.js";
import { answer, injection, seeded } from "./helpers/session.js";

const MODES = ["once", "after-gap", "always"] as const;
type Mode = (typeof MODES)[number];

const BODY: Message = userText("[no-eval, whole]", { synthetic: "ttsr-interrupt", rules: ["no-eval"] });
/** Of the rule as `rule()` makes it. */
const FIRED = {
  name: "no-eval",
  hash: "hash-no-eval",
  path: "/r.md",
  lane: "text",
  excerpt: "eval(",
  start: 0,
  end: 5,
};

function emptyLog(): SessionManager {
  return SessionManager.inMemory({ cwd: "/project", clock: new FakeClock(), random: seeded(7) });
}

/** A conversation in which the rule fired. @param text whether its text stands in what is left of the branch */
function logOf({ text, entry = true, turns = 1 }: { text: boolean; entry?: boolean; turns?: number }): SessionManager {
  const log = emptyLog();
  log.appendMessage(userText("first"));
  if (entry) log.appendTtsrInjection(injection(log, { rules: [FIRED], cutMessageId: log.newId() }));
  if (text) log.appendMessage(BODY);
  for (let turn = 0; turn < turns; turn++) log.appendMessage(answer(`answer ${turn}`));
  return log;
}

/** @returns whether the rule cuts the next bad answer in this log */
async function cuts(log: SessionManager, repeatMode: Mode, before?: (log: SessionManager) => void): Promise<boolean> {
  before?.(log);
  const setup = createSession({
    answers: [BAD_TEXT, GOOD_TEXT],
    rules: [rule("no-eval", { repeatMode, repeatGap: 3 })],
    log,
  });
  const run = setup.session.prompt("next");
  await setup.clock.advance(50);
  return (await run).ttsr.interrupts === 1;
}

describe("TTSR-5.1, TTSR-5.2, TTSR-8.2 a rule is quiet as its branch says", () => {
  const CASES: [string, () => SessionManager, Record<Mode, boolean>][] = [
    ["nothing has happened yet", emptyLog, { once: true, "after-gap": true, always: true }],
    ["resumed", () => logOf({ text: true }), { once: false, "after-gap": false, always: true }],
    [
      "resumed, the gap is over",
      () => logOf({ text: true, turns: 3 }),
      { once: false, "after-gap": true, always: true },
    ],
    [
      "its text was taken out, as compaction does",
      () => logOf({ text: false }),
      { once: true, "after-gap": false, always: true },
    ],
    [
      "a copy of the messages alone, as a fork may be",
      () => logOf({ text: true, entry: false }),
      { once: false, "after-gap": false, always: true },
    ],
    [
      "a copy, the gap is over",
      () => logOf({ text: true, entry: false, turns: 3 }),
      { once: false, "after-gap": true, always: true },
    ],
  ];

  it.each(CASES.flatMap(([name, log, fires]) => MODES.map((mode) => [name, mode, log, fires[mode]] as const)))(
    "%s: %s",
    async (_, mode, log, fires) => {
      expect(await cuts(log(), mode)).toBe(fires);
    },
  );

  it.each(MODES)("another branch of the tree, which parts before the interrupt: %s is armed", async (mode) => {
    const back = (log: SessionManager): void => log.setLeaf(log.entries[0]?.id ?? null);
    expect(await cuts(logOf({ text: true }), mode, back)).toBe(true);
  });

  it.each([
    ["once", false],
    ["after-gap", false],
    ["always", true],
  ] as const)("/new arms, /resume brings back: %s", async (repeatMode, firesAgain) => {
    const earlier = logOf({ text: true });
    const { session, clock } = createSession({
      answers: [BAD_TEXT, GOOD_TEXT, BAD_TEXT, GOOD_TEXT],
      rules: [rule("no-eval", { repeatMode, repeatGap: 3 })],
      log: logOf({ text: true }),
      deps: { surroundings: { ...NOTHING_AROUND, openLog: () => earlier } },
    });
    const interrupts = async (): Promise<number> => {
      const run = session.prompt("go");
      await clock.advance(50);
      return (await run).ttsr.interrupts;
    };
    await session.newSession();
    expect(await interrupts()).toBe(1);
    await session.resume("earlier");
    expect(await interrupts()).toBe(firesAgain ? 1 : 0);
  });

  it("a rule that is only named again does not stand in the branch: the next interrupt has its text", async () => {
    const log = emptyLog();
    log.appendMessage(
      userText("[no-eval stands above]", { synthetic: "ttsr-interrupt", rules: ["no-eval"], again: ["no-eval"] }),
    );
    log.appendMessage(answer("ok"));
    const { session, clock, model } = createSession({ answers: [BAD_TEXT, GOOD_TEXT], log });
    void session.prompt("next");
    await clock.advance(50);
    expect(shape(model.requests[1]!).at(-1)).toContain("The body of no-eval.");
  });
});

describe("TTSR-6.6, TTSR-8.2 a reminder comes back with the session, as old as it is", () => {
  const CALL = { blocks: [{ call: "bash", args: { command: "eval(x)" } }] };
  it.each([
    ["on a result", [CALL, GOOD_TEXT, GOOD_TEXT]],
    ["of prose, with the next prompt", [BAD_TEXT, GOOD_TEXT]],
  ] as const)("%s", async (_, answers) => {
    const gentle = rule("no-eval", { interruptMode: "never", repeatMode: "after-gap" });
    const live = createSession({ answers: [...answers], rules: [gentle] });
    await live.session.prompt("one");
    await live.session.prompt("two");
    const age = live.ttsr.turnsSinceInjected("no-eval");
    expect(age).toBeGreaterThan(0);
    const resumed = createSession({ answers: [GOOD_TEXT], rules: [gentle], log: live.log });
    expect(resumed.ttsr.turnsSinceInjected("no-eval")).toBe(age);
  });
});
