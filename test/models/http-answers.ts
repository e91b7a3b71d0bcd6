/** A server whose answers a test writes by hand, and a model that asks it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { userText } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import { createHttpModel, type HttpDeps } from "../../src/models/http.js";
import { wire } from "../../src/models/openai-chat/index.js";
import type { ModelTarget } from "../../src/models/wire.js";
import { systemClock } from "../../src/platform/clock.js";
import { PATIENCE_MS } from "../support/wait.js";

export const KEY = "sk-secret-0123456789";
export const PATIENT = { firstEventMs: PATIENCE_MS, idleMs: PATIENCE_MS };

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface Answering {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  /** One for each request, in order: resolves when its connection is closed. */
  closed: Promise<void>[];
  close(): Promise<void>;
}

export async function answering(answer: Answer): Promise<Answering> {
  const requests: Answering["requests"] = [];
  const closed: Promise<void>[] = [];
  const server = createServer((request, response) => {
    closed.push(new Promise((resolve) => request.socket.once("close", () => resolve())));
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    closed,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const event = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`;
export const say = (content: string): string => event({ id: "c1", choices: [{ index: 0, delta: { content } }] });
export const ends = (): string => event({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
export const DONE = "data: [DONE]\n\n";

export function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

export function modelAt(baseUrl: string, deps: Partial<HttpDeps> = {}, more: Partial<ModelTarget> = {}) {
  const target: ModelTarget = { provider: "vendor", model: "m", wire: wire.id, baseUrl, apiKey: KEY, ...more };
  return createHttpModel(wire, target, { fetch: globalThis.fetch, clock: systemClock, timeouts: PATIENT, ...deps });
}

const REQUEST = { system: "", messages: [userText("hi")], tools: [], thinking: "off" } as const;

/** @param onGroup sees each group as it comes */
export async function ask(
  model: ReturnType<typeof modelAt>,
  signal: AbortSignal = new AbortController().signal,
  onGroup: (group: readonly StreamPart[]) => void | Promise<void> = () => undefined,
): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const group of model.stream(REQUEST, signal)) {
    parts.push(...group);
    await onGroup(group);
  }
  return parts;
}

export const textIn = (parts: readonly StreamPart[]): string =>
  parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");
