import { describe, expect, it } from "vitest";
import { prepareHistory } from "../../src/agent/history.js";
import {
  type AssistantMessage,
  type Message,
  NO_USAGE,
  type ToolResultMessage,
  userText,
} from "../../src/agent/messages.js";

const said = (content: AssistantMessage["content"], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  provider: "p",
  model: "m",
  wire: "scripted",
  content,
  stopReason: "stop",
  usage: { ...NO_USAGE },
  ...more,
});
const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: {} });
const result = (id: string, text = "ok"): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
});
const roles = (messages: readonly Message[]): string[] => messages.map((message) => message.role);

describe("F30: what is sent is always a legal request", () => {
  it("gives every call its result, in call order, right after its message", () => {
    const sent = prepareHistory([userText("a"), said([call("x"), call("y")]), userText("b"), result("y")]);
    expect(roles(sent)).toEqual(["user", "assistant", "toolResult", "toolResult", "user"]);
    expect(sent[2]).toMatchObject({ toolCallId: "x", isError: true });
    expect(sent[3]).toMatchObject({ toolCallId: "y", isError: false });
  });

  it("drops results without a call", () => {
    expect(roles(prepareHistory([userText("a"), result("ghost"), said([{ type: "text", text: "t" }])]))).toEqual([
      "user",
      "assistant",
    ]);
  });

  it("tells the same call id of two answers apart", () => {
    const sent = prepareHistory([said([call("0")]), result("0", "first"), said([call("0")]), result("0", "second")]);
    expect(JSON.stringify(sent[1])).toContain("first");
    expect(JSON.stringify(sent[3])).toContain("second");
  });

  it("F29: repairs half characters wherever they are", () => {
    const sent = prepareHistory([userText("a\uD83D"), said([{ ...call("x"), arguments: { deep: ["\uDE00b"] } }])]);
    expect(JSON.stringify(sent)).not.toMatch(/\\ud83d|\\ude00/i);
    expect(JSON.stringify(prepareHistory([userText("😀")]))).toContain("😀");
  });

  it("drops empty messages and stopped answers without text; keeps partial text without its calls", () => {
    const aborted = { stopReason: "aborted", abortReason: "user" } as const;
    const sent = prepareHistory([
      userText(""),
      said([]),
      said([call("x")], aborted),
      said([{ type: "thinking", thinking: "hm" }, { type: "text", text: "half" }, call("x")], aborted),
    ]);
    expect(sent).toEqual([expect.objectContaining({ content: [{ type: "text", text: "half" }] })]);
  });
});

describe("TTSR-6.4 keep", () => {
  const cut: Partial<AssistantMessage> = { stopReason: "aborted", abortReason: "ttsr", cutBy: ["no-eval"] };
  it("keeps text and signed thinking, removes calls", () => {
    const thinking = { type: "thinking" as const, thinking: "hm", signature: "s" };
    const [sent] = prepareHistory([said([thinking, { type: "text", text: "I will" }, call("x")], cut)]);
    expect(sent?.content).toEqual([thinking, { type: "text", text: "I will" }]);
  });
  it("says what was cut where nothing is left", () => {
    const [sent] = prepareHistory([said([call("x")], cut)]);
    expect(sent?.content).toEqual([{ type: "text", text: "[call to read cut off by rule no-eval; not run]" }]);
  });
});

describe("TTSR-6.4 rewind", () => {
  const thinking = { type: "thinking" as const, thinking: "hm", signature: "s" };
  const text = (words: string) => ({ type: "text" as const, text: words });
  const rewound = (content: AssistantMessage["content"], block: number, offset: number) =>
    prepareHistory([
      said(content, {
        stopReason: "aborted",
        abortReason: "ttsr",
        cutBy: ["no-eval"],
        rewoundTo: { block, offset },
      }),
    ])[0]?.content;

  it("sends the lines before the match, what stands before them, and nothing after", () => {
    const signed = { ...text("one\ntwo eval("), replay: { thoughtSignature: "of the whole" } };
    expect(rewound([thinking, text("zero"), signed, thinking, text("late")], 2, 4)).toEqual([
      thinking,
      text("zero"),
      text("one\n"),
    ]);
  });

  it("removes calls before the match too, and thinking without its signature", () => {
    const unsigned = { type: "thinking" as const, thinking: "hm" };
    expect(rewound([unsigned, call("x"), text("one\ntwo")], 2, 4)).toEqual([text("one\n")]);
  });

  it("has no empty text: what was cut is said where nothing is left", () => {
    expect(rewound([text("eval(")], 0, 0)).toEqual([text("[answer cut off by rule no-eval; not run]")]);
    expect(rewound([text("\n\neval(")], 0, 2)).toEqual([text("[answer cut off by rule no-eval; not run]")]);
    expect(rewound([thinking, call("x")], 1, 0)).toEqual([
      thinking,
      text("[call to read cut off by rule no-eval; not run]"),
    ]);
  });
});
