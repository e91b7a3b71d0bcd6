import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAssembler } from "../../src/agent/assemble.js";
import type { ModelError } from "../../src/agent/errors.js";
import type { AssistantMessage, Usage } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import { createHttpModel } from "../../src/models/http.js";
import type { Wire } from "../../src/models/wire.js";
import { systemClock } from "../../src/platform/clock.js";
import {
  bodyOf,
  type Expected,
  loadRecordings,
  type Proof,
  type RecordedWire,
  type Recording,
  WIRES,
} from "./recordings.js";

const RECORDINGS = loadRecordings();
if (RECORDINGS.length === 0)
  console.warn("Recordings of real providers are not on this machine; their replay is skipped.");

type Framing = "an event a write" | "a byte a write" | "one burst";
const FRAMINGS: readonly Framing[] = ["an event a write", "a byte a write", "one burst"];

const wires = new Map<RecordedWire, Wire>();
let server: Server;
let base = "";
let now: { recording: Recording; framing: Framing };

beforeAll(async () => {
  for (const wire of WIRES)
    wires.set(wire, ((await import(`../../src/models/${wire}/index.ts`)) as { wire: Wire }).wire);
  server = createServer((request, response) => {
    request.resume();
    request.on("end", () => void serve(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(response: ServerResponse): Promise<void> {
  const { recording, framing } = now;
  response.socket?.setNoDelay(true);
  response.writeHead(recording.header.status, { "content-type": recording.header.content_type });
  const pieces = bodyOf(recording);
  const bytes = Buffer.from(pieces.join(""));
  if (framing === "one burst") {
    response.end(bytes);
    return;
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  if (framing === "an event a write") {
    for (const piece of pieces) {
      response.write(piece);
      await turn();
    }
  } else {
    for (let at = 0; at < bytes.length; at++) {
      response.write(bytes.subarray(at, at + 1));
      // Let the reader see some of them alone; all of them would take minutes.
      if (at % 64 < 8) await turn();
    }
  }
  response.end();
}

async function replay(
  recording: Recording,
  framing: Framing,
): Promise<{ message: AssistantMessage; parts: StreamPart[] }> {
  now = { recording, framing };
  const wire = wires.get(recording.wire) as Wire;
  const provider = recording.header["vendor"] as string;
  const target = { provider, model: "recorded", wire: wire.id, baseUrl: base, apiKey: "k", reasoning: true };
  const model = createHttpModel(wire, target, {
    fetch,
    clock: systemClock,
    timeouts: { firstEventMs: 10_000, idleMs: 10_000 },
  });
  const assembler = createAssembler(model);
  const parts: StreamPart[] = [];
  const request = {
    system: "",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }],
    tools: [],
    thinking: "off" as const,
  };
  for await (const group of model.stream(request, new AbortController().signal)) {
    for (const part of group) {
      parts.push(part);
      assembler.apply(part);
    }
  }
  return { message: assembler.seal(), parts };
}

const proofOf = (text: string): Proof => ({
  len: text.length,
  sha256: createHash("sha256").update(text).digest("hex"),
});

/** Every signature and encrypted text that the message keeps, wherever its wire keeps it. */
function proofsIn(message: AssistantMessage): Proof[] {
  const found: Proof[] = [];
  const look = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      if (/^(signature|thoughtSignature|encrypted_content|data)$/.test(key) && value !== "") found.push(proofOf(value));
    } else if (Array.isArray(value)) for (const item of value) look(item, key);
    else if (value !== null && typeof value === "object")
      for (const [name, item] of Object.entries(value)) look(item, name);
  };
  look(message.content, "");
  return found;
}

/** The wire's own counts in our terms, by the vendors' documentation; written apart from the decoders. */
function usageOf(wire: RecordedWire, told: Record<string, unknown>): Omit<Usage, "estimated"> {
  const n = (path: string): number => {
    let value: unknown = told;
    for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
    return typeof value === "number" ? value : 0;
  };
  const of = (
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    reasoning: number,
  ): Omit<Usage, "estimated"> => ({
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  });
  switch (wire) {
    case "anthropic-messages":
      return of(
        n("input_tokens"),
        n("output_tokens"),
        n("cache_read_input_tokens"),
        n("cache_creation_input_tokens"),
        n("output_tokens_details.thinking_tokens"),
      );
    case "openai-responses": {
      const cached = n("input_tokens_details.cached_tokens");
      return of(n("input_tokens") - cached, n("output_tokens"), cached, 0, n("output_tokens_details.reasoning_tokens"));
    }
    case "gemini": {
      const cached = n("cachedContentTokenCount");
      const input = n("promptTokenCount") + n("toolUsePromptTokenCount") - cached;
      return of(input, n("candidatesTokenCount") + n("thoughtsTokenCount"), cached, 0, n("thoughtsTokenCount"));
    }
    case "openai-chat": {
      const cached = n("prompt_tokens_details.cached_tokens") || n("prompt_cache_hit_tokens");
      const reasoning = n("completion_tokens_details.reasoning_tokens");
      const onTop = reasoning > 0 && n("total_tokens") === n("prompt_tokens") + n("completion_tokens") + reasoning;
      const written = n("prompt_tokens_details.cache_write_tokens");
      return of(
        n("prompt_tokens") - cached - written,
        n("completion_tokens") + (onTop ? reasoning : 0),
        cached,
        written,
        reasoning,
      );
    }
  }
}

const CLIENT_CALLS = new Set(["tool_use", "function", "function_call", "functionCall"]);

function checkWhole(expected: Expected, message: AssistantMessage, parts: readonly StreamPart[]): void {
  const join = (type: "text" | "thinking"): string =>
    message.content
      .map((block) =>
        block.type === type ? (block.type === "text" ? block.text : (block as { thinking: string }).thinking) : "",
      )
      .join("");
  expect(join("text")).toBe(expected.text);
  expect(join("thinking")).toBe(expected.thinking);

  const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
  const wanted = expected.tool_calls.filter((call) => CLIENT_CALLS.has(call.kind));
  expect(calls.map(({ name, arguments: args }) => ({ name, args }))).toEqual(
    wanted.map(({ name, arguments: args }) => ({ name, args: args ?? {} })),
  );
  for (const [i, call] of wanted.entries()) if (call.id !== null) expect(calls[i]?.id).toBe(call.id);

  const proofs = proofsIn(message);
  const opaque = (expected.reasoning_details_opaque ?? [])
    .flatMap((detail) => [detail.signature, detail.data])
    .filter((proof) => proof !== undefined);
  for (const proof of [...(expected.signatures ?? []), ...(expected.encrypted_reasoning ?? []), ...opaque]) {
    expect(proofs).toContainEqual(proof);
  }
  const kept = message.content.filter((block) => block.type === "opaque").length;
  const server =
    expected.tool_calls.filter((call) => !CLIENT_CALLS.has(call.kind)).length + (expected.other_blocks?.length ?? 0);
  expect(kept).toBeGreaterThanOrEqual(server);

  const last = parts.at(-1);
  if (expected.error !== null && expected.error !== undefined) {
    expect(last?.type).toBe("error");
    return;
  }
  expect(last).toMatchObject({ type: "finish" });
  if (last?.type !== "finish") return;
  if (expected.wire !== "openai-responses") expect(last.rawReason).toBe(expected.stop_reason);
  if (expected.usage) expect(last.usage).toEqual(usageOf(expected.wire, expected.usage));
}

const KINDS: readonly [RegExp, ModelError["code"]][] = [
  [/-http-401$|^xai-http-400$|^google-http-400$/, "auth"],
  [/-http-429$/, "rate-limit"],
  [/^(anthropic|deepseek)-http-400$/, "context-overflow"],
  [/^openai-gpt-5-nano-error-mid-stream$/, "billing"],
];

describe.skipIf(RECORDINGS.length === 0)("recordings of real providers, over HTTP through the shipped path", () => {
  it("are all 81 of the four wires", () => expect(RECORDINGS).toHaveLength(81));

  describe.each(FRAMINGS)("%s", (framing) => {
    it.each(RECORDINGS.map((recording) => [recording.id, recording] as const))("%s", async (id, recording) => {
      const { message, parts } = await replay(recording, framing);
      const last = parts.at(-1);
      const kind = KINDS.find(([pattern]) => pattern.test(id))?.[1];
      if (kind !== undefined) expect(last).toMatchObject({ type: "error", error: { code: kind } });
      if (recording.header.status !== 200) {
        expect(last).toMatchObject({ type: "error", error: { status: recording.header.status } });
        return;
      }
      checkWhole(recording.expected, message, parts);
    });
  });
});
