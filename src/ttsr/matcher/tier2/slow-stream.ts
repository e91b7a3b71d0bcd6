import type { Settled } from "../types.js";
import type { Answer, Check, Found, Question } from "./questions.js";

/** One text that grows, watched by triggers that only a `RegExp` can run. */
export interface SlowStream {
  feed(delta: string): void;
  /** The text is complete. Resolves always, with what `onLate` was not told of, in order of position. */
  end(): Promise<readonly Settled[]>;
  /** The rule is not reported any more. */
  disarm(ruleId: string): void;
  /**
   * @returns a stream of its own that goes on from here, with what is known of the text by now; not behind the end
   * @param onLate told of what the new stream finds
   */
  fork(onLate: (settled: Settled) => void): SlowStream;
  /** Nothing of it is wanted any more. */
  finish(): void;
}

/** A trigger as the worker is asked about it. */
export interface SlowChecks {
  ruleId: string;
  index: number;
  /** All must match somewhere; nearly always there is one. */
  checks(): readonly Check[];
}

export interface SlowLimits {
  /** Milliseconds of CPU for one question. */
  msPerTest: number;
  /** Milliseconds of CPU for one rule in one stream. */
  msPerStream: number;
  /** UTF-16 units of one stream that are looked at; a match that spans more than half of them may be missed. */
  bufferUnits: number;
}

/** What a stream needs of its tier. */
export interface StreamHost {
  newId(): number;
  readonly limits: SlowLimits;
  /** Whether the rule was switched off for the session. */
  off(ruleId: string): boolean;
  /** The stream has something to ask. */
  wants(stream: OpenStream): void;
}

/** A question without what only the way to the worker knows. */
export type Asked = Omit<Question, "id" | "at" | "text" | "forget">;

interface Live extends Pick<SlowChecks, "index" | "checks"> {
  /** By check. */
  found: (Found | undefined)[];
}

interface Watched {
  triggers: Live[];
  /** Decided up to here. */
  known: number;
  spentMs: number;
}

/** Units between checkpoints where there is no line end. */
const CHECKPOINT = 4_096;
/** When half of its time is spent, a rule is asked about only after so great a part of the buffer is new. */
const RATION = 8;

/**
 * The text is looked at at checkpoints that it defines itself: behind each line end, every 4,096 units, where the buffer is full, at the
 * end. Several may be answered by one question: the settled form's truth is monotone in the prefix, and the least prefix on which it holds
 * is reported, so neither the cuts nor the moment of the question change a verdict or a position.
 */
export class OpenStream implements SlowStream {
  readonly id: number;
  #text = "";
  #base = 0;
  #checkpoint = 0;
  #ended: { resolve(settled: readonly Settled[]): void; promise: Promise<readonly Settled[]> } | undefined;
  readonly #rules = new Map<string, Watched>();
  readonly #rest: Settled[] = [];
  /** What the listener is told of in a moment. */
  #untold: Settled[] = [];

  constructor(
    private readonly host: StreamHost,
    triggers: readonly SlowChecks[],
    private readonly onLate: (settled: Settled) => void,
  ) {
    this.id = host.newId();
    for (const { ruleId, index, checks } of triggers) {
      const rule = this.#rules.get(ruleId) ?? { triggers: [], known: 0, spentMs: 0 };
      rule.triggers.push({ index, checks, found: [] });
      this.#rules.set(ruleId, rule);
    }
  }

  get length(): number {
    return this.#base + this.#text.length;
  }

  feed(delta: string): void {
    if (this.#ended || this.#rules.size === 0 || delta === "") return;
    const before = this.length;
    this.#text += delta;
    const line = delta.lastIndexOf("\n");
    const checkpoint = Math.max(
      line < 0 ? 0 : before + line + 1,
      this.length - (this.length % CHECKPOINT),
      this.#lastFull(),
    );
    if (checkpoint <= this.#checkpoint) return;
    this.#checkpoint = checkpoint;
    this.host.wants(this);
  }

  end(): Promise<readonly Settled[]> {
    if (!this.#ended) {
      let resolve: (settled: readonly Settled[]) => void = () => undefined;
      const promise = new Promise<readonly Settled[]>((done) => {
        resolve = done;
      });
      this.#ended = { resolve, promise };
      if (this.#rules.size === 0) this.finish();
      else this.host.wants(this);
    }
    return this.#ended.promise;
  }

  disarm(ruleId: string): void {
    this.#rules.delete(ruleId);
    if (this.#rules.size > 0) return;
    this.#base = this.length;
    this.#text = "";
    if (this.#ended) this.finish();
  }

  fork(onLate: (settled: Settled) => void): OpenStream {
    const fork = new OpenStream(this.host, [], onLate);
    fork.#text = this.#text;
    fork.#base = this.#base;
    fork.#checkpoint = this.#checkpoint;
    for (const [ruleId, rule] of this.#rules) {
      const triggers = rule.triggers.map((trigger) => ({ ...trigger, found: [...trigger.found] }));
      fork.#rules.set(ruleId, { ...rule, triggers });
    }
    for (const settled of this.#untold) fork.#tell(settled);
    this.host.wants(fork);
    return fork;
  }

  finish(): void {
    this.#rules.clear();
    this.#text = "";
    this.#ended?.resolve(this.#rest.sort((a, b) => a.position - b.position));
  }

  /** @returns the next question, if there is one; `finish()` is called when there will be none any more */
  next(): { ruleId: string; asked: Asked } | undefined {
    for (const ruleId of this.#rules.keys()) if (this.host.off(ruleId)) this.disarm(ruleId);
    for (const [ruleId, rule] of this.#rules) {
      const to = this.#target(rule);
      if (to === undefined) continue;
      const ended = this.#ended !== undefined && to === this.length;
      const checks = missing(rule);
      const from = this.#windowOf(to);
      const keep = Math.min(...[...this.#rules.values()].map(({ known }) => this.#windowOf(known + 1)));
      return { ruleId, asked: { stream: this.id, from, to, keep, known: rule.known, ended, checks } };
    }
    return undefined;
  }

  /** @returns the text from `at` to `to`, or from the beginning of what is kept, and where it begins */
  textFrom(at: number | undefined, to: number): { at: number; text: string } {
    const from = Math.max(at ?? this.#base, this.#base);
    return { at: from, text: this.#text.slice(from - this.#base, to - this.#base) };
  }

  /** @returns whether the rule has used up its time */
  answered(ruleId: string, asked: Asked, { found, ms }: Answer): boolean {
    const rule = this.#rules.get(ruleId);
    if (!rule) return false;
    rule.spentMs += ms;
    rule.known = asked.to;
    keepFound(rule, found);
    const settled = firstOf(ruleId, rule, this.#ended !== undefined && asked.ended ? this.length : undefined);
    if (settled && this.#ended) this.#rest.push(settled);
    if (settled || asked.ended) this.disarm(ruleId);
    else this.#letGo();
    if (settled && !this.#ended) this.#tell(settled);
    return !settled && !asked.ended && rule.spentMs > this.host.limits.msPerStream;
  }

  /** What a listener does is no part of this step. */
  #tell(settled: Settled): void {
    this.#untold.push(settled);
    queueMicrotask(() => {
      this.#untold = this.#untold.filter((each) => each !== settled);
      this.onLate(settled);
    });
  }

  #target(rule: Watched): number | undefined {
    const full = this.#nextFull(rule.known);
    if (full <= this.length) return full;
    if (this.#ended) return this.length;
    const fresh = this.#checkpoint - rule.known;
    const { bufferUnits, msPerStream } = this.host.limits;
    const window = Math.min(this.#checkpoint, bufferUnits);
    if (rule.spentMs > msPerStream / 2 && fresh < window / RATION) return undefined;
    return fresh > 0 ? this.#checkpoint : undefined;
  }

  /** Where the text that is looked at begins when it is looked at up to `to`: it moves on by half a buffer when the buffer is full. */
  #windowOf(to: number): number {
    const { bufferUnits } = this.host.limits;
    return to <= bufferUnits ? 0 : Math.ceil((to - bufferUnits) / this.#half) * this.#half;
  }

  #nextFull(known: number): number {
    return this.#windowOf(known + 1) + this.host.limits.bufferUnits;
  }

  #lastFull(): number {
    const { bufferUnits } = this.host.limits;
    return this.length < bufferUnits
      ? 0
      : bufferUnits + Math.floor((this.length - bufferUnits) / this.#half) * this.#half;
  }

  get #half(): number {
    return Math.max(1, this.host.limits.bufferUnits >> 1);
  }

  #letGo(): void {
    const keep = Math.min(...[...this.#rules.values()].map(({ known }) => this.#windowOf(known + 1)));
    if (keep <= this.#base) return;
    this.#text = this.#text.slice(keep - this.#base);
    this.#base = keep;
  }
}

function missing({ triggers }: Watched): Check[] {
  return triggers.flatMap(({ checks, found }) => checks().filter((_, i) => found[i] === undefined));
}

/** Puts the answers, which come in the order of `missing`, where they belong. */
function keepFound({ triggers }: Watched, answers: readonly (Found | undefined)[]): void {
  let next = 0;
  for (const { checks, found } of triggers) {
    for (const i of checks().keys()) found[i] ??= answers[next++];
  }
}

/** @returns the trigger with the least position, then the first of the list; undefined while none holds */
function firstOf(ruleId: string, { triggers }: Watched, length: number | undefined): Settled | undefined {
  let best: Settled | undefined;
  for (const { index, checks, found } of triggers) {
    const whole = found.filter((part) => part !== undefined);
    if (whole.length < checks().length) continue;
    const last = whole.reduce((a, b) => (b.position > a.position ? b : a));
    const byEnd = whole.some(({ settledBy }) => settledBy === "end");
    const position = byEnd && length !== undefined ? length : last.position;
    if (best && best.position <= position) continue;
    best = { ruleId, trigger: index, position, settledBy: byEnd ? "end" : "unit", start: last.start };
  }
  return best;
}
