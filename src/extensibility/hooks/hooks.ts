/** Hooks: single listeners that a program embedding a session registers by name. They get what JSON output gets. */
import type { AgentEvent } from "../../agent/events.js";
import { notify, type ReportFault } from "../notify.js";

export type HookListener<T extends AgentEvent["type"]> = (event: Extract<AgentEvent, { type: T }>) => unknown;

export class Hooks {
  readonly #listeners = new Map<string, Set<(event: never) => unknown>>();

  constructor(private readonly report: ReportFault) {}

  /** @returns a function that takes the listener away again */
  on<T extends AgentEvent["type"]>(type: T, listener: HookListener<T>): () => void {
    const set = this.#listeners.get(type) ?? new Set();
    set.add(listener);
    this.#listeners.set(type, set);
    return () => set.delete(listener);
  }

  emit(event: AgentEvent): void {
    const listeners = this.#listeners.get(event.type);
    if (!listeners) return;
    for (const listener of listeners)
      notify(`hook ${event.type}`, listener as (event: AgentEvent) => unknown, event, this.report);
  }
}
