import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelError } from "../../src/agent/errors.js";
import { FakeClock } from "../support/fake-clock.js";
import type { Answer, Answering } from "./http-answers.js";
import { answering, ask, DONE, ends, event, KEY, modelAt, say, stream, textIn } from "./http-answers.js";

let server: Answering | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function partsOf(answer: Answer) {
  server = await answering(answer);
  return ask(modelAt(server.url));
}
async function errorOf(answer: Answer): Promise<ModelError> {
  const parts = await partsOf(answer);
  const last = parts.at(-1);
  if (last?.type !== "error") throw new Error(`ended with ${JSON.stringify(last)}`);
  expect(parts.filter(({ type }) => type === "error" || type === "finish")).toHaveLength(1);
  return last.error;
}
const failing =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

describe("an HTTP error", () => {
  const slow = JSON.stringify({ error: { message: "Too many requests", code: "rate_limit_exceeded" } });

  it.each([
    ["seconds", { "retry-after": "7" }, slow, 7000],
    ["parts of a second", { "retry-after": "0.25" }, slow, 250],
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, slow, 1500],
    [
      "a date, by the server's own clock",
      { date: "Mon, 01 Jun 2026 00:00:00 GMT", "retry-after": "Mon, 01 Jun 2026 00:00:30 GMT" },
      slow,
      30_000,
    ],
    ["nonsense", { "retry-after": "soon" }, slow, undefined],
    ["nothing", {}, slow, undefined],
    ["its words", {}, JSON.stringify({ error: { message: "Rate limit. Please try again in 1m2.5s." } }), 62_500],
  ])("asks to wait by %s", async (_name, headers, body, wanted) => {
    const error = await errorOf(failing(429, body, headers as Record<string, string>));
    expect(error).toMatchObject({ code: "rate-limit", status: 429, retryable: true });
    expect(error.retryAfterMs).toBe(wanted);
  });

  it("counts a date from our clock where the server tells no date", async () => {
    server = await answering((response) => {
      response.sendDate = false;
      failing(429, slow, { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" })(response, response.req);
    });
    const [part] = await ask(modelAt(server.url, { clock: new FakeClock() }));
    expect(part).toMatchObject({ type: "error", error: { retryAfterMs: 5000 } });
  });

  it.each([
    [400, '{"error":{"message":"maximum context length is 10 tokens"}}', "context-overflow"],
    [401, '{"detail":"Invalid"}', "auth"],
    [402, "{}", "billing"],
    [404, '{"error":{"message":"model x not found"}}', "not-found"],
    [500, "", "overloaded"],
    [503, "<html><title>503 Busy</title></html>", "overloaded"],
    [400, "plain words", "bad-request"],
  ])("%i %s is %s", async (status, body, code) => {
    const error = await errorOf(failing(status, body, { "x-request-id": "req_1" }));
    expect(error).toMatchObject({ code, status, requestId: "req_1" });
    expect(error.message).toContain(`(${status})`);
  });

  it("of a page says the page's title, not its markup", async () => {
    const page = "<html><head><title>Gateway Timeout</title></head><body><p>nginx</p></body></html>";
    const error = await errorOf(failing(504, page, { "content-type": "text/html" }));
    expect(error.message).toContain("Gateway Timeout");
    expect(error.message).not.toContain("<");
  });

  it("with a body without end is read no further than it must be", async () => {
    const error = await errorOf((response) => {
      response.writeHead(500);
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(50_000), () => setImmediate(more));
      };
      more();
    });
    expect(error).toMatchObject({ code: "overloaded", status: 500 });
    await server?.closed[0];
  });
});

describe("200, but no stream", () => {
  it("an HTML page is no API", async () => {
    const page = "<!doctype html><html><head><title>Log in</title></head></html>";
    for (const type of ["text/html; charset=utf-8", "text/plain"]) {
      const error = await errorOf(failing(200, page, { "content-type": type }));
      expect(error).toMatchObject({ code: "not-an-api", retryable: false });
      expect(error.message).toContain("Log in");
      await server?.close();
    }
  });

  it("an empty body is an incomplete answer", async () => {
    expect(await errorOf((response) => void stream(response).end())).toMatchObject({ code: "incomplete" });
    expect(await errorOf((response) => void response.writeHead(200).end())).toMatchObject({ code: "incomplete" });
  });

  it("a bare JSON error is that error, with the status that it names", async () => {
    const error = await errorOf(failing(200, '{"error":{"message":"overloaded","code":503}}'));
    expect(error).toMatchObject({ code: "overloaded", status: 503 });
  });

  it("other JSON is no API", async () => {
    expect(await errorOf(failing(200, '{"hello":"world"}'))).toMatchObject({ code: "not-an-api" });
  });
});

describe("a stream that ends otherwise than it should", () => {
  it("cut in order is incomplete, and what came is told first", async () => {
    const parts = await partsOf((response) => void stream(response).end(say("a")));
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "incomplete" } });
  });

  it("reset is a network error that may heal", async () => {
    const error = await errorOf((response) => {
      stream(response).write(`${say("a")}data: {`, () => setImmediate(() => response.socket?.destroy()));
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(error.message).toContain("broke during the answer");
  });

  it("nothing after the terminal event counts", async () => {
    const late = event({ error: { message: "late", code: 500 } });
    const parts = await partsOf((response) => void stream(response).end(say("a") + ends() + DONE + late + say("b")));
    expect(textIn(parts)).toBe("a");
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });

  it("a last event without a blank line counts", async () => {
    const parts = await partsOf((response) => void stream(response).end(say("a") + ends().trimEnd()));
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });
});

describe("the connection", () => {
  it("refused says so, with the address and what to do", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const [part] = await ask(modelAt(`http://127.0.0.1:${port}/v1`));
    expect(part).toMatchObject({ type: "error", error: { code: "network", retryable: true } });
    const sentence = part?.type === "error" ? part.error.message : "";
    expect(sentence).toMatch(
      /^Nothing answers at http:\/\/127\.0\.0\.1:\d+\/v1 \(.*ECONNREFUSED.*\); start the server/,
    );
  });

  it("a redirect is told and never followed", async () => {
    const other = await answering((response) => void response.writeHead(200).end());
    const error = await errorOf(failing(307, "", { location: `${other.url}/chat/completions?k=${KEY}` }));
    await other.close();
    expect(error).toMatchObject({ code: "not-an-api", status: 307 });
    expect(error.message).toContain(other.url);
    expect(error.message).not.toContain(KEY);
    expect(other.requests).toEqual([]);
  });
});

describe("the key", () => {
  it("goes in its header and stands in no error, even where the server echoes it", async () => {
    const echoes: Answer[] = [
      failing(401, JSON.stringify({ error: { message: `Incorrect key ${KEY}` } })),
      failing(401, `no: ${KEY}`),
      failing(200, `<html><title>${KEY}</title></html>`),
      (response) => void stream(response).end(say("a") + event({ error: { message: KEY, code: 401 } })),
    ];
    for (const echo of echoes) {
      const error = await errorOf(echo);
      expect(server?.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(JSON.stringify([error.message, error.raw, error.requestId])).not.toContain(KEY);
      await server?.close();
    }
  });

  it("that is no header value is not quoted by the error", async () => {
    const [part] = await ask(modelAt("http://127.0.0.1:9/v1", {}, { apiKey: `${KEY}\n${KEY}` }));
    if (part?.type !== "error") throw new Error("no error");
    expect(JSON.stringify([part.error.message, part.error.raw])).not.toContain(KEY);
  });
});
