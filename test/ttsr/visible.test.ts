import { describe, expect, it } from "vitest";
import type { Message, ToolResultMessage } from "../../src/agent/messages.js";
import { userText } from "../../src/agent/messages.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { visibleRules } from "../../src/ttsr/visible.js";
import { answer } from "../session/helpers/session.js";
import { DEFAULT_TTSR, rule } from "../support/rules.js";

const interrupt = (...rules: string[]): Message => userText("[rule]", { synthetic: "ttsr-interrupt", rules });
const calls: Message = answer("", { content: [{ type: "toolCall", id: "c1", name: "write", arguments: {} }] });
const result: ToolResultMessage = {
  role: "toolResult",
  toolCallId: "c1",
  toolName: "write",
  content: [{ type: "text", text: "[rule]\nok" }],
  isError: false,
  rules: ["b"],
};

describe("TTSR-5.1 which rules stand in what is sent", () => {
  it.each<[string, Message[], string[]]>([
    ["an empty branch", [], []],
    ["an interrupt", [userText("go"), interrupt("a", "b"), answer("ok")], ["a", "b"]],
    ["a reminder on a result", [userText("go"), calls, result], ["b"]],
    ["a result whose call is gone is not sent", [userText("go"), result], []],
    ["a rule that is only named again", [{ ...userText("x"), rules: ["a", "b"], again: ["a"] }], ["b"]],
    ["named again, and whole before", [interrupt("a"), { ...userText("x"), rules: ["a"], again: ["a"] }], ["a"]],
    ["words of the user are none", [userText("The body of a.")], []],
  ])("%s", (_, messages, names) => {
    expect([...visibleRules(messages)]).toEqual(names);
  });

  it.each([
    ["once", [], true],
    ["once", [interrupt("no-eval")], false],
    ["after-gap", [], true],
    ["after-gap", [interrupt("no-eval")], true],
    ["always", [interrupt("no-eval")], true],
  ] as const)("TTSR-5.2 %s, nothing known but the branch: %#", (repeatMode, messages, fires) => {
    const manager = new TtsrManager({ ...DEFAULT_TTSR, repeatMode });
    manager.addRule(rule("no-eval"));
    manager.setVisible(visibleRules(messages));
    expect(manager.check("eval(")).toHaveLength(fires ? 1 : 0);
  });

  it("what is taken back leaves the time before as it was", () => {
    const manager = new TtsrManager({ ...DEFAULT_TTSR, repeatMode: "after-gap", repeatGap: 2 });
    manager.addRule(rule("no-eval"));
    manager.restoreInjected([{ name: "no-eval", hash: "hash-no-eval", turnsAgo: 1 }]);
    manager.markInjected(manager.rules());
    manager.unmarkInjected(["no-eval"]);
    expect(manager.turnsSinceInjected("no-eval")).toBe(1);
    expect(manager.check("eval(")).toEqual([]);
  });
});
