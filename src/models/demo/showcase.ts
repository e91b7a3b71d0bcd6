/** The scripted model: streams its scenes as a real model streams its answers, and stops as one stops. */
import type { Usage } from "../../agent/messages.js";
import type { Clock, ModelRequest, ModelStream, StreamPart } from "../../agent/ports.js";
import { DEMO_MODEL, DEMO_PROVIDER } from "../providers.js";
import { nextScene } from "./scene.js";
import { STEPS, type Step } from "./steps.js";

export interface Showcase extends ModelStream {
  /** The rest of the answer that is being streamed comes without a wait. */
  skip(): void;
}

/** Milliseconds at pace 1: before the first delta, before each block, and between two deltas. The whole demo takes about 20 s. */
const FIRST_MS = 700;
const BLOCK_MS = 350;
const DELTA_MS = 24;

/** Characters of the deltas, over and over: uneven, as a tokeniser cuts. */
const SIZES = [4, 6, 3, 5, 7, 2] as const;

/** A token is about four characters; good enough for a model that costs nothing. */
const CHARACTERS_PER_TOKEN = 4;

function pieces(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const size = SIZES[found.length % SIZES.length] ?? 4;
    found.push(text.slice(at, at + size));
    at += size;
  }
  return found;
}

/** Waits that end early when the signal aborts or somebody skips. */
class Pacer {
  #skipped = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly pace: number,
    private readonly signal: AbortSignal,
  ) {}

  skip(): void {
    this.#skipped = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    const due = ms * this.pace;
    if (due <= 0 || this.#skipped || this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        cancelTimer();
        this.signal.removeEventListener("abort", over);
        this.#wake = undefined;
        resolve();
      };
      const cancelTimer = this.clock.after(due, over);
      this.signal.addEventListener("abort", over);
      this.#wake = over;
    });
  }
}

/** The parts of one block, and where a delta begins that a reader should see come. */
function* blockParts(step: Step, index: number, callId: string): Generator<StreamPart, void, undefined> {
  switch (step.type) {
    case "thinking":
      yield { type: "thinking_start", index };
      for (const text of pieces(step.thinking)) yield { type: "thinking_delta", index, text };
      break;
    case "text":
      yield { type: "text_start", index };
      for (const text of pieces(step.text)) yield { type: "text_delta", index, text };
      break;
    case "call":
      yield { type: "call_start", index, id: callId, name: step.name };
      for (const text of pieces(JSON.stringify(step.args))) yield { type: "args_delta", index, text };
      break;
  }
  yield { type: "block_end", index };
}

function isDelta(part: StreamPart): boolean {
  return part.type === "text_delta" || part.type === "thinking_delta" || part.type === "args_delta";
}

function usageOf(request: ModelRequest, steps: readonly Step[]): Usage {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);
  const input = tokens([request.system, request.messages, request.tools]);
  return { input, output: tokens(steps), cacheRead: 0, cacheWrite: 0, estimated: true };
}

async function* play(
  request: ModelRequest,
  pacer: Pacer,
  signal: AbortSignal,
): AsyncGenerator<StreamPart[], void, undefined> {
  const steps: readonly Step[] = STEPS[nextScene(request.messages)];
  await pacer.wait(FIRST_MS);
  if (signal.aborted) return;
  yield [{ type: "start", model: DEMO_MODEL }];
  for (const [index, step] of steps.entries()) {
    // Unique in a conversation: an answer has one call at most, and it never has more messages than when it is asked.
    const callId = `demo_${request.messages.length}_${index}`;
    if (index > 0) await pacer.wait(BLOCK_MS);
    for (const part of blockParts(step, index, callId)) {
      if (isDelta(part)) await pacer.wait(DELTA_MS);
      if (signal.aborted) return;
      yield [part];
      if (signal.aborted) return;
    }
  }
  if (signal.aborted) return;
  const usage = usageOf(request, steps);
  const reason = steps.some((step) => step.type === "call") ? "toolUse" : "stop";
  yield [{ type: "finish", reason, rawReason: "scripted", usage }];
}

/**
 * @param deps `pace`: 1 as fast as a real model, 0 without any wait
 * @returns a model that plays the demo on whatever loop asks it, and says of itself that it is a script
 */
export function createShowcase(deps: { clock: Clock; pace: number }): Showcase {
  let current: Pacer | undefined;
  return {
    provider: DEMO_PROVIDER,
    model: DEMO_MODEL,
    wire: "scripted",
    contextWindow: undefined,
    stream(request, signal) {
      current = new Pacer(deps.clock, deps.pace, signal);
      return play(request, current, signal);
    },
    skip: () => current?.skip(),
  };
}
