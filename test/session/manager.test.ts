import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareHistory } from "../../src/agent/history.js";
import type { AssistantMessage, Message } from "../../src/agent/messages.js";
import { userText } from "../../src/agent/messages.js";
import { SessionManager } from "../../src/session/session-manager.js";
import type { ContextMode } from "../../src/ttsr/types.js";
import { answer, type Bench, bench, cutAnswer, fileOf, injection, linesOf, texts } from "./helpers/session.js";

let on: Bench;
beforeEach(() => {
  on = bench();
});
afterEach(() => on.remove());

const interruptText = (): Message => userText("[interrupt]", { synthetic: "ttsr-interrupt", rules: ["no-eval"] });

/** What must not depend on whether the program was closed in between. */
function both(session: SessionManager, check: (session: SessionManager) => void): void {
  check(session);
  on.reports.length = 0;
  const again = on.open(fileOf(session));
  check(again);
  expect(on.reports).toEqual([]);
  again.close();
}

/** prompt, answer, prompt, then an interrupt of the given mode up to the step named. */
function interrupted(contextMode: ContextMode, upTo: "entry" | "cut" | "interrupt" | "cancel"): SessionManager {
  const session = on.create();
  session.appendMessage(userText("prompt"));
  const entry = injection(session, { contextMode });
  const id = session.appendTtsrInjection(entry);
  if (upTo === "entry") return session;
  session.appendMessage(cutAnswer("bad eval("), { id: entry.cutMessageId, parentId: id });
  if (upTo === "interrupt") session.appendMessage(interruptText(), { id: entry.interruptMessageId ?? "" });
  if (upTo === "cancel") session.appendTtsrInjection({ ...entry, delivered: false });
  return session;
}

describe("the file", () => {
  it("is made with the first message, and holds what came before it", () => {
    const session = on.create();
    session.appendModelChange({ provider: "demo", model: "showcase", thinking: "low" });
    session.appendTitle("a title");
    expect(existsSync(fileOf(session))).toBe(false);
    session.appendMessage(userText("hello"));
    expect(linesOf(fileOf(session)).map((line) => JSON.parse(line).type)).toEqual([
      "session",
      "model_change",
      "title",
      "message",
    ]);
    session.appendCustom("todo", { open: 2 });
    expect(linesOf(fileOf(session)).length).toBe(5);
  });

  it("a session in which nothing was said leaves nothing behind", () => {
    const session = on.create();
    session.appendTitle("a title");
    session.sync();
    session.close();
    expect(existsSync(on.stateDir)).toBe(false);
  });

  it("begins with the header, and every entry has id, parentId and timestamp", () => {
    const session = on.create({ parentSession: "abc" });
    session.appendMessage(userText("hello"));
    session.appendMessage(answer("there"));
    const [header, first, second] = linesOf(fileOf(session)).map((line) => JSON.parse(line));
    expect(header).toEqual({
      type: "session",
      version: 1,
      id: session.id,
      timestamp: "2026-01-02T03:04:05.006Z",
      cwd: "/home/project",
      parentSession: "abc",
    });
    expect(first).toEqual({
      type: "message",
      id: first.id,
      parentId: null,
      timestamp: "2026-01-02T03:04:06.006Z",
      message: userText("hello"),
    });
    expect([second.parentId, second.message]).toEqual([first.id, answer("there")]);
    expect(fileOf(session)).toMatch(
      new RegExp(`/sessions/home-project-[0-9a-f]{10}/2026-01-02T03-04-05-006Z_${session.id}\\.jsonl$`),
    );
  });

  it("in memory there is none", () => {
    const session = SessionManager.inMemory(on.options);
    session.appendMessage(userText("hello"));
    session.sync();
    session.close();
    expect(session.file).toBe(undefined);
    expect(existsSync(on.stateDir)).toBe(false);
  });

  it("is not touched by what cannot be written down, nor is the session", () => {
    const session = on.create();
    session.appendMessage(userText("hello"));
    const before = readFileSync(fileOf(session));
    const bad = answer("", { content: [{ type: "toolCall", id: "c", name: "t", arguments: { big: 1n } }] });
    expect(() => session.appendMessage(bad)).toThrow(TypeError);
    expect(readFileSync(fileOf(session))).toEqual(before);
    expect(session.entries.length).toBe(1);
  });
});

describe("a tool result", () => {
  it("keeps why the call was denied; what is no denial is left out", () => {
    const session = on.create();
    session.appendMessage(userText("hello"));
    const result = { role: "toolResult" as const, toolCallId: "c", toolName: "t", content: [], isError: true };
    const denied = { by: "policy" as const, reason: "No." };
    session.appendMessage({ ...result, denied });
    session.appendMessage({ ...result, denied: { by: "nobody", reason: 1 } as never });
    const [, first, second] = on.open(fileOf(session)).buildContext().messages;
    expect(first).toEqual({ ...result, denied });
    expect(second).toEqual(result);
  });
});

describe("ids", () => {
  it("are unique even where chance is not", () => {
    const session = on.create({ random: () => 0.5 });
    const ids = [session.newId(), session.newId(), session.newId(), session.appendMessage(userText("hello"))];
    expect(new Set(ids).size).toBe(4);
  });

  it("are not given again after a restart, promised ones included", () => {
    const session = on.create({ random: () => 0.5 });
    session.appendMessage(userText("hello"));
    const entry = injection(session);
    session.appendTtsrInjection(entry);
    const again = SessionManager.open(fileOf(session), { ...on.options, random: () => 0.5 });
    const taken = [...session.entries.map((it) => it.id), entry.cutMessageId, entry.interruptMessageId];
    expect(taken).not.toContain(again.newId());
  });

  it("one that exists, or a parent that does not, is refused", () => {
    const session = on.create();
    const id = session.appendMessage(userText("hello"));
    expect(() => session.appendMessage(answer("a"), { id })).toThrow("has an entry");
    expect(() => session.appendMessage(answer("a"), { parentId: "nobody" })).toThrow("no entry nobody");
    expect(() => session.setLeaf("nobody")).toThrow("no entry nobody");
    expect(session.entries.length).toBe(1);
  });
});

describe("the branch", () => {
  it("goes from the first entry to the leaf; what stands beside it stays in the log", () => {
    const session = on.create();
    const first = session.appendMessage(userText("one"));
    session.appendMessage(answer("two"));
    session.setLeaf(first);
    session.appendMessage(answer("other two"));
    both(session, (it) => {
      expect(texts(it.buildContext().messages)).toEqual(["one", "other two"]);
      expect(it.buildContext().entryIds).toEqual(it.branch().map((entry) => entry.id));
      expect(it.entries.length).toBe(3);
    });
    session.setLeaf(null);
    expect(session.branch()).toEqual([]);
    session.appendMessage(userText("fresh"));
    both(session, (it) => expect(texts(it.buildContext().messages)).toEqual(["fresh"]));
  });

  it("model and thinking are those of its newest change, or the model that answered since", () => {
    const session = on.create();
    session.appendModelChange({ provider: "a", model: "b", thinking: "high" });
    const before = session.appendMessage(userText("one"));
    session.appendModelChange({ provider: "c", model: "d" });
    const { model, thinking } = session.buildContext();
    expect([model, thinking]).toEqual([{ provider: "c", model: "d" }, "high"]);
    session.setLeaf(before);
    expect(session.buildContext().model).toEqual({ provider: "a", model: "b" });
  });

  it("dropLeaf goes back to before the last message, and a later change of model holds", () => {
    const session = on.create();
    session.appendMessage(userText("one"));
    session.appendMessage(answer("failed", { stopReason: "error", errorMessage: "no" }));
    session.appendModelChange({ provider: "c", model: "d" });
    session.dropLeaf();
    expect(session.buildContext().model).toEqual({ provider: "c", model: "d" });
    session.appendMessage(answer("two", { provider: "e", model: "f" }));
    both(session, (it) => {
      expect(texts(it.buildContext().messages)).toEqual(["one", "two"]);
      expect(it.buildContext().model).toEqual({ provider: "e", model: "f" });
    });
  });
});

describe("D20 entries whose order is impossible", () => {
  const line = (id: string, parentId: string | null | undefined, text: string): string =>
    JSON.stringify({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", message: userText(text) });
  const load = (lines: string[]): { said: string[]; codes: string[]; session: SessionManager } => {
    const made = on.create();
    made.appendMessage(userText("x"));
    made.close();
    const file = fileOf(made);
    writeFileSync(file, `${linesOf(file)[0]}\n${lines.join("\n")}\n`);
    on.reports.length = 0;
    const session = on.open(file);
    return { session, said: texts(session.buildContext().messages), codes: on.reports.map((report) => report.code) };
  };

  it("a circle is cut", () => {
    const { said, codes } = load([line("a", "b", "1"), line("b", "a", "2"), line("c", "c", "3")]);
    expect([said, codes]).toEqual([["1", "2", "3"], ["session-tree"]]);
  });

  it("a parent that is missing is the entry before", () => {
    const { said, codes } = load([line("a", null, "1"), line("b", "gone", "2"), line("c", "b", "3")]);
    expect([said, codes]).toEqual([["1", "2", "3"], ["session-tree"]]);
  });

  it("children of the same missing parent stay side by side", () => {
    const { said } = load([line("a", null, "1"), line("b", "gone", "2"), line("c", "gone", "3")]);
    expect(said).toEqual(["1", "3"]);
  });

  it("a record that stands twice counts once", () => {
    const both2 = [line("a", null, "1"), line("b", "a", "2")];
    const { said, codes } = load([...both2, ...both2, line("c", "b", "3")]);
    expect([said, codes]).toEqual([["1", "2", "3"], ["session-tree"]]);
  });

  it("an id with two contents: both are kept, and what follows belongs to the newer one, the next time too", () => {
    const { said, session } = load([
      line("a", null, "1"),
      line("b", "a", "2"),
      line("b", "b", "3"),
      line("c", "b", "4"),
    ]);
    expect(said).toEqual(["1", "2", "3", "4"]);
    session.appendMessage(userText("5"));
    session.setLeaf("b~2");
    session.appendMessage(userText("6"));
    session.close();
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["1", "2", "3", "6"]);
  });

  it("a plain list without parents is a conversation; kinds from the future keep their place", () => {
    const future = JSON.stringify({ type: "hologram", id: "h", parentId: "a", timestamp: "", rays: 3 });
    const { said, codes, session } = load([line("a", undefined, "1"), future, line("b", undefined, "2")]);
    expect([said, codes]).toEqual([["1", "2"], []]);
    expect(session.branch().map((entry) => entry.type)).toEqual(["message", "foreign", "message"]);
  });

  it("an answer without wire and usage is completed, so that it can be sent", () => {
    const { wire: _wire, usage: _usage, ...bare } = answer("2");
    const { session } = load([
      line("a", null, "1"),
      JSON.stringify({ type: "message", id: "b", parentId: "a", timestamp: "", message: bare }),
    ]);
    expect(session.buildContext().messages[1]).toMatchObject({ wire: "scripted", usage: { input: 0, output: 0 } });
  });
});

describe("TTSR-8.2 how an interrupt stands in the log", () => {
  it("the entry has the shape of the clause", () => {
    const session = interrupted("discard", "entry");
    expect(JSON.parse(linesOf(fileOf(session)).at(-1) ?? "")).toEqual({
      type: "ttsr_injection",
      id: session.leaf,
      parentId: session.entries[0]?.id,
      timestamp: expect.any(String),
      rules: [
        {
          name: "no-eval",
          hash: "ab12",
          path: "/home/project/.rules/no-eval.md",
          lane: "tool:write:content",
          filePath: "src/a.ts",
          excerpt: "eval(",
          start: 4,
          end: 9,
        },
      ],
      attempt: 1,
      turn: 1,
      contextMode: "discard",
      cutMessageId: expect.stringMatching(/^[0-9a-f]{8}$/),
      interruptMessageId: expect.stringMatching(/^[0-9a-f]{8}$/),
      delivered: true,
      discardedTokens: 12,
      estimated: true,
    });
  });

  it("TTSR-6.5 discard: the cut message is a side branch, the interrupt its sibling", () => {
    const session = interrupted("discard", "interrupt");
    session.appendMessage(answer("good"));
    both(session, (it) => {
      expect(texts(it.buildContext().messages)).toEqual(["prompt", "[interrupt]", "good"]);
      expect(it.buildContext().pendingInterrupt).toBe(undefined);
      const [, entry, cut, interrupt] = it.entries;
      expect([cut?.parentId, interrupt?.parentId]).toEqual([entry?.id, entry?.id]);
    });
  });

  it("TTSR-6.4 keep: the cut message stays in the branch, and what is sent is the same live and from disk", () => {
    const session = on.create();
    const cut: AssistantMessage = cutAnswer("partial");
    cut.content.push({ type: "toolCall", id: "c1", name: "bash", arguments: { command: "eval" } });
    const live: Message[] = [userText("prompt"), cut, interruptText(), answer("good")];
    session.appendMessage(userText("prompt"));
    const entry = injection(session, { contextMode: "keep" });
    session.appendTtsrInjection(entry);
    session.appendMessage(cut, { id: entry.cutMessageId });
    session.appendMessage(interruptText(), { id: entry.interruptMessageId ?? "" });
    session.appendMessage(answer("good"));
    both(session, (it) => {
      const { messages } = it.buildContext();
      expect(messages).toEqual(live);
      expect(prepareHistory(messages)).toEqual(prepareHistory(live));
      expect(it.entries.map((each) => each.parentId)).toEqual([
        null,
        ...it.entries.slice(0, -1).map((each) => each.id),
      ]);
    });
  });

  it.each(["discard", "keep", "rewind"] as const)(
    "TTSR-9.2 %s, cancelled: nothing of the attempt is in the branch, the rule is armed again",
    (mode) => {
      const session = interrupted(mode, "cancel");
      both(session, (it) => {
        const { messages, pendingInterrupt, injectedTtsrRules } = it.buildContext();
        expect(texts(messages)).toEqual(["prompt"]);
        expect([pendingInterrupt, injectedTtsrRules]).toEqual([undefined, []]);
        expect(it.getEntry(it.leaf ?? "")?.parentId).toBe(it.entries[1]?.id);
      });
      session.appendMessage(userText("other"));
      both(session, (it) => expect(texts(it.buildContext().messages)).toEqual(["prompt", "other"]));
    },
  );

  it.each(["discard", "keep", "rewind"] as const)(
    "TTSR-9.2 %s, cancelled before the cut message was handed over",
    (mode) => {
      const session = on.create();
      session.appendMessage(userText("prompt"));
      const entry = injection(session, { contextMode: mode });
      const id = session.appendTtsrInjection(entry);
      session.appendTtsrInjection({ ...entry, delivered: false });
      session.appendMessage(cutAnswer("bad"), { id: entry.cutMessageId, parentId: id });
      session.appendMessage(userText("other"));
      both(session, (it) => {
        expect(texts(it.buildContext().messages)).toEqual(["prompt", "other"]);
        expect(it.getInjectedTtsrRules()).toEqual([]);
      });
    },
  );

  it.each([
    ["discard", "entry", ["prompt"]],
    ["discard", "cut", ["prompt"]],
    ["keep", "entry", ["prompt"]],
    ["keep", "cut", ["prompt", "bad eval("]],
  ] as const)("a crash in %s after the %s: exactly one interrupt is to be delivered", (mode, step, said) => {
    const file = fileOf(interrupted(mode, step));
    const session = on.open(file);
    const { messages, pendingInterrupt, injectedTtsrRules } = session.buildContext();
    expect(texts(messages)).toEqual(said);
    expect(injectedTtsrRules).toEqual([{ name: "no-eval", hash: "ab12", turnsAgo: 0 }]);
    expect(pendingInterrupt?.rules.map((rule) => rule.name)).toEqual(["no-eval"]);
    session.appendMessage(interruptText(), { id: pendingInterrupt?.interruptMessageId ?? "" });
    session.appendMessage(answer("good"));
    both(session, (it) => {
      expect(it.buildContext().pendingInterrupt).toBe(undefined);
      expect(texts(it.buildContext().messages)).toEqual([...said, "[interrupt]", "good"]);
    });
  });

  it("the pending one can be cancelled instead", () => {
    const session = on.open(fileOf(interrupted("keep", "cut")));
    const pending = session.buildContext().pendingInterrupt;
    expect(pending).toBeDefined();
    if (pending) session.appendTtsrInjection({ ...pending, delivered: false });
    both(session, (it) => {
      expect(it.buildContext().pendingInterrupt).toBe(undefined);
      expect(texts(it.buildContext().messages)).toEqual(["prompt"]);
    });
  });

  it("where the conversation has gone on, a lost interrupt is not delivered late", () => {
    const session = interrupted("discard", "interrupt");
    session.appendMessage(answer("good"));
    const file = fileOf(session);
    const lines = linesOf(file);
    writeFileSync(file, `${lines.map((line, n) => (n === 4 ? line.slice(0, -9) : line)).join("\n")}\n`);
    const { messages, pendingInterrupt } = on.open(file).buildContext();
    expect([texts(messages), pendingInterrupt]).toEqual([["prompt", "good"], undefined]);
  });

  it("counts what was cut, on all branches, once each", () => {
    const session = interrupted("discard", "cancel");
    session.appendTtsrInjection(injection(session));
    both(session, (it) => expect(it.interrupts()).toHaveLength(2));
  });
});

describe("TTSR-8.1 getInjectedTtsrRules", () => {
  it("TTSR-5.2 the age counts turns: an attempt that a rule cut is none", () => {
    const session = interrupted("keep", "interrupt");
    both(session, (it) => expect(it.getInjectedTtsrRules()).toEqual([{ name: "no-eval", hash: "ab12", turnsAgo: 0 }]));
    session.appendMessage(answer("good"));
    session.appendMessage(userText("more"));
    const entry = injection(session, { contextMode: "keep", rules: [{ ...rule("other"), hash: "cd34" }] });
    session.appendTtsrInjection(entry);
    session.appendMessage(cutAnswer("bad"), { id: entry.cutMessageId });
    session.appendMessage(interruptText(), { id: entry.interruptMessageId ?? "" });
    session.appendMessage(answer("good again"));
    session.appendMessage(answer("stopped", { stopReason: "aborted", abortReason: "user" }));
    both(session, (it) => {
      expect(it.getInjectedTtsrRules()).toEqual([
        { name: "no-eval", hash: "ab12", turnsAgo: 3 },
        { name: "other", hash: "cd34", turnsAgo: 2 },
      ]);
      expect(it.buildContext().injectedTtsrRules).toEqual(it.getInjectedTtsrRules());
    });
  });

  it("a rule that was injected again is as old as the last time, with the hash of then", () => {
    const session = interrupted("discard", "interrupt");
    session.appendMessage(answer("good"));
    session.appendTtsrInjection(injection(session, { rules: [{ ...rule("no-eval"), hash: "new" }] }));
    both(session, (it) => expect(it.getInjectedTtsrRules()).toEqual([{ name: "no-eval", hash: "new", turnsAgo: 0 }]));
  });

  it("a cancelled repetition leaves the first time as it was", () => {
    const session = interrupted("discard", "interrupt");
    session.appendMessage(answer("good"));
    const entry = injection(session);
    session.appendTtsrInjection(entry);
    session.appendTtsrInjection({ ...entry, delivered: false });
    both(session, (it) => expect(it.getInjectedTtsrRules()).toEqual([{ name: "no-eval", hash: "ab12", turnsAgo: 1 }]));
  });

  it("only the present branch counts", () => {
    const session = interrupted("discard", "interrupt");
    session.setLeaf(session.entries[0]?.id ?? null);
    session.appendMessage(answer("elsewhere"));
    both(session, (it) => expect(it.getInjectedTtsrRules()).toEqual([]));
  });

  it("bare lists of names are accepted, with age 0", () => {
    const session = on.create();
    const id = session.appendMessage(userText("prompt"));
    session.close();
    const bare = {
      type: "ttsr_injection",
      id: "i",
      parentId: id,
      timestamp: "2026-01-01T00:00:00.000Z",
      rules: ["no-eval", "other", 7],
    };
    const after = { type: "message", id: "m", parentId: "i", timestamp: "", message: answer("x") };
    writeFileSync(
      fileOf(session),
      `${readFileSync(fileOf(session), "utf8")}${JSON.stringify(bare)}\n${JSON.stringify(after)}\n`,
    );
    const again = on.open(fileOf(session));
    expect(again.getInjectedTtsrRules()).toEqual([
      { name: "no-eval", hash: "", turnsAgo: 0 },
      { name: "other", hash: "", turnsAgo: 0 },
    ]);
    expect(again.buildContext().pendingInterrupt).toBe(undefined);
    expect(again.interrupts()).toHaveLength(0);
  });
});

function rule(name: string) {
  return { name, hash: "", path: `/r/${name}.md`, lane: "text", excerpt: "x", start: 0, end: 1 };
}
