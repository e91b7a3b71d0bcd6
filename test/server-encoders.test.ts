/** The vendors' own SDKs read what the test server sends, so its streams are real ones. */
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { Answer, ModelServer } from "./server/index.js";
import { say, startModelServer } from "./server/index.js";

const ARGS = { path: "src/ä.ts", edits: [{ old: "a\n", new: 'b "🙂"' }], deep: { yes: true, n: 3 } };
const ANSWER: Answer = {
  blocks: [
    { type: "thinking", thinking: "First read, then write.", signature: "c2ln" },
    { type: "text", text: "Größer als gedacht 🙂." },
    { type: "call", name: "edit", args: ARGS, id: "call_a" },
    { type: "call", name: "bash", args: { command: "ls" }, id: "call_b" },
  ],
  usage: { input: 5, cacheRead: 7, output: 20, reasoning: 6 },
};

let server: ModelServer;
afterEach(() => server.close());

const root = (): string => `http://127.0.0.1:${server.port}`;

describe("test server: anthropic-messages", () => {
  const client = (): Anthropic => new Anthropic({ apiKey: "x", baseURL: root(), maxRetries: 0 });
  const body = { model: "m", max_tokens: 99, messages: [{ role: "user" as const, content: "hi" }] };

  it("streams thinking, text and calls as the vendor does", async () => {
    server = await startModelServer({ script: [ANSWER] });
    const message = await client().messages.stream(body).finalMessage();
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "First read, then write.", signature: "c2ln" },
      { type: "text", text: "Größer als gedacht 🙂." },
      { type: "tool_use", id: "call_a", name: "edit", input: ARGS },
      { type: "tool_use", id: "call_b", name: "bash", input: { command: "ls" } },
    ]);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage).toMatchObject({ input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 20 });
  });

  it("sends its in-stream error as the vendor does", async () => {
    server = await startModelServer({ script: [say("never whole", { errorAfter: 4 })] });
    await expect(client().messages.stream(body).finalMessage()).rejects.toThrow(/overloaded/i);
  });
});

describe("test server: openai-chat", () => {
  it("streams text and calls as the vendor does", async () => {
    server = await startModelServer({ script: [ANSWER] });
    const client = new OpenAI({ apiKey: "x", baseURL: server.url("openai-chat"), maxRetries: 0 });
    const completion = await client.chat.completions
      .stream({ model: "m", messages: [{ role: "user", content: "hi" }], stream_options: { include_usage: true } })
      .finalChatCompletion();
    const message = completion.choices[0]!.message;
    expect(message.content).toBe("Größer als gedacht 🙂.");
    expect(message.tool_calls?.map((call) => (call.type === "function" ? call.function.arguments : ""))).toEqual([
      JSON.stringify(ARGS),
      '{"command":"ls"}',
    ]);
    expect(completion.choices[0]!.finish_reason).toBe("tool_calls");
    expect(completion.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 20 });
  });
});

describe("test server: openai-responses", () => {
  it("streams reasoning, text and calls as the vendor does", async () => {
    server = await startModelServer({ script: [ANSWER] });
    const client = new OpenAI({ apiKey: "x", baseURL: server.url("openai-responses"), maxRetries: 0 });
    const stream = client.responses.stream({ model: "m", input: "hi" });
    const deltas: string[] = [];
    stream.on("response.output_text.delta", (event) => deltas.push(event.delta));
    const response = await stream.finalResponse();
    expect(deltas.join("")).toBe("Größer als gedacht 🙂.");
    expect(response.output).toMatchObject([
      { type: "reasoning", encrypted_content: "c2ln", summary: [{ text: "First read, then write." }] },
      { type: "message", content: [{ text: "Größer als gedacht 🙂." }] },
      { type: "function_call", call_id: "call_a", arguments: JSON.stringify(ARGS) },
      { type: "function_call", call_id: "call_b" },
    ]);
    expect(response.usage).toMatchObject({ input_tokens: 12, output_tokens: 20 });
  });
});

describe("test server: gemini", () => {
  it("streams thoughts, text and calls as the vendor does", async () => {
    server = await startModelServer({ script: [ANSWER] });
    const client = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: root() } });
    const parts = [];
    let last: string | undefined;
    for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "hi" })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      last = chunk.candidates?.[0]?.finishReason;
    }
    expect(parts.map((part) => (part.thought ? (part.text ?? "") : "")).join("")).toBe("First read, then write.");
    expect(parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join("")).toBe("Größer als gedacht 🙂.");
    expect(parts.filter((part) => part.functionCall).map((part) => part.functionCall)).toMatchObject([
      { id: "call_a", name: "edit", args: ARGS },
      { id: "call_b", name: "bash" },
    ]);
    expect(parts.find((part) => part.thoughtSignature)?.thoughtSignature).toBe("c2ln");
    expect(last).toBe("STOP");
  });

  it("streams string arguments in pieces when it is asked to", async () => {
    server = await startModelServer({ script: [{ ...ANSWER, streamArgs: true, chunk: 3 }] });
    const response = await fetch(`${server.url("gemini")}/models/m:streamGenerateContent?alt=sse`, {
      method: "POST",
      body: "{}",
    });
    const events = (await response.text()).split("\n\n").filter(Boolean);
    const pieces = events
      .map(
        (event) =>
          JSON.parse(event.slice("data: ".length)).candidates[0].content.parts[0].functionCall?.partialArgs?.[0],
      )
      .filter((piece) => piece?.jsonPath === "$.edits[0].new");
    expect(pieces.map((piece) => piece.stringValue).join("")).toBe('b "🙂"');
    expect(pieces.map((piece) => piece.willContinue)).toEqual([true, false]);
  });
});
