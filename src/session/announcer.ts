/** Tells everybody what happens: subscribers, hooks, extensions, custom tools. Waits for nobody (TTSR-7.1, 9.1). */
import type { AgentEvent, AgentListener } from "../agent/events.js";
import type { Rule } from "../capability/rule.js";
import type { AddedRules } from "../capability/rule-capability.js";
import { type CustomTool, type SessionNews, tellCustomTools } from "../extensibility/custom-tools/custom-tools.js";
import { type Extension, ExtensionRunner } from "../extensibility/extensions/runner.js";
import { Hooks } from "../extensibility/hooks/hooks.js";
import { notify } from "../extensibility/notify.js";

export class Announcer {
  readonly hooks: Hooks;
  readonly #extensions: ExtensionRunner;
  readonly #subscribers = new Set<AgentListener>();

  constructor(
    extensions: readonly Extension[],
    private readonly customTools: readonly CustomTool[],
    addRules: (rules: AddedRules) => void,
  ) {
    this.hooks = new Hooks(this.#report);
    this.#extensions = new ExtensionRunner(extensions, this.#report, addRules);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: AgentListener): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** @param rules with `ttsr_triggered`: the rules themselves, for who lives in the process */
  emit(event: AgentEvent, rules: readonly Rule[]): void {
    this.#tell(event);
    this.hooks.emit(event);
    if (event.type === "ttsr_triggered") {
      this.#extensions.emit<"ttsr_triggered">({ ...event, rules });
      this.news({ reason: "ttsr_triggered", rules });
    } else {
      this.#extensions.emit(event);
    }
  }

  news(news: SessionNews): void {
    tellCustomTools(this.customTools, news, this.#report);
  }

  close(): void {
    this.#subscribers.clear();
  }

  #tell(event: AgentEvent): void {
    for (const listener of this.#subscribers) notify("A subscriber", listener, event, this.#report);
  }

  /** A listener's fault is told to the others; a fault in hearing of a fault is not told again. */
  readonly #report = (owner: string, reason: string): void => {
    const message = `${owner} failed on an event: ${reason}`;
    const notice: AgentEvent = { type: "notice", level: "warning", code: "listener-failed", message };
    for (const listener of this.#subscribers) notify(owner, listener, notice, () => undefined);
  };
}
