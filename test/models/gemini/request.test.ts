import type { Content, FunctionDeclaration, ThinkingConfig, ThinkingLevel as WireLevel } from "@google/genai";
import { describe, expect, it } from "vitest";
import type { AssistantBlock, AssistantMessage, Message } from "../../../src/agent/messages.js";
import { NO_USAGE, userText } from "../../../src/agent/messages.js";
import type { ModelRequest } from "../../../src/agent/ports.js";
import { wire } from "../../../src/models/gemini/index.js";
import type { ModelTarget } from "../../../src/models/wire.js";
import { drive, fixture, targetOf } from "../drive.js";

/** The body of `generateContent` as the API's reference has it; the SDK's own types have the same parts under other names. */
interface Body {
  systemInstruction?: Omit<Content, "role">;
  contents: Content[];
  tools?: { functionDeclarations: FunctionDeclaration[] }[];
  generationConfig?: {
    maxOutputTokens?: number;
    thinkingConfig?: Omit<ThinkingConfig, "thinkingLevel"> & { thinkingLevel?: `${WireLevel}` };
  };
}

const FLASH: ModelTarget = targetOf(wire, {
  provider: "google",
  model: "gemini-2.5-flash",
  baseUrl: "http://127.0.0.1:9/v1beta",
  apiKey: "AIza-test",
});
const THREE: ModelTarget = { ...FLASH, model: "gemini-3-pro-preview" };
const READ = {
  name: "read",
  description: "Reads.",
  parameters: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  },
};
const LS = { name: "ls", description: "Lists.", parameters: { type: "object", properties: {} } };

function asked(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "", messages: [userText("hi")], tools: [], thinking: "off", ...more };
}
function said(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    provider: "google",
    model: FLASH.model,
    wire: "gemini",
    content,
    stopReason: "stop",
    usage: { ...NO_USAGE },
    ...more,
  };
}
const result = (toolCallId: string, toolName: string, text: string, isError = false): Message => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text }],
  isError,
});
const bodyOf = (more: Partial<ModelRequest>, target = FLASH) => wire.buildRequest(asked(more), target).body;
const contentsOf = (messages: Message[], target = FLASH) => bodyOf({ messages }, target)["contents"];

describe("the request", () => {
  const conversation: Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ],
    },
    said(
      [
        { type: "thinking", thinking: "Hm.", signature: "SIGT" },
        { type: "text", text: "I look.", replay: { thoughtSignature: "SIGX" } },
        {
          type: "toolCall",
          id: "g1",
          name: "read",
          arguments: { path: "a.ts" },
          replay: { id: "g1", thoughtSignature: "SIGC" },
        },
        { type: "toolCall", id: "call_rid_1", name: "ls", arguments: {} },
      ],
      { stopReason: "toolUse" },
    ),
    result("g1", "read", "1: x"),
    result("call_rid_1", "ls", "no such folder", true),
    userText("and now?"),
  ];

  it("is this one, key for key", () => {
    const expected = {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "look" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
        {
          role: "model",
          parts: [
            { text: "Hm.", thought: true, thoughtSignature: "SIGT" },
            { text: "I look.", thoughtSignature: "SIGX" },
            { functionCall: { id: "g1", name: "read", args: { path: "a.ts" } }, thoughtSignature: "SIGC" },
            { functionCall: { name: "ls", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "g1", name: "read", response: { output: "1: x" } } },
            { functionResponse: { name: "ls", response: { error: "no such folder" } } },
            { text: "and now?" },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: "ls", description: "Lists." },
            {
              name: "read",
              description: "Reads.",
              parametersJsonSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
            },
          ],
        },
      ],
      generationConfig: { maxOutputTokens: 32000, thinkingConfig: { includeThoughts: true, thinkingBudget: 10240 } },
    } satisfies Body;
    const request = asked({ system: "Be brief.", messages: conversation, tools: [READ, LS], thinking: "medium" });
    const built = wire.buildRequest(request, { ...FLASH, maxOutput: 32000 });
    expect(built.url).toBe("http://127.0.0.1:9/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
    expect(built.headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      "x-goog-api-key": "AIza-test",
    });
    expect(built.body).toEqual(expected);
    expect(JSON.stringify(built.body)).toBe(JSON.stringify(expected));
  });

  it("has the key in no address", () => {
    expect(wire.buildRequest(asked(), { ...FLASH, model: "models/gemini-2.5-flash" }).url).toBe(
      "http://127.0.0.1:9/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    );
    expect(wire.buildRequest(asked(), targetOf(wire)).headers).not.toHaveProperty("x-goog-api-key");
  });

  it("is the same bytes for the same conversation, whatever the order of the tools", () => {
    const bytes = (tools: ModelRequest["tools"]) => JSON.stringify(bodyOf({ messages: conversation, tools }));
    expect(bytes([READ, LS])).toBe(bytes([LS, READ]));
  });

  it("leaves out what is not there", () => {
    expect(bodyOf({}, targetOf(wire, { model: "gemini-2.0-flash" }))).toEqual({
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
    } satisfies Body);
  });

  it("asks for arguments while they are written only where that is known", () => {
    const vertex = { ...THREE, baseUrl: "https://aiplatform.googleapis.com/v1/publishers/google" };
    expect(bodyOf({ tools: [LS] }, vertex)).toMatchObject({
      toolConfig: { functionCallingConfig: { mode: "AUTO", streamFunctionCallArguments: true } },
    });
    expect(bodyOf({ tools: [LS] }, THREE)).not.toHaveProperty("toolConfig");
    expect(bodyOf({ tools: [LS] }, { ...vertex, model: "gemini-2.5-pro" })).not.toHaveProperty("toolConfig");
  });
});

describe("what goes back", () => {
  it("each signature on the part that it came with", () => {
    const target = { ...FLASH, provider: "vendor", model: "model-1" };
    const back = (name: string) => {
      const { message } = drive(wire, fixture(name), "", target);
      return contentsOf([userText("hi"), message], target);
    };
    expect(back("gemini-thought-text-signature")).toMatchObject({
      1: {
        role: "model",
        parts: [
          { text: "Weigh it.", thought: true, thoughtSignature: "SIGT" },
          { text: "It is two." },
          { text: "", thoughtSignature: "SIGE" },
        ],
      },
    });
    expect(back("gemini-parallel-calls")).toMatchObject({
      1: {
        parts: [
          { functionCall: { id: "g1", name: "read", args: { path: "a.ts" } }, thoughtSignature: "SIGC" },
          { functionCall: { name: "ls", args: {} } },
          { functionCall: { name: "read", args: { path: "b.ts" } } },
          { text: "", thoughtSignature: "SIGE" },
        ],
      },
    });
    expect(back("gemini-other-parts")).toMatchObject({
      1: {
        parts: [
          { text: "Let me compute. " },
          { executableCode: { code: "print(1)" } },
          { codeExecutionResult: {} },
          { functionResponse: { name: "srv" } },
          { inlineData: { data: "AAAA" } },
          { hologram: { beam: [1] } },
          { text: "It is 1." },
        ],
      },
    });
  });

  const foreign = said(
    [
      { type: "thinking", thinking: "Hm.", signature: "SIGT" },
      { type: "text", text: "I look.", replay: { thoughtSignature: "SIGX" } },
      { type: "toolCall", id: "toolu_1", name: "read", arguments: {}, replay: { id: "x", thoughtSignature: "S" } },
      { type: "toolCall", id: "toolu_2", name: "read", arguments: {} },
    ],
    { stopReason: "toolUse" },
  );
  it.each<[string, Partial<AssistantMessage>]>([
    ["another model", { model: "gemini-2.0-flash" }],
    ["another provider", { provider: "vertex" }],
    ["another wire", { wire: "anthropic-messages" }],
  ])("of %s: the words, no ids, no thoughts and no signatures", (_, other) => {
    expect(
      contentsOf([{ ...foreign, ...other }, result("toolu_1", "read", "a"), result("toolu_2", "read", "b")]),
    ).toEqual([
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { name: "read", args: {} } },
          { functionCall: { name: "read", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "read", response: { output: "a" } } },
          { functionResponse: { name: "read", response: { output: "b" } } },
        ],
      },
    ]);
  });

  it("generation 3 gets a stand-in on the first call that has no signature of its own", () => {
    const parts = (message: AssistantMessage) => (contentsOf([message], THREE) as { parts: object[] }[])[0]?.parts;
    expect(parts(foreign)).toEqual([
      { text: "I look." },
      { functionCall: { name: "read", args: {} }, thoughtSignature: "skip_thought_signature_validator" },
      { functionCall: { name: "read", args: {} } },
    ]);
    expect(parts({ ...foreign, model: THREE.model })?.[2]).toEqual({
      functionCall: { id: "x", name: "read", args: {} },
      thoughtSignature: "S",
    });
  });

  it("no unsigned thought, no empty text, no message that would be empty", () => {
    const nothing = said([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "" },
    ]);
    expect(contentsOf([userText("a"), nothing, userText("b")])).toEqual([
      { role: "user", parts: [{ text: "a" }, { text: "b" }] },
    ]);
  });

  it("opaque parts go to the same provider only", () => {
    const opaque = said([
      { type: "opaque", wire: "gemini", data: { executableCode: { code: "1" } } },
      { type: "text", text: "x" },
    ]);
    expect(contentsOf([opaque])).toMatchObject([{ parts: [{ executableCode: {} }, { text: "x" }] }]);
    expect(contentsOf([{ ...opaque, provider: "vertex" }])).toEqual([{ role: "model", parts: [{ text: "x" }] }]);
  });

  it("images of tools: inside the response for generation 3, after all responses before it", () => {
    const call = (id: string): AssistantBlock => ({ type: "toolCall", id, name: "read", arguments: {} });
    const image: Message = {
      role: "toolResult",
      toolCallId: "a",
      toolName: "read",
      content: [
        { type: "text", text: "png" },
        { type: "image", mediaType: "image/png", data: "AA" },
      ],
      isError: false,
    };
    const messages = [said([call("a"), call("b")]), image, result("b", "read", "txt")];
    const inline = { inlineData: { mimeType: "image/png", data: "AA" } };
    expect(contentsOf(messages)).toMatchObject([
      {},
      {
        parts: [
          { functionResponse: { response: { output: "png" } } },
          { functionResponse: { response: { output: "txt" } } },
          inline,
        ],
      },
    ]);
    expect(contentsOf(messages, THREE)).toMatchObject([
      {},
      {
        parts: [
          { functionResponse: { response: { output: "png" }, parts: [inline] } },
          { functionResponse: { response: { output: "txt" } } },
        ],
      },
    ]);
  });

  it("an id that two answers use is the wire's only where the wire gave it", () => {
    const first = said([{ type: "toolCall", id: "c", name: "ls", arguments: {}, replay: { id: "c" } }]);
    const second = said([{ type: "toolCall", id: "c", name: "ls", arguments: {} }]);
    const contents = contentsOf([first, result("c", "ls", "1"), second, result("c", "ls", "2")]) as object[];
    expect(contents[1]).toEqual({
      role: "user",
      parts: [{ functionResponse: { id: "c", name: "ls", response: { output: "1" } } }],
    });
    expect(contents[3]).toEqual({
      role: "user",
      parts: [{ functionResponse: { name: "ls", response: { output: "2" } } }],
    });
  });
});

describe("how hard it thinks", () => {
  const config = (model: string, thinking: ModelRequest["thinking"], more: Partial<ModelTarget> = {}) => {
    const { generationConfig } = bodyOf({ thinking }, { ...FLASH, model, ...more }) as unknown as Body;
    return generationConfig?.thinkingConfig;
  };
  it.each<[string, ModelRequest["thinking"], object | undefined]>([
    ["gemini-2.5-flash", "off", { thinkingBudget: 0 }],
    ["gemini-2.5-flash", "minimal", { includeThoughts: true, thinkingBudget: 1024 }],
    ["gemini-2.5-flash", "xhigh", { includeThoughts: true, thinkingBudget: 24576 }],
    ["gemini-2.5-pro", "off", { thinkingBudget: 128 }],
    ["gemini-2.5-pro", "xhigh", { includeThoughts: true, thinkingBudget: 32768 }],
    ["gemini-3-pro-preview", "off", { thinkingLevel: "LOW" }],
    ["gemini-3-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-3.1-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
    ["gemini-3.1-pro-preview", "minimal", { includeThoughts: true, thinkingLevel: "LOW" }],
    ["gemini-3-flash-preview", "off", { thinkingLevel: "MINIMAL" }],
    ["gemini-3-flash-preview", "xhigh", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-2.0-flash", "high", undefined],
    ["gemma-3-27b", "high", undefined],
  ])("%s, %s", (model, level, expected) => {
    expect(config(model, level)).toEqual(expected);
  });
  it("is not said to a model that cannot", () => {
    expect(config("gemini-2.5-flash", "high", { reasoning: false })).toBeUndefined();
    expect(config("gemini-flash-latest", "low", { reasoning: true })).toEqual({
      includeThoughts: true,
      thinkingBudget: 4096,
    });
  });
});
