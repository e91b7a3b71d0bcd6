/** A rule's own proof: what it says it fires on, it fires on, and on nothing that it says it is silent on. */
import { onlyJudgesCalls, type Rule, type RuleDiagnostic, type RuleExample } from "../../capability/rule.js";
import type { TtsrMatch } from "../types.js";
import { Bench, type Cutting, cutAt, type Lab, SINGLE_UNITS, streamedText, WHOLE } from "./run-sample.js";
import { type Sample, samplesOf } from "./sample.js";
import { placeName, whyNoCall, whyNoMatch, whySilent } from "./why-silent.js";

export interface SampleVerdict {
  sample: Sample;
  matches: TtsrMatch[];
  /** Whether every way of cutting it gave the same matches at the same offsets. Undefined where it was not tried. */
  splitInvariant?: boolean;
  /** In one sentence why a rule could not be tried: then no match means nothing. */
  untried?: string;
}

export interface ExampleVerdict {
  kind: "fire" | "silent";
  example: RuleExample;
  ok: boolean;
  /** One sentence; only where it is not ok. */
  reason?: string;
  verdicts: SampleVerdict[];
}

/** Cuts tried in the middle of a text; a longer text is cut at so many places, evenly spread. */
const MOST_CUTS = 200;

/** @returns the matches of a sample, and whether they are the same however it is cut */
export async function trySample(rules: readonly Rule[], sample: Sample, lab: Lab): Promise<SampleVerdict> {
  const bench = new Bench(rules, lab);
  const matches = await bench.run(sample, WHOLE);
  const wanted = fingerprint(matches);
  let splitInvariant = true;
  for (const cut of cuttings(streamedText(sample).length)) {
    if (fingerprint(await bench.run(sample, cut)) !== wanted) splitInvariant = false;
  }
  return { sample, matches, splitInvariant, ...untriedOf(bench) };
}

/**
 * Tries every example of a rule. Their paths count from where its other patterns of files do.
 * @param thorough also cut at every position; without it whole texts alone, which is what a start can afford
 * @param between waited for before each example
 */
export async function proveRule(
  { below: _, ...rule }: Rule,
  lab: Lab,
  thorough: boolean,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<ExampleVerdict[]> {
  const { fire = [], silent = [] } = rule.examples ?? {};
  const verdicts: ExampleVerdict[] = [];
  await between();
  const bench = new Bench([rule], lab);
  for (const [kind, examples] of [["fire", fire] as const, ["silent", silent] as const]) {
    for (const example of examples) {
      await between();
      const tried: SampleVerdict[] = [];
      for (const sample of samplesOf(rule, example)) {
        tried.push(
          thorough
            ? await trySample([rule], sample, lab)
            : { sample, matches: await bench.run(sample, WHOLE), ...untriedOf(bench) },
        );
      }
      const reason =
        tried.find(({ untried }) => untried !== undefined)?.untried ??
        whatIsWrong(rule, kind, example, tried) ??
        (kind === "fire" ? await whyNot(rule, example, tried, lab) : undefined);
      verdicts.push({
        kind,
        example,
        ok: reason === undefined,
        verdicts: tried,
        ...(reason === undefined ? {} : { reason }),
      });
    }
  }
  return verdicts;
}

function untriedOf({ untried }: Bench): { untried?: string } {
  return untried === undefined ? {} : { untried };
}

/** @returns the failed examples as faults of the rule's file */
export function faultsOfExamples(rule: Rule, verdicts: readonly ExampleVerdict[]): RuleDiagnostic[] {
  return verdicts.flatMap(({ kind, reason }) =>
    reason === undefined
      ? []
      : [{ severity: "error" as const, code: `example-${kind}`, message: reason, path: rule.path }],
  );
}

function whatIsWrong(
  rule: Rule,
  kind: ExampleVerdict["kind"],
  { text, path, tool }: RuleExample,
  tried: readonly SampleVerdict[],
): string | undefined {
  const quoted = quote(text);
  if (tried.length === 0 && onlyJudgesCalls(rule)) {
    return `The rule looks at calls, and its example ${quoted} is none; write { call: { … }, tool: … } with the arguments of one.`;
  }
  if (tried.length === 0) {
    const where = [tool === undefined ? "" : `tool ${tool}`, path ?? ""].filter((part) => part !== "").join(", ");
    return `The rule's scope does not cover where its example ${quoted} stands${where === "" ? "" : ` (${where})`}.`;
  }
  const fired = tried.find(({ matches }) => matches.length > 0);
  if (kind === "silent" && fired) {
    const excerpt = fired.matches[0]?.excerpt ?? "";
    return `It should be silent on ${quoted}, and fires in ${placeName(fired.sample)} at "${excerpt.trim()}".`;
  }
  if (tried.some(({ splitInvariant }) => splitInvariant === false)) {
    return `Its verdict on ${quoted} depends on how the stream is cut; that is a fault of the program, please report it.`;
  }
  return undefined;
}

/** @returns why an example on which the rule should fire does not; undefined where it does */
async function whyNot(
  rule: Rule,
  { text }: RuleExample,
  tried: readonly SampleVerdict[],
  lab: Lab,
): Promise<string | undefined> {
  if (tried.some(({ matches }) => matches.length > 0)) return undefined;
  for (const { sample } of tried) {
    const silence = await whySilent(rule, sample, lab);
    if (silence) return `It should fire on ${quote(text)}, and does not: ${silence.reasons.join(", and ")}.`;
  }
  const [first] = tried;
  const why =
    first && (rule.detect || first.sample.call)
      ? whyNoMatch(rule, first.sample, lab)
      : "its trigger does not match that";
  const values = first ? whyNoCall(rule, first.sample) : [];
  return `It should fire on ${quote(text)}, and ${why}${values.length === 0 ? "" : `: ${values.join("; ")}`}.`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function cuttings(length: number): Cutting[] {
  const step = Math.max(1, Math.ceil(length / MOST_CUTS));
  const places = Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step).filter((place) => place > 0);
  return [SINGLE_UNITS, ...places.map(cutAt)];
}

function fingerprint(matches: readonly TtsrMatch[]): string {
  const marks = matches.map(
    ({ rule, lane, start, end }) => `${rule.name} ${lane.argument ?? ""} ${lane.part ?? ""} ${start} ${end}`,
  );
  return marks.sort().join("\n");
}
