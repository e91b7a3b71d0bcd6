/**
 * A model server for tests, on 127.0.0.1. It speaks the four wires, answers from a script and writes down what it is asked.
 *
 *     const server = await startModelServer({ script: [callTool("read", { path: "a.ts" }), say("Done.")] });
 *     … server.url("anthropic-messages") … server.requests[0].neutral() …
 *     await server.close();
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { encodeAnthropic } from "./encode-anthropic.js";
import { encodeChat } from "./encode-chat.js";
import { encodeGemini } from "./encode-gemini.js";
import { encodeResponses } from "./encode-responses.js";
import { errorBody } from "./failures.js";
import type { LoggedRequest } from "./log.js";
import { monotonicMs } from "./log.js";
import type { Encoder } from "./pieces.js";
import { readRequest } from "./read-request.js";
import type { Answer, Script, ServedWire } from "./script.js";
import { pause, sendStream } from "./send.js";

export interface ModelServerOptions {
  script: Script;
  /** 0 (default): any free port. */
  port?: number;
  /** What `GET /v1/models` lists. */
  models?: readonly string[];
}

export interface ModelServer {
  readonly port: number;
  /** In order of arrival. Only model requests, not the list of models. */
  readonly requests: readonly LoggedRequest[];
  /** How often the list of models was asked for. */
  readonly modelLists: number;
  /** The base URL of a wire, with its version segment and no slash at the end. */
  url(wire: ServedWire): string;
  /** @returns the request with that index, as soon as it has arrived */
  request(index: number): Promise<LoggedRequest>;
  /** Ends all connections, also those of stalled answers. */
  close(): Promise<void>;
}

const ROUTES: readonly [RegExp, ServedWire, Encoder][] = [
  [/^\/v1\/messages$/, "anthropic-messages", encodeAnthropic],
  [/^\/v1\/chat\/completions$/, "openai-chat", encodeChat],
  [/^\/v1\/responses$/, "openai-responses", encodeResponses],
  [/^\/v1beta\/models\/[^/:]+:streamGenerateContent$/, "gemini", encodeGemini],
];

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function modelOf(path: string, body: Record<string, unknown>): string {
  const fromPath = /\/models\/([^/:]+):/.exec(path)?.[1];
  return fromPath ? decodeURIComponent(fromPath) : typeof body["model"] === "string" ? body["model"] : "";
}

function createEntry(
  index: number,
  wire: ServedWire,
  request: IncomingMessage,
  raw: string,
  body: Record<string, unknown>,
  response: ServerResponse,
  isClosing: () => boolean,
): LoggedRequest {
  const path = request.url ?? "";
  let settle: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const entry: LoggedRequest = {
    index,
    wire,
    path,
    headers: request.headers,
    raw,
    body,
    model: modelOf(path, body),
    arrivedAt: monotonicMs(),
    neutral: () => readRequest(wire, body),
    eventsWritten: 0,
    eventTimes: [],
    firstEventAt: undefined,
    closedEarly: false,
    cutByServer: false,
    closedAt: undefined,
    done,
  };
  response.on("close", () => {
    entry.closedAt = monotonicMs();
    entry.closedEarly = !response.writableFinished && !entry.cutByServer && !isClosing();
    settle();
  });
  return entry;
}

/** @returns why the request is refused, or undefined */
function wrongWith(wire: ServedWire, url: URL, body: Record<string, unknown>): string | undefined {
  if (wire === "gemini")
    return url.searchParams.get("alt") === "sse" ? undefined : "this server only answers with alt=sse";
  return body["stream"] === true ? undefined : "this server only streams";
}

/** Starts the server. @returns when it listens */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { script, models = ["test-model"] } = options;
  const requests: LoggedRequest[] = [];
  const waiting: { index: number; resolve: (entry: LoggedRequest) => void }[] = [];
  const sockets = new Set<Socket>();
  let modelLists = 0;
  let calls = 0;
  let closing = false;

  async function nextAnswer(entry: LoggedRequest): Promise<Answer> {
    const answer = typeof script === "function" ? await script(entry, entry.index) : script[entry.index];
    const missing = errorBody(entry.wire, 400, `the script has no answer for request ${entry.index + 1}`);
    return answer ?? { status: 400, body: missing };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method === "GET" && url.pathname === "/v1/models") {
      modelLists++;
      sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
      return;
    }
    const route = request.method === "POST" ? ROUTES.find(([path]) => path.test(url.pathname)) : undefined;
    if (!route) {
      sendJson(response, 404, { error: { message: `no such path: ${request.method} ${url.pathname}` } });
      return;
    }
    const [, wire, encode] = route;
    const raw = await readBody(request);
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(raw) as Record<string, unknown>;
    } catch {
      sendJson(response, 400, errorBody(wire, 400, "the body is not JSON"));
      return;
    }
    const wrong = wrongWith(wire, url, body);
    if (wrong) {
      sendJson(response, 400, errorBody(wire, 400, wrong));
      return;
    }

    const entry = createEntry(requests.length, wire, request, raw, body, response, () => closing);
    requests.push(entry);
    for (const one of waiting.filter(({ index }) => index === entry.index)) one.resolve(entry);

    const answer = await nextAnswer(entry);
    if (answer.delayMs) await pause(response, answer.delayMs);
    if (response.destroyed) return;
    if (answer.status !== undefined) {
      const retry: Record<string, string> =
        answer.retryAfter === undefined ? {} : { "retry-after": String(answer.retryAfter) };
      const failure = answer.body ?? errorBody(wire, answer.status);
      sendJson(response, answer.status, failure, { "request-id": "req_1", ...retry, ...answer.headers });
      return;
    }
    const context = { model: entry.model, serial: entry.index + 1, nextCallId: () => `call_${++calls}` };
    await sendStream(response, encode(answer, context), answer, entry);
  }

  const http: Server = createServer((request, response) => {
    response.socket?.setNoDelay(true);
    serve(request, response).catch((error: unknown) => {
      // A script that throws is a broken test: the client must not wait for it.
      process.stderr.write(`test server: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  http.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;

  return {
    port,
    requests,
    get modelLists() {
      return modelLists;
    },
    url: (wire) => `http://127.0.0.1:${port}/${wire === "gemini" ? "v1beta" : "v1"}`,
    request(index) {
      const there = requests[index];
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.push({ index, resolve }));
    },
    close() {
      closing = true;
      return new Promise((resolve) => {
        http.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}
