/** Recorded answers of providers, put back on a real socket as they were. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

interface Comment {
  before: number;
  text: string;
}

export interface Recording {
  id: string;
  wire: "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini";
  status: number;
  contentType: string;
  /** One piece per event, framed. */
  pieces: string[];
}

interface Header {
  id: string;
  wire: Recording["wire"];
  status: number;
  content_type: string;
  comments?: Comment[];
  sse_fields?: Comment[];
}

interface Line {
  event: string | null;
  data: string;
  raw?: boolean;
}

const shared = process.env["TTSR_SHARED"] ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const folder = `${shared}/streams`;
const WIRES = ["anthropic-messages", "openai-responses", "openai-chat", "gemini"] as const;

/** Where there are no recordings, the reason for skipping; else undefined. */
export const missing = existsSync(`${folder}/expected.json`)
  ? undefined
  : `no recordings in ${folder}; set TTSR_SHARED to the folder that holds "streams"`;

export const readExpected = (): Record<string, unknown> =>
  JSON.parse(readFileSync(`${folder}/expected.json`, "utf8")) as Record<string, unknown>;

export function readRecordings(): Recording[] {
  return WIRES.flatMap((wire) =>
    readdirSync(`${folder}/${wire}`)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => parse(readFileSync(`${folder}/${wire}/${name}`, "utf8"))),
  );
}

function parse(text: string): Recording {
  const [head, ...lines] = text.split("\n").filter((line) => line !== "");
  const header = JSON.parse(head ?? "") as Header;
  const before = (at: number): string =>
    [
      ...(header.comments ?? []).filter((comment) => comment.before === at).map((comment) => `: ${comment.text}\n\n`),
      ...(header.sse_fields ?? []).filter((field) => field.before === at).map((field) => `${field.text}\n`),
    ].join("");
  const pieces = lines.map((line, at) => before(at) + framed(JSON.parse(line) as Line));
  const after = before(lines.length);
  return {
    id: header.id,
    wire: header.wire,
    status: header.status,
    contentType: header.content_type,
    pieces: after === "" ? pieces : [...pieces, after],
  };
}

function framed({ event, data, raw }: Line): string {
  if (raw) return data;
  const name = event === null ? "" : `event: ${event}\n`;
  return `${name}${data
    .split("\n")
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}

export const FRAMINGS = ["event per write", "byte per write", "one burst"] as const;
export type Framing = (typeof FRAMINGS)[number];

async function write(response: ServerResponse, recording: Recording, framing: Framing): Promise<void> {
  response.writeHead(recording.status, { "content-type": recording.contentType });
  const whole = Buffer.from(recording.pieces.join(""));
  if (framing === "one burst") {
    response.write(whole);
  } else if (framing === "byte per write") {
    // Without waiting: the kernel and the client join many of them again, so `byteByByte` splits them once more.
    for (let at = 0; at < whole.length; at++) response.write(whole.subarray(at, at + 1));
  } else {
    for (const piece of recording.pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  response.end();
}

export interface Replayer {
  port: number;
  /** What the next request is answered with. */
  serve(recording: Recording, framing: Framing): void;
  close(): Promise<void>;
}

/** @returns a server on 127.0.0.1 that answers every request with what was set last */
export async function createReplayer(): Promise<Replayer> {
  let next: { recording: Recording; framing: Framing } | undefined;
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (!next) response.writeHead(500).end();
      else void write(response, next.recording, next.framing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    serve: (recording, framing) => {
      next = { recording, framing };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A `fetch` whose answers are read one byte at a time. */
export const byteByByte: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  const source = response.body?.getReader();
  if (!source) return response;
  let bytes = new Uint8Array(0);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at === bytes.length) {
          const chunk = await source.read();
          if (chunk.done) return controller.close();
          bytes = chunk.value;
          at = 0;
        }
        controller.enqueue(bytes.subarray(at, ++at));
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};
