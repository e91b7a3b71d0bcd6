/** Extensions: functions that get an API and register listeners on it. */
import type { AgentEvent } from "../../agent/events.js";
import type { Rule } from "../../capability/rule.js";
import type { AddedRules } from "../../capability/rule-capability.js";
import { notify, type ReportFault } from "../notify.js";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** Inside the process `ttsr_triggered` carries the rules themselves. */
export type ExtensionEvent<T extends AgentEvent["type"]> = T extends "ttsr_triggered"
  ? Omit<EventOf<"ttsr_triggered">, "rules"> & { rules: readonly Rule[] }
  : EventOf<T>;

export type ExtensionListener<T extends AgentEvent["type"]> = (event: ExtensionEvent<T>) => unknown;

export interface ExtensionApi {
  on<T extends AgentEvent["type"]>(type: T, listener: ExtensionListener<T>): void;
  /**
   * Brings rules, now or at any time later: a folder of rule files (absolute), or one rule as its file would have it. They hold from the next
   * request on; the user's own rules of the same name come first.
   */
  addRules(rules: { folder: string } | { name: string; text: string }): void;
}

export interface Extension {
  name: string;
  activate(api: ExtensionApi): void;
}

/** Holds what extensions registered, and tells them what happens. Never waits for one. */
export class ExtensionRunner {
  readonly #listeners = new Map<string, { owner: string; listener: (event: never) => unknown }[]>();

  constructor(
    extensions: readonly Extension[],
    private readonly report: ReportFault,
    addRules: (rules: AddedRules) => void,
  ) {
    for (const extension of extensions) {
      const owner = extension.name;
      const api: ExtensionApi = {
        on: (type, listener) => this.#on(owner, type, listener),
        addRules: (rules) => addRules({ owner, ...rules }),
      };
      notify(extension.name, (given: ExtensionApi) => extension.activate(given), api, report);
    }
  }

  emit<T extends AgentEvent["type"]>(event: ExtensionEvent<T>): void {
    const listeners = this.#listeners.get(event.type);
    if (!listeners) return;
    for (const { owner, listener } of listeners) notify(owner, listener as ExtensionListener<T>, event, this.report);
  }

  #on(owner: string, type: string, listener: (event: never) => unknown): void {
    const list = this.#listeners.get(type) ?? [];
    list.push({ owner, listener });
    this.#listeners.set(type, list);
  }
}
