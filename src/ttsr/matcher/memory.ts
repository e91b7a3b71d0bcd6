import { type CompiledTrigger, compileTrigger } from "./compile.js";
import type { CompileLimits, TriggerSource } from "./types.js";

/** What was compiled before: a set of triggers that were each looked at alone, or of which a few have changed, compiles only what is new. */
export class TriggerMemory {
  #compiled = new Map<string, CompiledTrigger>();
  #before = new Map<string, CompiledTrigger>();

  /** @internal what it gives is the matcher's own */
  compile(source: TriggerSource, limits: CompileLimits): CompiledTrigger {
    const key = JSON.stringify([source.ruleId, source.index, source.pattern, limits]);
    const compiled = this.#compiled.get(key) ?? this.#before.get(key) ?? compileTrigger(source, limits);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** What is not asked for until this is called again is forgotten then. */
  turn(): void {
    this.#before = this.#compiled;
    this.#compiled = new Map();
  }
}
