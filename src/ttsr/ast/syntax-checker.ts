/**
 * The way to the child in which rules on syntax are tried. A relation (`has`, `inside`, `follows`, …) in another may take minutes on a large
 * file; ast-grep is native code, which neither a signal nor the end of a worker thread stops. A process can be ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import type { AstPattern } from "../../capability/rule.js";
import { childEnv } from "../../platform/child-env.js";
import { childMain } from "./child-main.js";
import { matcherOf } from "./condition.js";
import type { AstHit, LanguagePlace, Question, Said } from "./questions.js";

/** What is known of one rule; `undecided`: a part of a sentence, why it could not be tried. */
export type SyntaxAnswer = { hits: AstHit[] } | { undecided: string };

/** CPU that a rule may take on one file: a usual one takes 0.03 s on 500 KB, parsing it 0.15 s (measured). Milliseconds. */
const LIMIT = 1000;
/** Seconds without a word from the child after which it is given up, however busy the machine. Seconds in which we stood still do not count. */
const PATIENCE = 30;
/** Milliseconds without a question after which the child is ended; the next question starts another. */
const IDLE_LIMIT = 30_000;
/** Work on which the child ended by itself is tried once more, not twice. */
const MOST_LOSSES = 2;

type Outcome = { kind: "done" | "timeout" | "lost" | "aborted" } | { kind: "failed"; error: string };

interface Asking {
  question: Question;
  onHits(hits: AstHit[]): void;
  parsed: boolean;
  silent: number;
  resolve(outcome: Outcome): void;
}

/** @returns undefined where no process can be had */
function startChild(): ChildProcess {
  const source = `(${childMain.toString()})(require)`;
  return spawn(process.execPath, ["--input-type=commonjs", "--eval", source], {
    cwd: dirname(process.execPath),
    env: { ...childEnv(process.env), NODE_OPTIONS: undefined },
    stdio: ["pipe", "ignore", "ignore", "ipc"],
    windowsHide: true,
  });
}

/**
 * Started with the first question, asked one at a time, ended when an answer takes too long, started anew with the next question. The child
 * never keeps this process alive, and ends with it.
 */
export class SyntaxChecker {
  #child: ChildProcess | undefined;
  #ready = false;
  #asking: Asking | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #questions = 0;
  /** The end of the last question. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Conditions that are tried no more, and why. */
  readonly #off = new Map<string, string>();

  /** @param start for tests */
  constructor(private readonly start: () => ChildProcess = startChild) {}

  /**
   * Never rejects.
   * @param rules the conditions of each
   * @param signal aborted: what is not known by then stays unknown, and is answered at once
   * @returns one answer for each rule
   */
  check(
    place: LanguagePlace,
    text: string,
    rules: readonly (readonly AstPattern[])[],
    signal?: AbortSignal,
  ): Promise<SyntaxAnswer[]> {
    const answers = this.#turn.then(() => this.#check(place, text, rules, signal));
    this.#turn = answers;
    return answers;
  }

  /** Ends the child; the next question starts another. */
  stop(): void {
    if (this.#asking) this.#end({ kind: "aborted" }, true);
    else this.#kill();
  }

  async #check(
    place: LanguagePlace,
    text: string,
    rules: readonly (readonly AstPattern[])[],
    signal: AbortSignal | undefined,
  ): Promise<SyntaxAnswer[]> {
    const keys = rules.map((conditions) => JSON.stringify(conditions));
    const known = keys.map((key): SyntaxAnswer | undefined => {
      const why = this.#off.get(key);
      return why === undefined ? undefined : { undecided: why };
    });
    let left = known.flatMap((answer, index) => (answer ? [] : [index]));
    const rest = (undecided: string): void => {
      for (const index of left) known[index] = { undecided };
      left = [];
    };
    /** How often the child was lost on what is at hand. */
    let losses = 0;
    while (left.length > 0) {
      const before = left.length;
      const { outcome, parsed } = await this.#ask(
        place,
        text,
        left.map((index) => (rules[index] ?? []).map(matcherOf)),
        signal,
        (hits) => {
          const [index = 0, ...others] = left;
          known[index] = { hits };
          left = others;
        },
      );
      if (outcome.kind === "done") break;
      losses = outcome.kind === "lost" ? (left.length < before ? 1 : losses + 1) : 0;
      const [stuck = 0, ...others] = left;
      if (outcome.kind === "aborted") rest("the check was broken off");
      else if (outcome.kind === "failed") rest(`the file could not be parsed (${outcome.error})`);
      else if (outcome.kind === "lost" && losses < MOST_LOSSES) continue;
      else if (!parsed)
        rest(outcome.kind === "lost" ? "no process could be started for it" : "the file took too long to parse");
      else {
        const why =
          outcome.kind === "lost"
            ? "the process that tried it ended twice, and it is tried no more"
            : `it took longer than ${LIMIT / 1000} s, and is tried no more`;
        this.#off.set(keys[stuck] ?? "", why);
        known[stuck] = { undecided: why };
        left = others;
        losses = 0;
      }
    }
    return known.map((answer) => answer ?? { undecided: "it was not answered" });
  }

  async #ask(
    place: LanguagePlace,
    text: string,
    rules: readonly (readonly unknown[])[],
    signal: AbortSignal | undefined,
    onHits: (hits: AstHit[]) => void,
  ): Promise<{ outcome: Outcome; parsed: boolean }> {
    if (signal?.aborted) return { outcome: { kind: "aborted" }, parsed: false };
    clearTimeout(this.#idle);
    const onAbort = (): void => this.#end({ kind: "aborted" }, true);
    let asking: Asking | undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      const question: Question = { ...place, id: ++this.#questions, text, rules, limitMs: LIMIT };
      asking = { question, onHits, parsed: false, silent: 0, resolve };
      this.#asking = asking;
      signal?.addEventListener("abort", onAbort, { once: true });
      // It keeps the process alive while an answer is due.
      this.#ticks = setInterval(() => this.#tick(), 1000);
      const child = this.#open();
      if (!child) this.#end({ kind: "lost" }, true);
      else child.send(question, (error) => error && this.#lost(child, null));
    });
    signal?.removeEventListener("abort", onAbort);
    return { outcome, parsed: asking?.parsed ?? false };
  }

  #open(): ChildProcess | undefined {
    if (this.#child) return this.#child;
    this.#ready = false;
    try {
      const child = this.start();
      this.#child = child;
      child.unref();
      child.channel?.unref();
      // Nothing is ever written to it: its end tells the child that we are gone.
      if (child.stdin && "unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
      child.stdin?.on("error", () => undefined);
      child.on("message", (said) => this.#heard(child, said as Said));
      child.on("error", () => this.#lost(child, null));
      child.on("exit", (_, signal) => this.#lost(child, signal));
      return child;
    } catch {
      // None can be had, which whoever asks is told as `lost`.
      return undefined;
    }
  }

  #heard(child: ChildProcess, said: Said): void {
    if (child !== this.#child) return;
    if (said.kind === "ready") this.#ready = true;
    const asking = this.#asking;
    if (!asking) return;
    asking.silent = 0;
    if (said.kind === "ready" || said.id !== asking.question.id) return;
    if (said.kind === "parsed") asking.parsed = true;
    else if (said.kind === "hits") asking.onHits(said.hits);
    else this.#end(said.error === undefined ? { kind: "done" } : { kind: "failed", error: said.error }, false);
  }

  #tick(): void {
    const asking = this.#asking;
    if (asking && ++asking.silent >= PATIENCE) this.#end({ kind: this.#ready ? "timeout" : "lost" }, true);
  }

  /** @param signal the child's own watch uses SIGKILL when the limit is passed */
  #lost(child: ChildProcess, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#end({ kind: signal === "SIGKILL" && this.#ready ? "timeout" : "lost" }, false);
  }

  #end(outcome: Outcome, kill: boolean): void {
    const asking = this.#asking;
    this.#asking = undefined;
    clearInterval(this.#ticks);
    clearTimeout(this.#idle);
    if (kill) this.#kill();
    else if (this.#child) this.#idle = setTimeout(() => this.#kill(), IDLE_LIMIT).unref();
    asking?.resolve(outcome);
  }

  #kill(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
  }
}
