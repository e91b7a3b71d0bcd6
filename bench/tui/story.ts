/** The reply that both ways draw, its pace, and what is counted while they do. */
import { writeFileSync } from "node:fs";

/** What the parent asks for, as JSON in `TTSR_BENCH`. */
export interface Task {
  deltas: number;
  /** Deltas a second. */
  pace: number;
  /** Messages that have been printed before. */
  before: number;
  /** Milliseconds to look at, doing nothing, before the stream. */
  idleMs: number;
  /** Where the figures go. */
  out: string;
}

export interface Figures {
  /** User and system CPU of the stream, without the producer's own. ms */
  cpu: number;
  bytes: number;
  biggestWrite: number;
  wipes: number;
  idleCpu: number;
  idleBytes: number;
  /** Retained after the first and after the second half. bytes */
  heap: [start: number, half: number, end: number];
}

const PARAGRAPH =
  "The loop drives **ports**; it knows no provider by name. A delta is looked at before it is drawn, and `abort` is one signal for all of it.\n\n";
const LIST = "- the socket is closed at once,\n- nothing of the call is run,\n- the rule is put before the model.\n\n";
const CODE = `\`\`\`ts\n${Array.from({ length: 24 }, (_, i) => `const value${i} = compute(${i}, "text"); // line ${i}`).join("\n")}\n\`\`\`\n\n`;
const PIECE = `## A heading\n\n${PARAGRAPH}${PARAGRAPH}${LIST}${CODE}${PARAGRAPH}`;

export function task(): Task {
  return JSON.parse(process.env["TTSR_BENCH"] ?? "{}");
}

/** Four characters a delta. */
export function deltasOf(count: number): string[] {
  const text = PIECE.repeat(Math.ceil((count * 4) / PIECE.length)).slice(0, count * 4);
  return Array.from({ length: count }, (_, i) => text.slice(i * 4, i * 4 + 4));
}

export const MESSAGE = "A message of an earlier turn, as long as such messages are. ".repeat(10);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts what goes to the terminal from now on. */
function count(): { bytes: number; biggest: number; wipes: number } {
  const seen = { bytes: 0, biggest: 0, wipes: 0 };
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((text: string, ...rest: []) => {
    const size = Buffer.byteLength(text);
    seen.bytes += size;
    seen.biggest = Math.max(seen.biggest, size);
    seen.wipes += text.split("\u001b[3J").length + text.split("\u001b[2J").length - 2;
    return write(text, ...rest);
  }) as typeof process.stdout.write;
  return seen;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** One delta a turn of the event loop, as they come from a socket; late ones are not put together. */
async function pour(pieces: readonly string[], pace: number, push: (piece: string) => void): Promise<void> {
  const started = performance.now();
  for (const [i, piece] of pieces.entries()) {
    const early = started + (i * 1000) / pace - performance.now();
    await (early >= 1 ? wait(early) : new Promise((resolve) => setImmediate(resolve)));
    push(piece);
  }
}

/** Waits idle, streams, and writes the figures down. */
export async function play(push: (piece: string) => void, done: () => void): Promise<void> {
  const { deltas, pace, idleMs, out } = task();
  const seen = count();
  await wait(300);
  const idle = { cpu: cpuMs(), bytes: seen.bytes };
  await wait(idleMs);
  const idleCpu = cpuMs() - idle.cpu;
  const idleBytes = seen.bytes - idle.bytes;
  const pieces = deltasOf(deltas);
  // The producer alone, at the same pace.
  const alone = cpuMs();
  await pour(pieces.slice(0, Math.min(deltas, pace)), pace, () => undefined);
  const producer = ((cpuMs() - alone) * deltas) / Math.min(deltas, pace);
  const start = heap();
  Object.assign(seen, { bytes: 0, biggest: 0, wipes: 0 });
  const before = cpuMs();
  const half = Math.floor(deltas / 2);
  await pour(pieces.slice(0, half), pace, push);
  let cpu = cpuMs() - before;
  const middle = heap();
  const again = cpuMs();
  await pour(pieces.slice(half), pace, push);
  done();
  await wait(200);
  cpu += cpuMs() - again - producer;
  const figures: Figures = {
    cpu,
    bytes: seen.bytes,
    biggestWrite: seen.biggest,
    wipes: seen.wipes,
    idleCpu,
    idleBytes,
    heap: [start, middle, heap()],
  };
  writeFileSync(out, JSON.stringify(figures));
  process.exit(0);
}
