/**
 * The second tier: triggers that the automaton cannot run (back-references, a look-ahead inside a look-behind, whatever is too large or
 * too dear), run as `RegExp` in one worker, under a time limit. A rule that takes longer is switched off for the session and reported; the
 * others go on from what they knew. Nothing of this ever runs on the main thread.
 */
import { conjuncts } from "../conjunction.js";
import { reachOf, UNBOUNDED } from "../reach.js";
import { NEVER, settle } from "../settle.js";
import { type ParsedSource, parseTrigger } from "../source.js";
import type { Diagnostic, Settled } from "../types.js";
import type { Check } from "./questions.js";
import { OpenStream, type SlowChecks, type SlowLimits, type SlowStream } from "./slow-stream.js";
import { type Outcome, startWorker, type WorkerLike, WorkerLink } from "./worker-link.js";

export type { SlowLimits, SlowStream } from "./slow-stream.js";

export interface SlowTrigger {
  readonly ruleId: string;
  readonly index: number;
  /** As written; it compiled. A syntax tree is many times as large, so it is made again by the few that need it. */
  readonly pattern: string;
}

/** Streams whose text the worker holds; of others it gets the text again. */
const HELD_STREAMS = 8;
/** A question on which the worker ended by itself is asked once more, not twice. */
const MOST_LOSSES = 2;

export class SlowTier {
  readonly #triggers: SlowChecks[] = [];
  readonly #spans = new Map<string, Diagnostic["span"]>();
  readonly #off = new Set<string>();
  readonly #losses = new Map<string, number>();
  readonly #link: WorkerLink;
  /** Streams that have something to ask, in turn. */
  readonly #queue = new Set<OpenStream>();
  /** How much of which stream the worker of this generation holds, least recently asked first. */
  readonly #held = new Map<number, number>();
  #heldBy = 0;
  #working = false;
  #disposed = false;
  #streams = 0;
  #questions = 0;
  #tests = 0;
  #timeouts = 0;

  /**
   * @param report told of each rule that is switched off
   * @param start for tests
   */
  constructor(
    triggers: readonly SlowTrigger[],
    private readonly limits: SlowLimits,
    private readonly report: (diagnostic: Diagnostic) => void,
    start: (answered: Int32Array) => WorkerLike = startWorker,
  ) {
    for (const trigger of triggers) this.add(trigger);
    this.#link = new WorkerLink(limits.msPerTest, start);
  }

  /** The trigger is watched from the next stream on. It is rewritten when it is first asked about: hundreds may come at once, in the middle of a stream. */
  add({ ruleId, index, pattern }: SlowTrigger): void {
    let checks: readonly Check[] | undefined;
    this.#triggers.push({
      ruleId,
      index,
      checks: () => {
        checks ??= checksOf(pattern);
        return checks;
      },
    });
    this.#spans.set(`${ruleId} ${index}`, { start: 0, end: pattern.length });
  }

  /**
   * @param armed which rules this stream watches for
   * @param onLate told of what settled by the last checkpoint, while the stream goes on
   */
  open(armed: (ruleId: string) => boolean, onLate: (settled: Settled) => void): SlowStream {
    const off = (ruleId: string): boolean => this.#disposed || this.#off.has(ruleId);
    const mine = this.#triggers.filter(({ ruleId }) => armed(ruleId) && !off(ruleId));
    const host = {
      limits: this.limits,
      newId: () => ++this.#streams,
      off,
      wants: (stream: OpenStream) => this.#wants(stream),
    };
    return new OpenStream(host, mine, onLate);
  }

  stats(): { workerTests: number; workerTimeouts: number } {
    return { workerTests: this.#tests, workerTimeouts: this.#timeouts };
  }

  /** Ends the worker; streams that wait for their end are told that nothing more was found. */
  dispose(): void {
    this.#disposed = true;
    for (const stream of this.#queue) stream.finish();
    this.#queue.clear();
    this.#link.stop();
  }

  #wants(stream: OpenStream): void {
    if (this.#disposed) {
      stream.finish();
      return;
    }
    this.#queue.add(stream);
    if (this.#working) return;
    this.#working = true;
    // Not within the delta: a worker may have to be started.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (;;) {
      const [stream] = this.#queue;
      if (!stream) break;
      this.#queue.delete(stream);
      const job = stream.next();
      if (!job) continue;
      // It may have more to ask, but the others come first.
      this.#queue.add(stream);
      const outcome = await this.#ask(stream, job.asked);
      if (this.#disposed) stream.finish();
      else this.#heard(stream, job, outcome);
    }
    this.#working = false;
  }

  #ask(stream: OpenStream, asked: NonNullable<ReturnType<OpenStream["next"]>>["asked"]): Promise<Outcome> {
    if (!this.#link.open()) return Promise.resolve({ kind: "lost" });
    if (this.#heldBy !== this.#link.generation) this.#held.clear();
    this.#heldBy = this.#link.generation;
    const sent = this.#held.get(stream.id);
    const { at, text } = stream.textFrom(sent, Math.max(asked.to, sent ?? 0));
    this.#held.delete(stream.id);
    this.#held.set(stream.id, at + text.length);
    const forget = [...this.#held.keys()].slice(0, -HELD_STREAMS);
    for (const id of forget) this.#held.delete(id);
    this.#tests += asked.checks.length;
    return this.#link.ask({ ...asked, id: ++this.#questions, at, text, forget });
  }

  #heard(stream: OpenStream, { ruleId, asked }: NonNullable<ReturnType<OpenStream["next"]>>, outcome: Outcome): void {
    const { msPerTest, msPerStream } = this.limits;
    if (outcome.kind === "timeout") {
      this.#timeouts++;
      this.#switchOff(ruleId, `took longer than ${msPerTest} ms to check`);
    } else if (outcome.kind === "lost") {
      const losses = (this.#losses.get(ruleId) ?? 0) + 1;
      this.#losses.set(ruleId, losses);
      if (losses >= MOST_LOSSES) this.#switchOff(ruleId, "could not be checked: the worker ended");
    } else if (outcome.answer.error !== undefined) {
      this.#switchOff(ruleId, `could not be checked (${outcome.answer.error})`);
    } else if (stream.answered(ruleId, asked, outcome.answer)) {
      this.#timeouts++;
      this.#switchOff(ruleId, `took longer than ${msPerStream} ms of one stream`);
    }
  }

  #switchOff(ruleId: string, why: string): void {
    this.#off.add(ruleId);
    const index = this.#triggers.find((trigger) => trigger.ruleId === ruleId)?.index ?? 0;
    this.report({
      ruleId,
      index,
      code: "timed-out",
      severity: "warning",
      message: `A trigger of this rule ${why}; its slow triggers are off for this session.`,
      span: this.#spans.get(`${ruleId} ${index}`) ?? { start: 0, end: 0 },
      suggestion: "Write the trigger without back-references and nested repetition.",
    });
  }
}

function checksOf(pattern: string): readonly Check[] {
  const parsed = parseTrigger(pattern);
  const parts = conjuncts(parsed)?.map((source) => parseTrigger(`${flagsOf(parsed)}${source}`)) ?? [parsed];
  return parts.map(checkOf);
}

function checkOf(parsed: ParsedSource): Check {
  const { source, flags, tree } = parsed;
  const settled = settle(parsed);
  // Where nothing was looked for before the end, a match may begin anywhere.
  const reach = settled === NEVER ? UNBOUNDED : reachOf(tree.alternatives, flags);
  return { settled, original: source, flags, reach };
}

function flagsOf({ flags }: ParsedSource): string {
  return flags === "" ? "" : `(?${flags})`;
}
