/** The set: which trigger is run where, and what is to be told about them. Automata are built when the first stream is opened, or before it. */
import { type Compiled, type CompiledTrigger, type FastTrigger, tooLarge } from "./compile.js";
import { crowdedOut } from "./crowd.js";
import { Cursor } from "./cursor.js";
import { Machine } from "./machine.js";
import { SlowTier, type SlowTrigger } from "./tier2/slow-tier.js";
import type {
  CompileLimits,
  Diagnostic,
  DiagnosticCode,
  MatcherSet,
  MatcherStats,
  Settled,
  StreamCursor,
  TriggerSource,
} from "./types.js";

export class TriggerSet implements MatcherSet {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #fast: FastTrigger[] = [];
  readonly #slow: SlowTrigger[] = [];
  readonly #tiers = new Map<string, 1 | 2>();
  #machine: Machine | undefined;
  #slowTier: SlowTier | undefined;
  /** How many demotions of its machine it has followed. */
  #demotions = 0;
  #disposed = false;

  constructor(
    triggers: readonly CompiledTrigger[],
    private readonly limits: CompileLimits,
  ) {
    const fast = triggers.flatMap(({ compiled }) => (compiled.tier === 1 ? [compiled.trigger] : []));
    const crowded = crowdedOut(fast, limits);
    for (const { source, compiled, diagnostics } of triggers) {
      this.#diagnostics.push(...diagnostics);
      const much = compiled.tier === 1 ? crowded.get(compiled.trigger) : undefined;
      if (much) {
        const { ruleId, index } = source;
        const why = `Together with this trigger the rules have too many ${much},`;
        this.#diagnostics.push({ ruleId, index, ...tooLarge(source.pattern, why) });
      }
      this.#add(source, compiled, much !== undefined);
    }
  }

  get diagnostics(): readonly Diagnostic[] {
    this.#followDemotions();
    return this.#diagnostics;
  }

  has(ruleId: string): boolean {
    return this.#tiers.has(ruleId);
  }

  tierOf(ruleId: string): 1 | 2 | "rejected" {
    this.#followDemotions();
    return this.#tiers.get(ruleId) ?? "rejected";
  }

  prepare(): void {
    this.#started();
  }

  open(armed: (ruleId: string) => boolean, onLate?: (settled: Settled) => void, before = ""): StreamCursor {
    return new Cursor({ machine: this.#started(), slowTier: () => this.#slows(), armed, before }, onLate);
  }

  stats(): MatcherStats {
    const nothing = { unitsRead: 0, misses: 0, states: 0, flushes: 0, threadSteps: 0, tableBytes: 0 };
    const worker = this.#slowTier?.stats() ?? { workerTests: 0, workerTimeouts: 0 };
    return { ...(this.#machine?.stats ?? nothing), ...worker };
  }

  dispose(): void {
    this.#followDemotions();
    this.#disposed = true;
    this.#slowTier?.dispose();
    this.#slowTier = undefined;
    this.#machine = undefined;
  }

  #started(): Machine {
    this.#machine ??= new Machine(this.#fast, this.limits, (trigger) =>
      this.#tell(trigger, "isolated", "info", ISOLATED),
    );
    return this.#machine;
  }

  #add({ ruleId }: TriggerSource, compiled: Compiled, crowded: boolean): void {
    if (compiled.tier === "rejected") return;
    if (compiled.tier === 1 && !crowded) {
      this.#fast.push(compiled.trigger);
      if (!this.#tiers.has(ruleId)) this.#tiers.set(ruleId, 1);
    } else {
      this.#slow.push(compiled.trigger);
      this.#tiers.set(ruleId, 2);
    }
  }

  /** Whenever it is asked about something that hangs on them. */
  #followDemotions(): void {
    const { triggers, demotions } = this.#machine ?? { triggers: [], demotions: [] };
    for (const { trigger: number, reason } of demotions.slice(this.#demotions)) {
      this.#demotions++;
      const trigger = triggers[number];
      if (!trigger) continue;
      this.#slow.push(trigger);
      this.#slowTier?.add(trigger);
      this.#tiers.set(trigger.ruleId, 2);
      this.#tell(trigger, "demoted", "warning", `This trigger ${reason}; ${DEMOTED}`);
    }
  }

  #slows(): SlowTier | undefined {
    this.#followDemotions();
    if (this.#slow.length === 0 || this.#disposed) return undefined;
    this.#slowTier ??= new SlowTier(this.#slow, this.limits.worker, (diagnostic) => this.#diagnostics.push(diagnostic));
    return this.#slowTier;
  }

  #tell(trigger: SlowTrigger, code: DiagnosticCode, severity: Diagnostic["severity"], message: string): void {
    const { ruleId, index, pattern } = trigger;
    const span = { start: 0, end: pattern.length };
    this.#diagnostics.push({ ruleId, index, code, severity, message, span });
  }
}

const DEMOTED = "from now on it is checked per line in a worker with a time limit.";
const ISOLATED = "This trigger has so many states that it is run apart from the others; it costs more than they do.";
