/** Drives a decoder without any transport. */
import { readFileSync } from "node:fs";
import { createAssembler } from "../../src/agent/assemble.js";
import type { AssistantMessage } from "../../src/agent/messages.js";
import type { StreamPart } from "../../src/agent/ports.js";
import type { ModelTarget, Wire, WireEvent } from "../../src/models/wire.js";

export interface Driven {
  parts: StreamPart[];
  message: AssistantMessage;
  /** The `finish` or `error` part. */
  last: StreamPart;
}

export function targetOf(wire: Wire, more: Partial<ModelTarget> = {}): ModelTarget {
  return { provider: "vendor", model: "model-1", wire: wire.id, baseUrl: "http://127.0.0.1:9/v1", ...more };
}

/** Pushes the events and the end of the connection, and holds the decoder to the promises of every wire. */
export function drive(wire: Wire, events: readonly WireEvent[], unframed = "", target = targetOf(wire)): Driven {
  const decoder = wire.createDecoder(target);
  const parts = events.flatMap((event) => decoder.push(event));
  parts.push(...decoder.end(unframed));
  const last = parts.at(-1);
  if (last?.type !== "finish" && last?.type !== "error") throw new Error(`ends with ${JSON.stringify(last)}`);
  const ends = parts.filter(({ type }) => type === "finish" || type === "error").length;
  if (ends !== 1) throw new Error(`${ends} ends`);
  const assembler = createAssembler(target);
  for (const part of parts) assembler.apply(part);
  return { parts, message: assembler.seal(), last };
}

/** @returns events from plain objects, named by their `type` as the Responses API does */
export function events(...payloads: object[]): WireEvent[] {
  return payloads.map((payload) => ({
    event: "type" in payload ? String(payload.type) : undefined,
    data: JSON.stringify(payload),
  }));
}

/** @returns the events of `test/fixtures/streams/<name>.jsonl`: one payload a line */
export function fixture(name: string): WireEvent[] {
  const text = readFileSync(new URL(`../fixtures/streams/${name}.jsonl`, import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return events(...lines.map((line) => JSON.parse(line) as object));
}

/** @returns the joined argument deltas of the call at `index` */
export function argsText(parts: readonly StreamPart[], index: number): string {
  return parts.map((part) => (part.type === "args_delta" && part.index === index ? part.text : "")).join("");
}
