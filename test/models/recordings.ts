/** Recorded streams of real providers, where this machine has them: `TTSR_SHARED`, else `../shared` beside the project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { WireId } from "../../src/agent/messages.js";

const ROOT = process.env["TTSR_SHARED"] ?? fileURLToPath(new URL("../../../shared", import.meta.url));

export const WIRES = [
  "anthropic-messages",
  "openai-chat",
  "openai-responses",
  "gemini",
] as const satisfies readonly WireId[];
export type RecordedWire = (typeof WIRES)[number];

export interface Proof {
  len: number;
  sha256: string;
}

export interface Expected {
  wire: RecordedWire;
  status: number;
  text: string;
  thinking: string;
  tool_calls: {
    kind: string;
    id: string | null;
    name: string;
    arguments: unknown;
    arguments_valid: boolean;
    complete?: boolean;
  }[];
  stop_reason: string | null;
  usage: Record<string, unknown> | null;
  error: unknown;
  complete: boolean;
  signatures?: Proof[];
  encrypted_reasoning?: Proof[];
  reasoning_details_opaque?: { signature?: Proof; data?: Proof }[];
  other_blocks?: string[];
}

export interface Recording {
  id: string;
  wire: RecordedWire;
  header: {
    status: number;
    content_type: string;
    comments?: { before: number; text: string }[];
    sse_fields?: { before: number; text: string }[];
    [key: string]: unknown;
  };
  events: { event: string | null; data: string; raw?: boolean }[];
  expected: Expected;
}

/** @returns all recordings of the four wires; [] where this machine has none */
export function loadRecordings(): Recording[] {
  const streams = `${ROOT}/streams`;
  if (!existsSync(`${streams}/expected.json`)) return [];
  const expected = JSON.parse(readFileSync(`${streams}/expected.json`, "utf8")) as Record<string, Expected>;
  return WIRES.flatMap((wire) =>
    readdirSync(`${streams}/${wire}`).map((file) => {
      const id = file.replace(/\.jsonl$/, "");
      const [header, ...events] = readFileSync(`${streams}/${wire}/${file}`, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
      const known = expected[id];
      if (!known) throw new Error(`No expectation for ${id}`);
      return { id, wire, header, events, expected: known };
    }),
  );
}

/** @returns the body as it was on the wire, in pieces of one event each */
export function bodyOf({ header, events }: Recording): string[] {
  if (!/event-stream/.test(header.content_type)) return [events.map((event) => event.data).join("\n")];
  const at = (list: { before: number; text: string }[] | undefined, i: number, mark: string): string =>
    (list ?? [])
      .filter((line) => line.before === i)
      .map((line) => `${mark}${line.text}\n`)
      .join("");
  const before = (i: number): string => {
    const comments = at(header.comments, i, ": ");
    // A comment stands on its own; a field belongs to the event that follows.
    return (comments === "" ? "" : `${comments}\n`) + at(header.sse_fields, i, "");
  };
  return events.map(({ event, data, raw }, i) => {
    if (raw) return before(i) + data;
    const lines = data.split("\n").map((line) => `data: ${line}\n`);
    return `${before(i)}${event === null ? "" : `event: ${event}\n`}${lines.join("")}\n`;
  });
}
