/** What is being written survives a crash: one small file a folder, written a moment after the last key. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../agent/ports.js";

/** Milliseconds after the last change. */
const DELAY_MS = 400;

export class DraftFile {
  #file: string | undefined;
  #cancel: (() => void) | undefined;
  #text = "";
  #saved = "";

  constructor(
    private readonly stateDir: string,
    private readonly clock: Clock,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** @returns the draft left behind for a folder, "" without one */
  open(cwd: string): string {
    this.#file = join(this.stateDir, "drafts", `${createHash("sha256").update(cwd).digest("hex").slice(0, 16)}.txt`);
    try {
      this.#saved = readFileSync(this.#file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.onProblem(error);
    }
    if (this.#text !== "") this.changed(this.#text);
    return this.#saved;
  }

  changed(text: string): void {
    this.#text = text;
    if (this.#file === undefined) return;
    this.#cancel?.();
    this.#cancel = this.clock.after(DELAY_MS, () => this.save());
  }

  save(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#file === undefined || this.#text === this.#saved) return;
    this.#saved = this.#text;
    try {
      if (this.#text === "") {
        rmSync(this.#file, { force: true });
        return;
      }
      mkdirSync(join(this.stateDir, "drafts"), { recursive: true });
      writeFileSync(this.#file, this.#text, { mode: 0o600 });
    } catch (error) {
      this.onProblem(error);
    }
  }
}
