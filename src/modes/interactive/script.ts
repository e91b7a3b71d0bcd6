/** Plays a user who types one prompt: the demo. Any key skips a wait. */
import type { Clock } from "../../agent/ports.js";
import type { Face } from "./face.js";

export interface InteractiveScript {
  prompt: string;
  fast: boolean;
  /** The rest of what is being streamed comes at once. */
  skip(): void;
}

const BEFORE_MS = 700;
const KEY_MS = 28;
const SEND_MS = 500;

export class ScriptPlayer {
  #typed = 0;
  #cancel: (() => void) | undefined;
  #state: "typing" | "running" | "over" = "typing";

  constructor(
    private readonly script: InteractiveScript,
    private readonly face: Face,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.face.session?.subscribe((event) => {
      if (event.type !== "agent_end" || this.#state !== "running") return;
      this.#state = "over";
    });
    if (this.script.fast) this.#finish();
    else this.#wait(BEFORE_MS);
  }

  /** A key was pressed. @returns whether it did nothing but skip a wait */
  key(): boolean {
    if (this.#state === "typing") {
      this.#finish();
      return true;
    }
    if (this.#state === "running") this.script.skip();
    return false;
  }

  stop(): void {
    this.#cancel?.();
  }

  #wait(ms: number): void {
    this.#cancel = this.clock.after(ms, () => this.#step());
  }

  #step(): void {
    const next = [...this.script.prompt.slice(this.#typed)][0];
    if (next === undefined) {
      this.#finish();
      return;
    }
    this.face.type(next);
    this.#typed += next.length;
    this.#wait(this.#typed < this.script.prompt.length ? KEY_MS : SEND_MS);
  }

  #finish(): void {
    this.#cancel?.();
    this.#state = "running";
    const rest = this.script.prompt.slice(this.#typed);
    if (rest !== "") this.face.type(rest);
    this.face.handle([{ type: "key", name: "enter", ctrl: false, alt: false, shift: false }]);
  }
}
