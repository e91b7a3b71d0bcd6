import type { UserMessage } from "../agent/messages.js";
import { userText } from "../agent/messages.js";

/** What the user said while a run was on, in order; what steers goes before what waits. */
export class Said {
  #steer: string[] = [];
  #queue: string[] = [];

  /** @param when `queue`: for the run's next turn; `steer`: after the present tool */
  add(text: string, when: "queue" | "steer"): void {
    (when === "steer" ? this.#steer : this.#queue).push(text);
  }

  get all(): string[] {
    return [...this.#steer, ...this.#queue];
  }

  /** How many of them, from the front, steer. */
  get steering(): number {
    return this.#steer.length;
  }

  /** @returns all of it; nothing is left */
  take(): string[] {
    const taken = this.all;
    this.#steer = [];
    this.#queue = [];
    return taken;
  }

  /** @returns the newest, of what waits before what steers */
  takeLast(): string | undefined {
    return this.#queue.pop() ?? this.#steer.pop();
  }

  takeMessages(): UserMessage[] {
    return this.take().map((text) => userText(text));
  }
}
