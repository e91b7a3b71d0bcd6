/** One conversation in the four wires' words reads the same. */
import { describe, expect, it } from "vitest";
import type { NeutralMessage, ServedWire } from "./server/index.js";
import { readRequest } from "./server/index.js";

const PARAMETERS = { type: "object", properties: { path: { type: "string" } } };

const BODIES: Readonly<Record<ServedWire, Record<string, unknown>>> = {
  "anthropic-messages": {
    system: [{ type: "text", text: "Be brief." }],
    tools: [{ name: "read", description: "Reads.", input_schema: PARAMETERS }],
    messages: [
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "found" }] },
          { type: "text", text: "And now?" },
        ],
      },
    ],
  },
  "openai-chat": {
    tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: PARAMETERS } }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: "I look.",
        reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "s" }],
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "found" },
      { role: "user", content: [{ type: "text", text: "And now?" }] },
    ],
  },
  "openai-responses": {
    instructions: "Be brief.",
    tools: [{ type: "function", name: "read", description: "Reads.", parameters: PARAMETERS }],
    input: [
      { role: "user", content: [{ type: "input_text", text: "Look." }] },
      { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "s" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
      { type: "function_call_output", call_id: "c1", output: "found" },
      { type: "message", role: "user", content: "And now?" },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{ functionDeclarations: [{ name: "read", description: "Reads.", parametersJsonSchema: PARAMETERS }] }],
    contents: [
      { role: "user", parts: [{ text: "Look." }] },
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true, thoughtSignature: "s" },
          { text: "I look." },
          { functionCall: { id: "c1", name: "read", args: { path: "a" } } },
        ],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id: "c1", name: "read", response: { output: "found" } } }, { text: "And now?" }],
      },
    ],
  },
};

describe.each(Object.keys(BODIES) as ServedWire[])("readRequest of %s", (wire) => {
  const read = readRequest(wire, BODIES[wire]);

  it("reads system and tools", () => {
    expect(read.system).toBe("Be brief.");
    expect(read.tools).toEqual([{ name: "read", description: "Reads.", parameters: PARAMETERS }]);
  });

  it("reads the messages in one form", () => {
    const name = wire === "gemini" ? "read" : "";
    expect(read.messages).toEqual([
      { role: "user", text: "Look.", thinking: [], calls: [], results: [] },
      {
        role: "assistant",
        text: "I look.",
        thinking: [{ text: "Hm.", signature: "s" }],
        calls: [{ id: "c1", name: "read", args: { path: "a" } }],
        results: [],
      },
      { role: "tool", text: "", thinking: [], calls: [], results: [{ id: "c1", name, text: "found" }] },
      { role: "user", text: "And now?", thinking: [], calls: [], results: [] },
    ] satisfies NeutralMessage[]);
  });
});
