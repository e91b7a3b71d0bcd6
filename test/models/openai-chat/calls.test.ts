import { describe, expect, it } from "vitest";
import { wire } from "../../../src/models/openai-chat/index.js";
import { argsText, drive, events } from "../drive.js";

const chunk = (...tool_calls: object[]) => ({ id: "c1", choices: [{ index: 0, delta: { tool_calls } }] });
const ends = (finish_reason = "tool_calls") => ({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason }] });
const piece = (more: object, args?: unknown, name?: string) => ({
  type: "function",
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  ...more,
});
const calls = (...payloads: object[]) => drive(wire, events(...payloads, ends())).message.content;

describe("F15 calls told apart by id, index, both or neither", () => {
  const two = [
    { type: "toolCall", name: "read", arguments: { path: "a" } },
    { type: "toolCall", name: "bash", arguments: { command: "b" } },
  ];
  const A = ['{"path"', ':"a"}'] as const;
  const B = ['{"command"', ':"b"}'] as const;

  it.each([
    [
      "ids and indexes",
      [
        chunk(piece({ index: 0, id: "x" }, A[0], "read")),
        chunk(piece({ index: 0 }, A[1])),
        chunk(piece({ index: 1, id: "y" }, B[0], "bash")),
        chunk(piece({ index: 1 }, B[1])),
      ],
    ],
    [
      "interleaved, from index 1 on",
      [
        chunk(piece({ index: 1, id: "x" }, A[0], "read"), piece({ index: 2, id: "y" }, B[0], "bash")),
        chunk(piece({ index: 2 }, B[1])),
        chunk(piece({ index: 1 }, A[1])),
      ],
    ],
    [
      "a new id under the old index",
      [
        chunk(piece({ index: 0, id: "x" }, A[0], "read")),
        chunk(piece({ index: 0 }, A[1])),
        chunk(piece({ index: 0, id: "y" }, B[0], "bash")),
        chunk(piece({ index: 0 }, B[1])),
      ],
    ],
    [
      "ids without indexes",
      [
        chunk(piece({ id: "x" }, A[0], "read")),
        chunk(piece({}, A[1])),
        chunk(piece({ id: "y" }, B[0], "bash")),
        chunk(piece({}, B[1])),
      ],
    ],
    [
      "ids on every piece, out of order",
      [
        chunk(piece({ id: "x" }, A[0], "read")),
        chunk(piece({ id: "y" }, B[0], "bash")),
        chunk(piece({ id: "x" }, A[1])),
        chunk(piece({ id: "y" }, B[1])),
      ],
    ],
    [
      "neither: a name begins a call",
      [
        chunk(piece({}, A[0], "read")),
        chunk(piece({}, A[1])),
        chunk(piece({ id: "" }, B[0], "bash")),
        chunk(piece({ id: null }, B[1])),
      ],
    ],
    [
      "indexes only",
      [
        chunk(piece({ index: 0 }, A.join(""), "read"), piece({ index: 1 }, B[0], "bash")),
        chunk(piece({ index: 1 }, B[1])),
      ],
    ],
  ])("%s", (_name, payloads) => {
    const content = calls(...payloads);
    expect(content).toMatchObject(two);
    expect(content).toHaveLength(2);
    expect(new Set(content.map((block) => (block.type === "toolCall" ? block.id : "")))).toHaveLength(2);
  });

  it("the rest of a call that never began is dropped", () => {
    expect(calls(chunk(piece({ index: 0 }, "{}")))).toEqual([]);
  });
});

describe("arguments", () => {
  it.each([
    ["an empty string", ""],
    ["nothing", undefined],
    ["an empty object's text", "{}"],
    ["an object", {}],
    ["null", null],
  ])("%s is {}", (_name, args) => {
    expect(calls(chunk(piece({ index: 0, id: "x" }, args, "read")))).toEqual([
      { type: "toolCall", id: "x", name: "read", arguments: {} },
    ]);
  });

  it("as an object are the object, and the deltas say the same", () => {
    const driven = drive(wire, events(chunk(piece({ id: "x" }, { path: "a", n: [1] }, "read")), ends()));
    expect(driven.message.content).toMatchObject([{ arguments: { path: "a", n: [1] } }]);
    expect(argsText(driven.parts, 0)).toBe('{"path":"a","n":[1]}');
  });

  it("a call without a type is a call", () => {
    expect(calls(chunk({ index: 0, id: "x", function: { name: "read", arguments: "{}" } }))).toHaveLength(1);
  });

  it("cut ones are never runnable", () => {
    const cut = [chunk(piece({ index: 0, id: "x" }, '{"path":"/etc', "rm"))];
    const { message, last } = drive(wire, events(...cut, ends("length")));
    expect(message.content).toEqual([
      { type: "toolCall", id: "x", name: "rm", arguments: {}, invalidArguments: '{"path":"/etc' },
    ]);
    expect(last).toMatchObject({ type: "finish", reason: "length" });
    const open = drive(wire, events(...cut));
    expect(open.last).toMatchObject({ type: "error", error: { code: "incomplete" } });
    expect(open.message.content).toMatchObject([{ arguments: {}, invalidArguments: '{"path":"/etc' }]);
  });

  it.each(["stop", "tool_calls", "function_call", "tool_use"])("a finished call makes %s a toolUse", (raw) => {
    const call = chunk(piece({ index: 0, id: "x" }, "{}", "read"));
    expect(drive(wire, events(call, ends(raw))).last).toMatchObject({ reason: "toolUse", rawReason: raw });
    expect(drive(wire, events(ends(raw))).last).toMatchObject({ reason: "stop", rawReason: raw });
  });

  it("text, call, text are three blocks", () => {
    const say = (content: string) => ({ id: "c1", choices: [{ index: 0, delta: { content } }] });
    const content = calls(say("a"), chunk(piece({ id: "x" }, "{}", "read")), say("b"));
    expect(content).toMatchObject([{ text: "a" }, { name: "read" }, { text: "b" }]);
  });
});
