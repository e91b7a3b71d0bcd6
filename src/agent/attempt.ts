/** One request to the model, from the first byte sent to the last part handled. */
import { createAssembler, estimateUsage } from "./assemble.js";
import { leakFact, ModelError } from "./errors.js";
import type { AgentEvent } from "./events.js";
import type { AssistantMessage, Usage } from "./messages.js";
import type { Leak, ModelRequest, ModelStream, StreamGuard, StreamPart } from "./ports.js";

export interface AttemptPorts {
  model: ModelStream;
  guard: StreamGuard;
  signal: AbortSignal;
  attempt: number;
  /** Whether a leak of the chat template ends the attempt as a fault; else the answer is taken as it is. */
  leakEnds: boolean;
  emit(event: AgentEvent): void;
}

export interface AttemptResult {
  /** Sealed. `stopReason` "aborted" when the run was, "error" with `error`. */
  message: AssistantMessage;
  error?: ModelError;
  /** The server paused the turn and wants the same conversation again. */
  pause: boolean;
  /** Whether anything was shown of it. */
  shown: boolean;
  /** The first one of an answer that was taken in spite of it. */
  leak?: Leak;
}

/**
 * Streams one answer. Every delta passes the guard before its event is emitted; from the moment of a `cut` verdict, a leak that ends it, or
 * an abort nothing more of the attempt is handled.
 */
export async function runAttempt(request: ModelRequest, ports: AttemptPorts): Promise<AttemptResult> {
  const { model, guard, signal, emit } = ports;
  const assembler = createAssembler(model);
  const { message } = assembler;
  let error: ModelError | undefined;
  let pause = false;
  let finished = false;
  let cut = false;
  let leak: Leak | undefined;

  let over = false;
  guard.open(() => !over && !signal.aborted, ports.leakEnds);
  emit({ type: "message_start", role: "assistant", attempt: ports.attempt });
  for await (const group of model.stream(request, signal)) {
    for (const part of group) {
      if (signal.aborted) break;
      assembler.apply(part);
      const verdict = guard.inspect(part);
      if (verdict === "cut") {
        cut = true;
        break;
      }
      if (verdict !== "pass") leak ??= verdict;
      if (leak && ports.leakEnds) {
        finished = part.type === "finish";
        error = new ModelError("leaked", leakFact(model, leak.token));
        break;
      }
      const update = updateOf(part, message);
      if (update) emit(update);
      if (part.type === "finish") {
        finished = true;
        pause = part.pause === true;
      } else if (part.type === "error") {
        error = part.error;
      } else if (part.type === "warning") {
        emit({ type: "notice", level: "warning", code: "model-warning", message: part.message });
      }
    }
    if (cut || signal.aborted || finished || error) break;
  }

  assembler.seal();
  const aborted = (): boolean => cut || signal.aborted;
  const estimated = (): Usage => estimateUsage(message.usage, assembler.written, sizeOf(request));
  if (!aborted() && !finished && !error) {
    error = new ModelError("incomplete", "The model's answer ended in the middle", {
      advice: "send the prompt again or use /retry",
    });
  }
  if (!aborted() && !error && message.content.length === 0 && message.stopReason !== "refusal") {
    error = new ModelError("incomplete", "The model answered with nothing at all", {
      advice: "use /retry or another model",
    });
  }
  // No tool starts, and no end is told, before every check on the whole message is answered.
  if (!aborted() && !error && (await guard.close(message, signal)) === "cut") cut = true;
  over = true;

  if (aborted()) {
    message.stopReason = "aborted";
    delete message.errorMessage;
    // An answer that came whole has told its usage.
    if (!finished) message.usage = estimated();
    return { message, pause: false, shown: assembler.written > 0 };
  }
  if (error) {
    message.stopReason = "error";
    message.errorMessage = error.message;
    // The one fault that we cut off ourselves.
    if (error.code === "leaked" && !finished) message.usage = estimated();
    return { message, error, pause: false, shown: assembler.written > 0 };
  }
  return { message, pause, shown: assembler.written > 0, ...(leak ? { leak } : {}) };
}

function updateOf(part: StreamPart, message: AssistantMessage): AgentEvent | undefined {
  switch (part.type) {
    case "text_delta":
      return { type: "message_update", contentIndex: part.index, delta: { kind: "text", text: part.text } };
    case "thinking_delta":
      return { type: "message_update", contentIndex: part.index, delta: { kind: "thinking", text: part.text } };
    case "args_delta": {
      const call = message.content[part.index];
      if (call?.type !== "toolCall") return undefined;
      return {
        type: "message_update",
        contentIndex: part.index,
        delta: { kind: "tool_args", toolCallId: call.id, toolName: call.name, text: part.text },
      };
    }
    default:
      return undefined;
  }
}

function sizeOf(request: ModelRequest): number {
  return request.system.length + JSON.stringify(request.messages).length + JSON.stringify(request.tools).length;
}
