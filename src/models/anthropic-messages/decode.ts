/** The stream of this wire as parts. Complete only with `message_stop`. */
import type { StreamPart } from "../../agent/ports.js";
import { brokenEventError, incompleteError, toldError, unknownStopError } from "../errors.js";
import { fields, type JsonObject, number, parseObject, text } from "../json.js";
import { PartWriter } from "../part-writer.js";
import type { ModelTarget, WireDecoder, WireEvent } from "../wire.js";
import { OpaqueBlockBuilder } from "./opaque.js";
import { mergeUsage, usageOf } from "./usage.js";

type Open =
  | { kind: "text"; index: number }
  | { kind: "thinking"; index: number; signature: string }
  | { kind: "call"; index: number; input: JsonObject; streamed: boolean }
  | { kind: "opaque"; index: number; builder: OpaqueBlockBuilder };

export class AnthropicDecoder implements WireDecoder {
  readonly #target: ModelTarget;
  readonly #writer = new PartWriter();
  /** By the wire's own index. */
  readonly #open = new Map<number, Open>();
  #usage: JsonObject = {};
  #stopReason = "";
  #calls = 0;

  constructor(target: ModelTarget) {
    this.#target = target;
  }

  push(event: WireEvent): StreamPart[] {
    const data = event.event === "ping" ? undefined : parseObject(event.data);
    if (data) this.#event(text(data["type"]) ?? event.event ?? "", data);
    else if (event.event !== "ping" && event.data.trim() !== "" && event.data !== "[DONE]")
      this.#writer.error(brokenEventError(this.#target, event.data));
    return this.#writer.take();
  }

  end(): StreamPart[] {
    this.#writer.error(incompleteError(this.#target));
    return this.#writer.take();
  }

  #event(type: string, data: JsonObject): void {
    const at = number(data["index"]) ?? 0;
    switch (type) {
      case "message_start": {
        const message = fields(data["message"]);
        this.#writer.start(text(message["id"]), text(message["model"]));
        this.#tellUsage(mergeUsage(this.#usage, message["usage"]));
        return;
      }
      case "content_block_start":
        this.#close(at);
        this.#start(at, fields(data["content_block"]));
        return;
      case "content_block_delta":
        this.#delta(at, fields(data["delta"]));
        return;
      case "content_block_stop":
        this.#close(at);
        return;
      case "message_delta":
        this.#messageDelta(data);
        return;
      case "message_stop":
        this.#finish();
        return;
      case "error": {
        const { code, message, status } = readStreamError(data);
        this.#writer.error(
          toldError({ message: message ?? "", ...(code ? { code } : {}), ...(status ? { status } : {}) }, this.#target),
        );
        return;
      }
      default:
        // Events of a newer version; what they carry has no place in a message that we know.
        return;
    }
  }

  #start(at: number, block: JsonObject): void {
    const writer = this.#writer;
    switch (block["type"]) {
      case "text": {
        const index = writer.openText();
        this.#open.set(at, { kind: "text", index });
        writer.text(index, text(block["text"]) ?? "");
        return;
      }
      case "thinking": {
        const index = writer.openThinking();
        this.#open.set(at, { kind: "thinking", index, signature: "" });
        writer.thinking(index, text(block["thinking"]) ?? "");
        writer.signature(index, text(block["signature"]) ?? "");
        return;
      }
      case "redacted_thinking": {
        const index = writer.openThinking(true);
        this.#open.set(at, { kind: "thinking", index, signature: "" });
        writer.signature(index, text(block["data"]) ?? "");
        return;
      }
      case "tool_use": {
        const index = writer.openCall(text(block["id"]) ?? `call_${at}`, text(block["name"]) ?? "");
        this.#open.set(at, { kind: "call", index, input: fields(block["input"]), streamed: false });
        this.#calls++;
        return;
      }
      default:
        this.#open.set(at, { kind: "opaque", index: writer.openOpaque(), builder: new OpaqueBlockBuilder(block) });
    }
  }

  #delta(at: number, delta: JsonObject): void {
    const open = this.#open.get(at);
    if (!open) {
      // Some gateways leave the start of a plain block out.
      if (delta["type"] === "text_delta") this.#start(at, { type: "text", text: delta["text"] ?? "" });
      if (delta["type"] === "thinking_delta") this.#start(at, { type: "thinking", thinking: delta["thinking"] ?? "" });
      return;
    }
    switch (open.kind) {
      case "text":
        this.#writer.text(open.index, text(delta["text"]) ?? "");
        return;
      case "thinking":
        this.#writer.thinking(open.index, text(delta["thinking"]) ?? "");
        if (delta["type"] !== "signature_delta") return;
        open.signature += text(delta["signature"]) ?? "";
        this.#writer.signature(open.index, open.signature);
        return;
      case "call": {
        const piece = text(delta["partial_json"]) ?? "";
        if (piece !== "") open.streamed = true;
        this.#writer.args(open.index, piece);
        return;
      }
      case "opaque":
        open.builder.apply(delta);
        return;
    }
  }

  #close(at: number): void {
    const open = this.#open.get(at);
    if (!open) return;
    this.#open.delete(at);
    if (open.kind === "opaque") {
      this.#writer.opaque(open.builder.build(), open.index);
      return;
    }
    // Some servers send the whole input with the start and no delta.
    if (open.kind === "call" && !open.streamed && Object.keys(open.input).length > 0) {
      this.#writer.args(open.index, JSON.stringify(open.input));
    }
    this.#writer.end(open.index);
  }

  #messageDelta(data: JsonObject): void {
    const delta = fields(data["delta"]);
    this.#stopReason = text(delta["stop_reason"]) ?? this.#stopReason;
    const explanation = text(fields(delta["stop_details"])["explanation"]);
    if (explanation) this.#writer.warning(`${this.#target.provider}: ${explanation}`);
    this.#tellUsage(mergeUsage(this.#usage, data["usage"]));
  }

  #tellUsage(usage: JsonObject): void {
    this.#usage = usage;
    this.#writer.usage(usageOf(usage));
  }

  #finish(): void {
    for (const at of [...this.#open.keys()]) this.#close(at);
    const usage = usageOf(this.#usage);
    const raw = this.#stopReason;
    switch (raw) {
      case "":
      case "end_turn":
      case "stop_sequence":
      case "tool_use":
        this.#writer.finish(this.#calls > 0 ? "toolUse" : "stop", raw, usage);
        return;
      case "max_tokens":
      case "model_context_window_exceeded":
        this.#writer.finish("length", raw, usage);
        return;
      case "refusal":
        this.#writer.finish("refusal", raw, usage);
        return;
      case "pause_turn":
        this.#writer.finish("stop", raw, usage, true);
        return;
      default:
        this.#writer.error(unknownStopError(this.#target, raw));
    }
  }
}

/** The statuses that the error types stand for over HTTP, by Anthropic's error page. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function readStreamError(data: JsonObject): { code?: string; message?: string; status?: number } {
  const error = fields(data["error"]);
  const code = text(error["type"]);
  const message = text(error["message"]) ?? text(data["error"]) ?? text(data["message"]);
  const status = code === undefined ? undefined : STATUS[code];
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(status === undefined ? {} : { status }),
  };
}

/** @returns what an HTTP error body says: `{"type":"error","error":{"type","message"}}`, with or without the outer type */
export function readError(body: string): { code?: string; message?: string } | undefined {
  const error = fields(parseObject(body)?.["error"]);
  const code = text(error["type"]);
  const message = text(error["message"]);
  if (code === undefined && message === undefined) return undefined;
  return { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
}
