import { afterEach, describe, expect, it } from "vitest";
import type { StreamPart } from "../../src/agent/ports.js";
import { wire as anthropic } from "../../src/models/anthropic-messages/index.js";
import { createHttpModel } from "../../src/models/http.js";
import { wire as responses } from "../../src/models/openai-responses/index.js";
import type { Wire } from "../../src/models/wire.js";
import { FakeClock, settle } from "../support/fake-clock.js";
import type { Answering } from "./http-answers.js";
import { answering, ask, ends, event, modelAt, PATIENT, say, stream, textIn } from "./http-answers.js";

let server: Answering | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model on a clock that moves only when told, and the writing end of its answer. */
function staged(timeouts = { firstEventMs: 60_000, idleMs: 30_000 }, wire?: Wire) {
  const clock = new FakeClock();
  const utf8 = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let socket: AbortSignal | null | undefined;
  let cancelled = false;
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    socket = init?.signal;
    const body = new ReadableStream<Uint8Array>({
      start: (own) => {
        controller = own;
      },
      cancel: () => {
        cancelled = true;
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const parts: StreamPart[] = [];
  const deps = { fetch, clock, timeouts };
  const model = wire
    ? createHttpModel(wire, { provider: "vendor", model: "m", wire: wire.id, baseUrl: "http://127.0.0.1:9/v1" }, deps)
    : modelAt("http://127.0.0.1:9/v1", deps);
  const ended = ask(model, undefined, (group) => void parts.push(...group));
  return {
    clock,
    parts,
    ended,
    write: async (text: string): Promise<void> => {
      await settle();
      controller?.enqueue(utf8.encode(text));
      await settle();
    },
    end: () => controller?.close(),
    closed: () => cancelled || socket?.aborted === true,
  };
}

const KEEP_ALIVE = ": keep-alive\n\n";

describe("a stall", () => {
  it("before the first part ends the wait, whatever keep-alives come", async () => {
    const { clock, parts, write, closed, ended } = staged();
    for (let at = 0; at < 5; at++) {
      await write(KEEP_ALIVE);
      await clock.advance(11_999);
    }
    expect(parts).toEqual([]);
    await clock.advance(5);
    await ended;
    expect(parts).toMatchObject([{ type: "error", error: { code: "stalled", retryable: true } }]);
    expect(parts[0]?.type === "error" && parts[0].error.message).toContain("did not begin to answer within 60 s");
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it("in the middle ends it: comments, pings and empty chunks are no progress", async () => {
    const { clock, parts, write, closed, ended } = staged();
    await write(say("a"));
    const nothing = event({ id: "c1", choices: [{ index: 0, delta: { content: "" } }] });
    for (const idle of [KEEP_ALIVE, nothing, "data:\n\n", 'event: ping\ndata: {"type":"ping"}\n\n']) {
      await clock.advance(7_499);
      await write(idle);
    }
    expect(parts.some(({ type }) => type === "error")).toBe(false);
    await clock.advance(5);
    await ended;
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it("is none while parts come, however long the whole answer takes", async () => {
    const { clock, parts, write, end, ended } = staged();
    for (let at = 0; at < 20; at++) {
      await write(say("a"));
      await clock.advance(29_000);
    }
    await write(ends());
    end();
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
    expect(textIn(parts)).toBe("a".repeat(20));
  });

  it("is none while the reader takes its time", async () => {
    const clock = new FakeClock();
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response(say("a") + ends(), { headers: { "content-type": "text/event-stream" } }));
    const model = modelAt("http://127.0.0.1:9/v1", { fetch, clock, timeouts: { firstEventMs: 1000, idleMs: 1000 } });
    const parts = await ask(model, undefined, () => clock.advance(60_000));
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });

  it("of a server that accepts and says nothing", async () => {
    server = await answering(() => undefined);
    const parts = await ask(modelAt(server.url, { timeouts: { firstEventMs: 40, idleMs: 40 } }));
    expect(parts).toMatchObject([{ type: "error", error: { code: "stalled" } }]);
    await server.closed[0];
  });

  it("of a server that only keeps the connection alive", async () => {
    server = await answering((response) => {
      stream(response).write(say("a"));
      const timer = setInterval(() => response.write(KEEP_ALIVE), 5);
      response.once("close", () => clearInterval(timer));
    });
    const parts = await ask(modelAt(server.url, { timeouts: { firstEventMs: PATIENT.firstEventMs, idleMs: 60 } }));
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
    await server.closed[0];
  });
});

describe("a finished answer whose connection stays open", () => {
  it("is told at once, and the socket is closed soon", async () => {
    const { clock, parts, write, closed, ended } = staged();
    await write(`${say("a")}${ends()}data: [DONE]\n\n`);
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
    expect(closed()).toBe(false);
    await clock.advance(1000);
    expect(closed()).toBe(true);
    expect(clock.waiting).toBe(0);
  });
});

describe("an answer that is whole, from a server that neither says so nor closes", () => {
  it("ends well soon, with the usage that still came", async () => {
    const { clock, parts, write, ended } = staged();
    await write(say("a") + ends());
    await clock.advance(1_900);
    await write(event({ id: "c1", choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }));
    await clock.advance(1_900);
    expect(parts.some(({ type }) => type === "finish")).toBe(false);
    await clock.advance(200);
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "stop", usage: { input: 5, output: 7 } });
    await clock.advance(1_000);
    expect(clock.waiting).toBe(0);
  });

  it("an answer without a reason does not", async () => {
    const { clock, parts, write, ended } = staged();
    await write(say("a"));
    await clock.advance(30_001);
    await ended;
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
  });
});

describe("a server's own tool at work", () => {
  const decoders = [
    [
      "anthropic-messages",
      anthropic,
      [
        { type: "message_start", message: { id: "m", usage: {} } },
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "server_tool_use", id: "s", name: "web_search" },
        },
      ],
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{" } },
      { type: "ping" },
    ],
    [
      "openai-responses",
      responses,
      [
        { type: "response.created", response: { id: "r" } },
        { type: "response.output_item.added", output_index: 0, item: { type: "web_search_call", id: "w" } },
      ],
      { type: "response.web_search_call.searching", output_index: 0, item_id: "w" },
      { type: "keepalive" },
    ],
  ] as const;

  it.each(decoders)(
    "is no stall on %s while it tells of itself; pings are no work",
    async (_id, wire, begin, work, ping) => {
      const { clock, parts, write, ended } = staged({ firstEventMs: 60_000, idleMs: 30_000 }, wire);
      for (const each of begin) await write(event(each));
      for (let at = 0; at < 4; at++) {
        await clock.advance(20_000);
        await write(event(work));
      }
      expect(parts.some(({ type }) => type === "error")).toBe(false);
      await clock.advance(20_000);
      await write(event(ping));
      await clock.advance(10_001);
      await ended;
      expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "stalled" } });
    },
  );
});
