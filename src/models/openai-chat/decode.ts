/** The stream of this wire as parts. Complete with a `finish_reason`; `[DONE]` alone, or the end, only reports it. */
import type { Usage } from "../../agent/messages.js";
import { NO_USAGE } from "../../agent/messages.js";
import type { StreamPart } from "../../agent/ports.js";
import { brokenEventError, incompleteError, toldError, unknownStopError } from "../errors.js";
import { fields, type JsonObject, list, number, objectOf, parseObject, text } from "../json.js";
import { PartWriter } from "../part-writer.js";
import type { ModelTarget, WireDecoder, WireEvent } from "../wire.js";
import { ChatCalls } from "./calls.js";
import { readErrorValue } from "./errors.js";
import { ReasoningDetails, thinkingOf } from "./reasoning.js";
import { usageOf } from "./usage.js";

type Reason = "stop" | "length" | "toolUse" | "refusal";

const REASONS: Readonly<Record<string, Reason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  tool_calls: "toolUse",
  tool_use: "toolUse",
  function_call: "toolUse",
  content_filter: "refusal",
  safety: "refusal",
  refusal: "refusal",
};

/** Reasons by which some servers tell of a failure. */
const FAILURES = new Set(["error", "network_error", "insufficient_system_resource"]);

export class ChatDecoder implements WireDecoder {
  readonly #writer = new PartWriter();
  readonly #calls = new ChatCalls(this.#writer);
  readonly #details = new ReasoningDetails();
  #text: number | undefined;
  #thinking: number | undefined;
  /** The block that carries the proof and the details. */
  #signed: number | undefined;
  #refusal = "";
  #finish: string | undefined;
  #usage: Usage = { ...NO_USAGE };

  constructor(private readonly target: ModelTarget) {}

  get whole(): boolean {
    return this.#finish !== undefined && !this.#writer.done;
  }

  push(event: WireEvent): StreamPart[] {
    const data = event.data.trim();
    if (data === "[DONE]") this.#done();
    else if (data !== "") {
      const chunk = parseObject(data);
      if (chunk) this.#chunk(chunk, event.event);
      else this.#writer.error(brokenEventError(this.target, data));
    }
    return this.#writer.take();
  }

  end(unframed: string): StreamPart[] {
    const error = parseObject(unframed)?.["error"];
    if (error !== undefined && error !== null) this.#writer.error(toldError(readErrorValue(error), this.target));
    this.#done();
    if (!this.#writer.done) this.#writer.error(incompleteError(this.target));
    return this.#writer.take();
  }

  #chunk(chunk: JsonObject, event: string | undefined): void {
    // Azure tells of its filters first, in a chunk with an empty id and no choice.
    if (text(chunk["id"]) || list(chunk["choices"]).length > 0) {
      this.#writer.start(text(chunk["id"]), text(chunk["model"]));
    }
    this.#tellUsage(chunk);
    const error = chunk["error"];
    if (error !== undefined && error !== null) {
      this.#writer.error(toldError(readErrorValue(error), this.target));
      return;
    }
    if (event === "error" || chunk["object"] === "error") {
      this.#writer.error(toldError(readErrorValue(chunk), this.target));
      return;
    }
    for (const each of list(chunk["choices"])) {
      const choice = fields(each);
      // We never ask for more than one answer; a server that sends more is heard for the first only.
      if ((number(choice["index"]) ?? 0) === 0) this.#choice(choice);
    }
  }

  #choice(choice: JsonObject): void {
    const delta = objectOf(choice["delta"]) ?? fields(choice["message"]);
    this.#think(delta);
    const told = typeof delta["content"] === "string" ? delta["content"] : partsText(delta);
    if (told !== "") {
      this.#endThinking();
      this.#text ??= this.#writer.openText();
      this.#writer.text(this.#text, told);
    }
    this.#refusal += text(delta["refusal"]) ?? "";
    for (const piece of list(delta["tool_calls"])) {
      this.#endThinking();
      this.#endText();
      this.#calls.push(piece);
    }
    const finish = text(choice["finish_reason"]);
    // A reason that was told stands: some servers send a second, emptier one.
    if (finish) this.#finish ??= finish;
    this.#tellUsage(choice);
  }

  #think(delta: JsonObject): void {
    const thinking = thinkingOf(delta);
    this.#details.push(delta["reasoning_details"]);
    if (thinking !== "") {
      this.#endText();
      this.#thinking ??= this.#writer.openThinking();
      this.#writer.thinking(this.#thinking, thinking);
      this.#signed ??= this.#thinking;
    } else if (this.#details.proof !== undefined) {
      // Encrypted thinking comes without a word of it.
      this.#signed ??= this.#writer.openThinking(true);
    }
  }

  #endThinking(): void {
    // The block that the details go back with stays open for a signature that comes late.
    const waits = this.#thinking === this.#signed && this.#details.all.length > 0;
    if (this.#thinking !== undefined && !waits) this.#writer.end(this.#thinking);
    this.#thinking = undefined;
  }

  #endText(): void {
    if (this.#text !== undefined) this.#writer.end(this.#text);
    this.#text = undefined;
  }

  /** @param chunk or, at Moonshot, its choice */
  #tellUsage(chunk: JsonObject): void {
    const told = objectOf(chunk["usage"]) ?? objectOf(fields(chunk["x_groq"])["usage"]);
    if (!told) return;
    this.#usage = usageOf(told);
    this.#writer.usage(this.#usage);
  }

  /** Idempotent: `[DONE]` may come twice, and the end comes after it. */
  #done(): void {
    const finish = this.#finish;
    if (this.#writer.done || finish === undefined) return;
    this.#sign();
    if (FAILURES.has(finish)) {
      this.#writer.error(toldError({ message: `The server ended with "${finish}"`, status: 503 }, this.target));
      return;
    }
    const reason = this.#refusal === "" ? REASONS[finish.toLowerCase()] : "refusal";
    if (reason === undefined) {
      this.#writer.error(unknownStopError(this.target, finish));
      return;
    }
    if (this.#refusal !== "") this.#writer.warning(`${this.target.provider} refused: ${this.#refusal}`);
    // Some servers say "stop" with calls, others name calls where there are none.
    const called = this.#calls.count > 0 ? "toolUse" : "stop";
    this.#writer.finish(reason === "stop" || reason === "toolUse" ? called : reason, finish, this.#usage);
  }

  #sign(): void {
    if (this.#signed === undefined || this.#details.all.length === 0) return;
    const { proof } = this.#details;
    if (proof !== undefined) this.#writer.signature(this.#signed, proof);
    this.#writer.replay(this.#signed, { reasoning_details: this.#details.all });
  }
}

/** Mistral and others send content as a list of parts. */
function partsText(delta: JsonObject): string {
  return list(delta["content"])
    .map((part) => {
      const block = fields(part);
      return text(block["type"]) === "text" ? (text(block["text"]) ?? "") : "";
    })
    .join("");
}
