/** From one trigger as written to what can be run: which tier runs it, and what its author should know. */
import { Program } from "./automaton/program.js";
import { conjuncts } from "./conjunction.js";
import { DEFAULT_LIMITS } from "./limits.js";
import { type Finding, grouped } from "./lint/finding.js";
import { lint } from "./lint/index.js";
import type { CharSet } from "./pattern/char-set.js";
import type { Node, Regular } from "./pattern/ir.js";
import { lower, NotRegular } from "./pattern/lower.js";
import { TriggerError } from "./refusal.js";
import { type ParsedSource, parseTrigger } from "./source.js";
import type { SlowTrigger } from "./tier2/slow-tier.js";
import type { CompileLimits, Diagnostic, TriggerSource } from "./types.js";

/** A trigger for tier 1: it holds when each of its nodes has matched somewhere. Nearly always there is one. */
export interface FastTrigger extends SlowTrigger {
  readonly nodes: readonly Node[];
  /** Of all nodes together. */
  readonly positions: number;
  /** Positions where a thread stands at every place of the text. */
  readonly starts: number;
  /** Sets of units that it asks for. */
  readonly sets: readonly CharSet[];
}

/** A trigger, and what is to be told of it. Belongs to no set: several may have it. */
export interface CompiledTrigger {
  readonly source: TriggerSource;
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}

export type Compiled =
  | { readonly tier: 1; readonly trigger: FastTrigger }
  | { readonly tier: 2; readonly trigger: SlowTrigger }
  | { readonly tier: "rejected" };

/** Never throws on a bad pattern. */
export function compileTrigger(source: TriggerSource, limits: CompileLimits): CompiledTrigger {
  const { ruleId, index, pattern } = source;
  const told = (findings: readonly Finding[]): Diagnostic[] => findings.map((each) => ({ ruleId, index, ...each }));
  try {
    const parsed = parseTrigger(pattern);
    const findings: Finding[] = [];
    const regular = lowered(pattern, parsed, findings);
    const most = limits.positionsPerRule;
    const program = regular && Program.of(regular.parts, Math.max(most, DEFAULT_LIMITS.positionsPerRule));
    const linted = lint(pattern, parsed, regular, program);
    if (linted.some(({ severity }) => severity === "error"))
      return { source, compiled: { tier: "rejected" }, diagnostics: told(linted) };
    findings.push(...linted);
    const slow: SlowTrigger = { ruleId, index, pattern };
    const fast = regular && program && program.size <= most ? fastTrigger(slow, regular.parts, program) : undefined;
    if (regular && !fast) {
      const places = `${grouped(most)} places`;
      findings.push(tooLarge(pattern, `This trigger needs more than ${places} when its counts are written out,`));
    }
    const compiled: Compiled = fast ? { tier: 1, trigger: fast } : { tier: 2, trigger: slow };
    return { source, compiled, diagnostics: told(findings) };
  } catch (error) {
    return { source, compiled: { tier: "rejected" }, diagnostics: told([refusal(error)]) };
  }
}

/** @returns the pattern, and what of it is searched on its own; undefined, with a finding, where it is not regular */
function lowered(pattern: string, parsed: ParsedSource, findings: Finding[]): Regular | undefined {
  try {
    const whole = lower(parsed);
    const prefix = parsed.flags === "" ? "" : `(?${parsed.flags})`;
    const parts = conjuncts(parsed)?.map((source) => lower(parseTrigger(prefix + source)));
    return { whole, parts: parts ?? [whole] };
  } catch (error) {
    if (!(error instanceof NotRegular)) throw error;
    const what = pattern.slice(parsed.offset + error.start, parsed.offset + error.end);
    const name = error.code === "backreference" ? "A back-reference" : "A look-ahead inside a look-behind";
    findings.push({
      code: error.code,
      severity: "warning",
      message: `${name} (${what}) cannot be followed character by character, so this trigger is checked per line in a worker with a time limit.`,
      span: { start: parsed.offset + error.start, end: parsed.offset + error.end },
    });
    return undefined;
  }
}

function fastTrigger(slow: SlowTrigger, nodes: readonly Node[], program: Program): FastTrigger {
  const positions = program.size;
  const starts = program.parts.reduce((sum, part) => sum + part.starts, 0);
  return { ...slow, nodes, positions, starts, sets: program.sets };
}

/** @param why ends in a comma */
export function tooLarge(pattern: string, why: string): Finding {
  return {
    code: "too-large",
    severity: "warning",
    message: `${why} so it is checked per line in a worker with a time limit.`,
    span: { start: 0, end: pattern.length },
    suggestion: "Use smaller counts, or * and + in their place.",
  };
}

function refusal(error: unknown): Finding {
  if (!(error instanceof TriggerError)) throw error;
  const { code, message, start, end, suggestion } = error;
  return { code, severity: "error", message, span: { start, end }, ...(suggestion ? { suggestion } : {}) };
}
