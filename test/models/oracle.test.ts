/**
 * The same conversation through our request builders and through those of the AI SDK, which many programs use: the bodies must mean the
 * same. What we chose to do otherwise stands below, one line each; a line that no longer makes a difference fails.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, it } from "vitest";
import {
  type AssistantMessage,
  type Message,
  NO_USAGE,
  type ThinkingLevel,
  userText,
} from "../../src/agent/messages.js";
import { wire as anthropic } from "../../src/models/anthropic-messages/index.js";
import { wire as gemini } from "../../src/models/gemini/index.js";
import { wire as chat } from "../../src/models/openai-chat/index.js";
import { wire as responses } from "../../src/models/openai-responses/index.js";
import type { ModelTarget, Wire } from "../../src/models/wire.js";
import { drop, map, rename } from "./oracle-edits.js";
import { bodyFromSdk, type SdkModel, type SdkOptions } from "./oracle-sdk.js";

const BASE = "http://127.0.0.1:9/v1";
const TOOLS = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    name: "bash",
    description: "Runs a command.",
    parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  },
];

interface Bodies {
  ours: unknown;
  theirs: unknown;
}
type Difference = [why: string, settle: (bodies: Bodies) => void];

interface Case {
  name: string;
  wire: Wire;
  target: Partial<ModelTarget>;
  thinking: ThinkingLevel;
  sdk: SdkModel;
  /** What stands for our thinking level there. */
  options?: SdkOptions;
  differences: Difference[];
}

const fetchNothing = { apiKey: "k", baseURL: BASE };
const openai = (fetch: typeof globalThis.fetch) => createOpenAI({ ...fetchNothing, fetch });

const autoIsTheDefault: Difference = [
  "a free choice of tools is the default and not said",
  ({ theirs }) => drop(theirs, /^tool_choice$/),
];

const CHAT: Difference[] = [autoIsTheDefault];

const RESPONSES: Difference[] = [
  autoIsTheDefault,
  [
    "the system prompt stands in `instructions`, where it is not part of the conversation",
    ({ theirs }) =>
      map(theirs, /^$/, (body) => {
        const { input, ...rest } = body as { input: { content: string }[] };
        return { ...rest, instructions: input[0]?.content, input: input.slice(1) };
      }),
  ],
  [
    "an input item says that it is a message",
    ({ ours }) => map(ours, /^input\.\d+\.type$/, (type) => (type === "message" ? undefined : type)),
  ],
  [
    "calls have the id of their item, as the server gave it",
    ({ ours }) => map(ours, /^input\.\d+\.id$/, (id) => (String(id).startsWith("fc_") ? undefined : id)),
  ],
  [
    "what was said is complete, and has its (empty) list of annotations",
    ({ ours }) => drop(ours, /^input\.\d+\.(status|content\.\d+\.annotations)$/),
  ],
  ["the detail of a picture is said, though it is the default", ({ ours }) => drop(ours, /\.detail$/)],
  [
    "optional arguments stay optional: no `strict`, which is the server's default",
    ({ ours }) => drop(ours, /^tools\.\d+\.strict$/),
  ],
  ["several calls at once are asked for, though it is the default", ({ ours }) => drop(ours, /^parallel_tool_calls$/)],
];

const ANTHROPIC: Difference[] = [
  autoIsTheDefault,
  ["what the next request can read from the cache is marked", ({ ours }) => drop(ours, /\.cache_control$/)],
  [
    "the result of a tool is a list of blocks, since it may hold pictures",
    ({ theirs }) =>
      map(theirs, /^messages\.\d+\.content\.\d+\.content$/, (text) =>
        typeof text === "string" ? [{ type: "text", text }] : text,
      ),
  ],
];

const GEMINI: Difference[] = [
  ["a free choice of tools is the default and not said", ({ theirs }) => drop(theirs, /^toolConfig$/)],
  [
    "schemas go as the JSON Schema that they are, not as OpenAPI",
    ({ theirs }) => rename(theirs, /\.functionDeclarations\.\d+$/, "parameters", "parametersJsonSchema"),
  ],
  [
    "a result is `output` or `error`, by Google's own page; theirs does not tell a failure",
    ({ ours, theirs }) => {
      map(ours, /\.functionResponse\.response$/, (response) => ({ text: Object.values(response as object)[0] }));
      map(theirs, /\.functionResponse\.response$/, (response) => ({ text: (response as { content: string }).content }));
    },
  ],
  [
    "roles take turns: what the user says after results is in the same content",
    ({ theirs }) =>
      map(theirs, /^contents$/, (contents) => {
        const joined: { role: string; parts: unknown[] }[] = [];
        for (const { role, parts } of contents as typeof joined) {
          if (joined.at(-1)?.role === role) joined.at(-1)?.parts.push(...parts);
          else joined.push({ role, parts: [...parts] });
        }
        return joined;
      }),
  ],
  [
    "levels are written large, as in Google's reference",
    ({ theirs }) => map(theirs, /\.thinkingLevel$/, (level) => String(level).toUpperCase()),
  ],
];

const CASES: Case[] = [
  {
    name: "anthropic-messages, a budget for thinking",
    wire: anthropic,
    target: { provider: "anthropic", model: "claude-sonnet-4-5", maxOutput: 30_240 },
    thinking: "medium",
    // They add the budget to the limit, with us it is part of it.
    options: {
      maxOutputTokens: 20_000,
      providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 10_240 } } },
    },
    sdk: (fetch, model) => createAnthropic({ ...fetchNothing, fetch })(model),
    differences: ANTHROPIC,
  },
  {
    name: "anthropic-messages, adaptive thinking",
    wire: anthropic,
    target: { provider: "anthropic", model: "claude-opus-4-6", maxOutput: 20_000 },
    thinking: "high",
    options: {
      maxOutputTokens: 20_000,
      providerOptions: { anthropic: { thinking: { type: "adaptive" }, effort: "high" } },
    },
    sdk: (fetch, model) => createAnthropic({ ...fetchNothing, fetch })(model),
    differences: [
      ...ANTHROPIC,
      [
        "the text of the thinking is asked for: rules and the user are to see it",
        ({ ours }) => drop(ours, /^thinking\.display$/),
      ],
    ],
  },
  {
    name: "openai-responses",
    wire: responses,
    target: { provider: "openai", model: "gpt-5", maxOutput: 20_000 },
    thinking: "high",
    options: {
      maxOutputTokens: 20_000,
      providerOptions: {
        openai: {
          store: false,
          reasoningEffort: "high",
          reasoningSummary: "auto",
          include: ["reasoning.encrypted_content"],
          promptCacheKey: "conversation",
        },
      },
    },
    sdk: (fetch, model) => openai(fetch).responses(model),
    differences: RESPONSES,
  },
  {
    name: "openai-chat at OpenAI",
    wire: chat,
    target: { provider: "openai", model: "gpt-4.1", maxOutput: 20_000 },
    thinking: "off",
    options: { maxOutputTokens: 20_000, providerOptions: { openai: { promptCacheKey: "conversation" } } },
    sdk: (fetch, model) => openai(fetch).chat(model),
    differences: [
      ...CHAT,
      [
        "the limit has its newer name, which all models there take",
        ({ theirs }) => rename(theirs, /^$/, "max_tokens", "max_completion_tokens"),
      ],
    ],
  },
  {
    name: "openai-chat at OpenAI, a model that thinks",
    wire: chat,
    target: { provider: "openai", model: "gpt-5", maxOutput: 20_000, reasoning: true },
    thinking: "high",
    options: {
      maxOutputTokens: 20_000,
      providerOptions: { openai: { promptCacheKey: "conversation", reasoningEffort: "high" } },
    },
    sdk: (fetch, model) => openai(fetch).chat(model),
    differences: CHAT,
  },
  {
    name: "openai-chat at a server that wants its thinking back",
    wire: chat,
    target: { provider: "deepseek", model: "deepseek-reasoner", maxOutput: 20_000 },
    thinking: "off",
    options: { maxOutputTokens: 20_000 },
    sdk: (fetch, model) =>
      createOpenAICompatible({ ...fetchNothing, fetch, name: "deepseek", includeUsage: true })(model),
    differences: CHAT,
  },
  {
    name: "gemini, a level of thinking",
    wire: gemini,
    target: { provider: "google", model: "gemini-3-pro-preview", maxOutput: 20_000 },
    thinking: "high",
    options: {
      maxOutputTokens: 20_000,
      providerOptions: { google: { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } } },
    },
    sdk: (fetch, model) => createGoogleGenerativeAI({ ...fetchNothing, fetch })(model),
    differences: GEMINI,
  },
  {
    name: "gemini, a budget for thinking",
    wire: gemini,
    target: { provider: "google", model: "gemini-2.5-flash", maxOutput: 20_000 },
    thinking: "medium",
    options: {
      maxOutputTokens: 20_000,
      providerOptions: { google: { thinkingConfig: { thinkingBudget: 10_240, includeThoughts: true } } },
    },
    sdk: (fetch, model) => createGoogleGenerativeAI({ ...fetchNothing, fetch })(model),
    differences: GEMINI.slice(0, -1),
  },
];

/** Everything that a conversation can hold and both sides know. */
function conversation({ provider, model }: ModelTarget, wire: Wire): Message[] {
  const answer = (
    content: AssistantMessage["content"],
    stopReason: AssistantMessage["stopReason"],
  ): AssistantMessage => ({
    role: "assistant",
    provider,
    model,
    wire: wire.id,
    content,
    stopReason,
    usage: { ...NO_USAGE },
  });
  const redacted: AssistantMessage["content"] =
    wire === anthropic ? [{ type: "thinking", thinking: "", redacted: true, signature: "SEALED" }] : [];
  return [
    {
      role: "user",
      content: [
        { type: "text", text: "Look at this." },
        { type: "image", mediaType: "image/png", data: "aGVsbG8=" },
      ],
    },
    answer(
      [
        { type: "thinking", thinking: "Hm.", signature: "SIGNED", replay: { id: "rs_1", summary: ["Hm."] } },
        ...redacted,
        { type: "text", text: "Reading.", replay: { id: "msg_1" } },
        {
          type: "toolCall",
          id: "call_1",
          name: "read",
          arguments: { path: "a.ts" },
          replay: wire === gemini ? { id: "call_1", thoughtSignature: "CALL" } : { id: "fc_1" },
        },
        {
          type: "toolCall",
          id: "call_2",
          name: "bash",
          arguments: { command: "ls" },
          replay: wire === gemini ? { id: "call_2" } : { id: "fc_2" },
        },
      ],
      "toolUse",
    ),
    {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "read",
      content: [{ type: "text", text: "1: x" }],
      isError: false,
    },
    {
      role: "toolResult",
      toolCallId: "call_2",
      toolName: "bash",
      content: [{ type: "text", text: "not found" }],
      isError: true,
    },
    userText("And now?"),
  ];
}

describe.each(CASES)("$name", ({ wire, target: more, thinking, sdk, options = {}, differences }) => {
  const target: ModelTarget = { provider: "", model: "", wire: wire.id, baseUrl: BASE, ...more };
  const request = {
    system: "Be brief.",
    messages: conversation(target, wire),
    tools: TOOLS,
    thinking,
    conversationId: "conversation",
  };

  it("means what the AI SDK's request means, but for what we chose", async () => {
    const ours = wire.buildRequest(request, target);
    const theirs = await bodyFromSdk(sdk, target, request, options);
    const bodies: Bodies = { ours: { body: JSON.parse(JSON.stringify(ours.body)) }, theirs: { body: theirs.body } };
    for (const [why, settle] of differences) {
      const before = JSON.stringify(bodies);
      settle(bodies);
      expect(JSON.stringify(bodies) !== before, `no difference any more: ${why}`).toBe(true);
    }
    expect(bodies.ours).toEqual(bodies.theirs);
    expect(ours.url).toBe(theirs.url);
  });
});
