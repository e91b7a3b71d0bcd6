import { ModelError } from "../../agent/errors.js";
import { NO_USAGE, type Usage } from "../../agent/messages.js";
import type { StreamPart } from "../../agent/ports.js";
import { brokenEventError, incompleteError, toldError, unknownStopError } from "../errors.js";
import { fields, type JsonObject, list, number, objectOf, parseObject, text } from "../json.js";
import { PartWriter } from "../part-writer.js";
import type { ModelTarget, WireDecoder, WireEvent } from "../wire.js";
import { Calls } from "./calls.js";
import { failureIn, failureOf } from "./errors.js";
import { Prose } from "./prose.js";
import { stopFor } from "./stop.js";
import { usageOf } from "./usage.js";

/** @returns a decoder for one answer */
export function createDecoder(target: ModelTarget): WireDecoder {
  return new GeminiDecoder(target);
}

/**
 * A `finishReason` may come in every event, and an error after it: what the answer ended with is known only when the connection ends.
 */
class GeminiDecoder implements WireDecoder {
  readonly #writer = new PartWriter();
  readonly #prose = new Prose(this.#writer);
  readonly #calls = new Calls(this.#writer, () => `call_${this.#answerId}`);
  /** Tells this answer's made-up call ids from those of other answers. */
  #answerId = "";
  #usageTold: JsonObject = {};
  #usage: Usage = { ...NO_USAGE };
  #reason = "";

  constructor(private readonly target: ModelTarget) {}

  push(event: WireEvent): StreamPart[] {
    if (this.#writer.done || event.data.trim() === "[DONE]" || event.data.trim() === "") return [];
    const told = parseObject(event.data);
    const failure = told ? failureOf(told) : failureIn(event.data);
    if (failure) this.#writer.error(toldError(failure, this.target));
    else if (told) this.#take(told, event.data);
    else this.#writer.error(brokenEventError(this.target, event.data));
    return this.#writer.take();
  }

  end(unframed: string): StreamPart[] {
    if (this.#writer.done) return [];
    const failure = failureIn(unframed);
    if (failure) this.#writer.error(toldError(failure, this.target));
    else this.#finish();
    return this.#writer.take();
  }

  #take(told: JsonObject, data: string): void {
    const responseId = text(told["responseId"]);
    if (this.#answerId === "") this.#answerId = responseId || fingerprint(data);
    this.#writer.start(responseId, text(told["modelVersion"]));

    // Never another one: the answers would be mixed into each other.
    const candidate = list(told["candidates"])
      .map((each) => fields(each))
      .find((each) => (number(each["index"]) ?? 0) === 0);
    for (const part of list(objectOf(candidate?.["content"])?.["parts"])) this.#part(fields(part));
    this.#countTokens(fields(told["usageMetadata"]));
    const reason = text(candidate?.["finishReason"]) || text(objectOf(told["promptFeedback"])?.["blockReason"]);
    if (reason && !/_UNSPECIFIED$/.test(reason)) this.#reason = reason;
  }

  #part(part: JsonObject): void {
    if ("functionCall" in part) {
      this.#prose.end();
      this.#calls.take(part);
    } else if (typeof part["text"] === "string") {
      this.#prose.take(part);
    } else if (Object.keys(part).length > 0) {
      this.#prose.end();
      this.#writer.opaque(part);
    }
  }

  /** The counts of an event stand for the whole answer so far; an event may leave some of them out. */
  #countTokens(told: JsonObject): void {
    this.#usageTold = { ...this.#usageTold, ...told };
    const usage = usageOf(this.#usageTold);
    if (JSON.stringify(usage) === JSON.stringify(this.#usage)) return;
    this.#usage = usage;
    this.#writer.usage(usage);
  }

  #finish(): void {
    const reason = this.#reason;
    if (reason === "") {
      this.#writer.error(incompleteError(this.target));
      return;
    }
    const stop = stopFor(reason);
    if (stop === "unknown") this.#writer.error(unknownStopError(this.target, reason));
    else if (stop === "broken-call") this.#writer.error(brokenCallError(this.target, reason));
    else this.#writer.finish(stop === "stop" && this.#calls.any ? "toolUse" : stop, reason, this.#usage);
  }
}

function brokenCallError(target: ModelTarget, reason: string): ModelError {
  const fact = `${target.model} made a tool call that cannot be read (${reason})`;
  return new ModelError("incomplete", fact, { advice: "nothing of it ran, try again", raw: reason });
}

/** @returns eight hex digits that stand for a text (FNV-1a) */
function fingerprint(data: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < data.length; i++) hash = Math.imul(hash ^ data.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
