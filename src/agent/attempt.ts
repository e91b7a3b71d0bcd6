/** One request to the model, from the first byte sent to the last part handled. */
import { createAssembler, estimateUsage } from "./assemble.js";
import { ModelError } from "./errors.js";
import type { AgentEvent } from "./events.js";
import type { AssistantMessage } from "./messages.js";
import type { ModelRequest, ModelStream, StreamGuard, StreamPart } from "./ports.js";

export interface AttemptPorts {
  model: ModelStream;
  guard: StreamGuard;
  signal: AbortSignal;
  attempt: number;
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
}

/**
 * Streams one answer. Every delta passes the guard before its event is emitted; from the moment of a `cut` verdict or an abort nothing
 * more of the attempt is handled.
 */
export async function runAttempt(request: ModelRequest, ports: AttemptPorts): Promise<AttemptResult> {
  const { model, guard, signal, emit } = ports;
  const assembler = createAssembler(model);
  const { message } = assembler;
  let error: ModelError | undefined;
  let pause = false;
  let finished = false;
  let cut = false;

  let over = false;
  guard.open(() => !over && !signal.aborted);
  emit({ type: "message_start", role: "assistant", attempt: ports.attempt });
  for await (const group of model.stream(request, signal)) {
    for (const part of group) {
      if (signal.aborted) break;
      assembler.apply(part);
      if (guard.inspect(part) === "cut") {
        cut = true;
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
  if (!aborted() && !error && (await guard.close(message)) === "cut") cut = true;
  over = true;

  if (aborted()) {
    message.stopReason = "aborted";
    delete message.errorMessage;
    // An answer that came whole has told its usage.
    if (!finished) message.usage = estimateUsage(message.usage, assembler.written, sizeOf(request));
    return { message, pause: false, shown: assembler.written > 0 };
  }
  if (error) {
    message.stopReason = "error";
    message.errorMessage = error.message;
    return { message, error, pause: false, shown: assembler.written > 0 };
  }
  return { message, pause, shown: assembler.written > 0 };
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
