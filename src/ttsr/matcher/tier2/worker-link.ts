import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import type { Answer, Question } from "./questions.js";
import { workerMain } from "./worker-main.js";

/** As much of a `Worker` as is used here. */
export interface WorkerLike {
  postMessage(question: Question): void;
  on(event: "message", listener: (message: Answer | "ready") => void): unknown;
  on(event: "error" | "exit", listener: () => void): unknown;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

export type Outcome = { kind: "answer"; answer: Answer } | { kind: "timeout" } | { kind: "lost" };

/** Wall time is not what a test costs: on a busy machine it may stand still for long. After so many limits it is given up all the same. */
const PATIENCE = 20;
/** Milliseconds that a worker may take to start. */
const START_LIMIT = 10_000;
/** Milliseconds without a question after which the worker is ended; the next question starts another. */
const IDLE_LIMIT = 30_000;
/** The worker's heap. Megabytes. */
const HEAP = 128;

/** Starts the worker from its source text; it inherits neither flags nor environment. */
export function startWorker(answered: Int32Array): WorkerLike {
  const source = `const { parentPort, workerData } = require("node:worker_threads"); (${workerMain.toString()})(parentPort, workerData);`;
  return new Worker(source, {
    eval: true,
    workerData: answered,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
  });
}

/**
 * The way to the one worker: started with the first question, asked one at a time, ended when an answer takes too long, started anew with
 * the next question. It keeps the process alive only while an answer is due.
 */
export class WorkerLink {
  #worker: WorkerLike | undefined;
  #ready = false;
  #answered = new Int32Array(new SharedArrayBuffer(4));
  #generation = 0;
  #idle: NodeJS.Timeout | undefined;
  #asking: { question: Question; resolve(outcome: Outcome): void; stopTimer(): void } | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly start: (answered: Int32Array) => WorkerLike,
  ) {}

  /** Counts the workers there were: a new one knows no text. */
  get generation(): number {
    return this.#generation;
  }

  /** Makes sure that there is a worker, so that `generation` holds for the next question. @returns whether there is one */
  open(): boolean {
    if (this.#worker) return true;
    this.#generation++;
    this.#ready = false;
    this.#answered = new Int32Array(new SharedArrayBuffer(4));
    try {
      const worker = this.start(this.#answered);
      this.#worker = worker;
      worker.unref();
      worker.on("message", (message) => this.#received(worker, message));
      worker.on("error", () => this.#lost(worker));
      worker.on("exit", () => this.#lost(worker));
      return true;
    } catch {
      // No worker can be had, which whoever asks is told as `lost`.
      return false;
    }
  }

  /** Never rejects. One question at a time. */
  ask(question: Question): Promise<Outcome> {
    if (!this.open()) return Promise.resolve({ kind: "lost" });
    clearTimeout(this.#idle);
    const worker = this.#worker;
    return new Promise((resolve) => {
      this.#asking = { question, resolve, stopTimer: () => undefined };
      worker?.ref();
      worker?.postMessage(question);
      if (this.#ready) this.#watch();
      else this.#timer(START_LIMIT, () => this.#end({ kind: "lost" }, true));
    });
  }

  /** Ends the worker; a question that is due is answered `lost`. */
  stop(): void {
    if (this.#asking) this.#end({ kind: "lost" }, true);
    else this.#terminate();
  }

  #received(worker: WorkerLike, message: Answer | "ready"): void {
    if (worker !== this.#worker) return;
    if (message === "ready") {
      this.#ready = true;
      if (this.#asking) this.#watch();
    } else if (message.id === this.#asking?.question.id) this.#end({ kind: "answer", answer: message }, false);
  }

  #lost(worker: WorkerLike): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    if (this.#asking) this.#end({ kind: "lost" }, false);
  }

  /** Ends the question when the worker has surely computed for longer than the limit. */
  #watch(): void {
    const began = performance.now();
    const cpu = process.cpuUsage();
    const loop = performance.eventLoopUtilization();
    const check = (): void => {
      const wall = performance.now() - began;
      const { user, system } = process.cpuUsage(cpu);
      // The process's time less what this thread may have used of it.
      const used = (user + system) / 1000 - performance.eventLoopUtilization(loop).active;
      const due = Atomics.load(this.#answered, 0) !== this.#asking?.question.id;
      if (due && ((wall >= this.limitMs && used >= this.limitMs) || wall >= PATIENCE * this.limitMs)) {
        this.#end({ kind: "timeout" }, true);
      } else this.#timer(Math.max(5, this.limitMs - used), check);
    };
    this.#timer(this.limitMs, check);
  }

  #timer(ms: number, then: () => void): void {
    if (!this.#asking) return;
    this.#asking.stopTimer();
    const timer = setTimeout(then, ms);
    this.#asking.stopTimer = () => clearTimeout(timer);
  }

  #end(outcome: Outcome, kill: boolean): void {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.stopTimer();
    if (kill) this.#terminate();
    else {
      this.#worker?.unref();
      this.#idle = setTimeout(() => this.#terminate(), IDLE_LIMIT).unref();
    }
    asking?.resolve(outcome);
  }

  #terminate(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    // It ends by itself, some 15 ms later, whatever it computes.
    void worker?.terminate();
  }
}
