/**
 * The matcher against `RegExp` and the oracle. A *case* is one pattern on one text. Checked for each:
 * whole, in single units and in random pieces the same; position = the oracle's; verdict at the end = `RegExp.test`; once settled, `RegExp` holds on
 * every later prefix and on random other continuations; several patterns in one set, with other cursors in between, with tables that are
 * thrown away all the time, and with tight limits = each alone.
 */
import { compileTriggers } from "../../../../src/ttsr/matcher/index.js";
import type { CompileLimits, MatcherSet, Settled } from "../../../../src/ttsr/matcher/types.js";
import { Oracle, OutOfBudget } from "../oracle.js";
import { randomCut, randomFlags, randomPattern, randomText } from "./patterns.js";
import { Random } from "./random.js";

export interface Counts {
  patterns: number;
  /** Pairs of pattern and text. */
  cases: number;
  comparedWithOracle: number;
  overBudget: number;
  /** Runs of one way to cut. */
  cuts: number;
  laterPrefixes: number;
  continuations: number;
  casesInSets: number;
  settledBefore: number;
  settledAtEnd: number;
  silent: number;
  refused: number;
  tier2: number;
  flushes: number;
  isolated: number;
  demoted: number;
  failures: number;
}

/** `"7 unit"`, `"9 end"` or `"silent"`. */
type Verdict = string;

interface Subject {
  pattern: string;
  source: string;
  flags: string;
  expression: RegExp;
}

const TEXTS_EACH = 6;
const SET_SIZE = 12;
/** Under these some trigger of nearly each set is given up. */
const TIGHT: Partial<CompileLimits> = { threadsPerRule: 12, threadsPerSet: 60 };
/** Under these none is. */
const USUAL: Partial<CompileLimits> = {};

export class DifferentialFuzz {
  readonly counts: Counts = {
    patterns: 0,
    cases: 0,
    comparedWithOracle: 0,
    overBudget: 0,
    cuts: 0,
    laterPrefixes: 0,
    continuations: 0,
    casesInSets: 0,
    settledBefore: 0,
    settledAtEnd: 0,
    silent: 0,
    refused: 0,
    tier2: 0,
    flushes: 0,
    isolated: 0,
    demoted: 0,
    failures: 0,
  };
  /** The first few. */
  readonly failures: string[] = [];
  readonly #random: Random;
  #pool: Subject[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** One pattern, and a set when enough have come together. */
  step(): void {
    const random = this.#random;
    const source = randomPattern(random);
    const flags = randomFlags(random);
    let expression: RegExp;
    try {
      expression = new RegExp(source, flags);
    } catch {
      return;
    }
    const pattern = `${flags === "" ? "" : `(?${flags})`}${source}`;
    const subject = { pattern, source, flags, expression };
    const set = compileTriggers([{ ruleId: "0", pattern, index: 0 }], this.#limits());
    this.counts.patterns++;
    if (!this.#usable(subject, set)) return;
    for (let i = 0; i < TEXTS_EACH; i++) this.#case(subject, set, randomText(random, 10));
    this.counts.flushes += set.stats().flushes;
    this.#pool.push(subject);
    if (this.#pool.length < SET_SIZE) return;
    this.#together(this.#pool);
    this.#pool = [];
  }

  /** Now and then the tables hold next to nothing. */
  #limits(): Partial<CompileLimits> {
    return this.#random.below(3) === 0 ? { cachedStates: 2 + this.#random.below(6) } : USUAL;
  }

  #usable({ source, flags }: Subject, set: MatcherSet): boolean {
    const tier = set.tierOf("0");
    const settledAtOnce = settledAt(new Oracle(source, flags), "") === 0;
    if (settledAtOnce && tier === 1) this.#fail("settled at once", { source, flags, tier });
    if (tier === 1) return true;
    if (tier === 2) {
      this.counts.tier2++;
      if (!set.diagnostics.some(({ code }) => code === "lookahead-in-lookbehind")) this.#fail("tier 2", { source });
      return false;
    }
    this.counts.refused++;
    const code = set.diagnostics.find(({ severity }) => severity === "error")?.code;
    const expression = new RegExp(source, flags);
    const texts = ["", ...this.#random.list(20, () => randomText(this.#random, 10))];
    if (code === "matches-empty" && texts.every((text) => expression.test(text))) return false;
    if (code === "never-matches" && !texts.some((text) => expression.test(text))) return false;
    this.#fail(`refused: ${code}`, { source, flags });
    return false;
  }

  #case(subject: Subject, set: MatcherSet, text: string): void {
    const { counts } = this;
    const { source, flags, expression } = subject;
    counts.cases++;
    const whole = this.#run(set, [text]).get("0") ?? "silent";
    const cuts = [text.split(""), randomCut(this.#random, text), randomCut(this.#random, text)];
    for (const pieces of cuts) {
      const verdict = this.#run(set, pieces).get("0") ?? "silent";
      if (verdict !== whole) this.#fail("cut", { source, flags, pieces, verdict, whole });
    }
    if (this.#random.below(4) === 0) this.#takenBack(subject, set, text, whole);
    if (this.#random.below(4) === 0) this.#wandering(subject, set, text, whole);
    if (this.#random.below(4) === 0) this.#forked(subject, set, text, whole);

    const end = expression.test(text);
    if ((whole !== "silent") !== end) this.#fail("end", { source, flags, text, whole, end });
    const position = whole.endsWith("unit") ? Number.parseInt(whole, 10) : undefined;
    if (position !== undefined) counts.settledBefore++;
    else if (whole === "silent") counts.silent++;
    else counts.settledAtEnd++;

    if (position !== undefined) {
      for (let length = position; length <= text.length; length++) {
        counts.laterPrefixes++;
        if (!expression.test(text.slice(0, length))) this.#fail("unsound", { source, flags, text, position, length });
      }
      for (let i = 0; i < 3; i++) {
        counts.continuations++;
        const other = text.slice(0, position) + randomText(this.#random, 6);
        if (!expression.test(other)) this.#fail("unsound", { source, flags, text: other, position });
      }
    }

    const expected = settledAt(new Oracle(source, flags), text);
    if (expected === "unknown") counts.overBudget++;
    else {
      counts.comparedWithOracle++;
      if (expected !== position) this.#fail("oracle", { source, flags, text, position, expected });
    }
  }

  /** A cursor that goes astray and is taken back says the same as one that never did; so do snapshots. */
  #takenBack(subject: Subject, set: MatcherSet, text: string, whole: Verdict): void {
    const { source, flags } = subject;
    const at = this.#random.below(text.length + 1);
    const cursor = set.open(() => true);
    const found = [...cursor.feed(text.slice(0, at))];
    const mark = cursor.save();
    cursor.feed(randomText(this.#random, 6));
    if (this.#random.below(2) === 0) cursor.end();
    cursor.restore(mark);
    found.push(...cursor.feed(text.slice(at)), ...cursor.end().now);
    if (first(found) !== whole) this.#fail("restore", { source, flags, text, at, found, whole });

    const snapshots = set.open(() => true);
    const seen = new Map<string, Settled>();
    const astray = text.slice(0, at) + randomText(this.#random, 4);
    for (const [i, snapshot] of [text.slice(0, at), astray, text].entries()) {
      // What the astray text gave does not count.
      for (const settled of snapshots.sync(snapshot)) if (i !== 1) seen.set(settled.ruleId, settled);
    }
    for (const settled of snapshots.end().now) seen.set(settled.ruleId, settled);
    const common = text.startsWith(astray) || astray.startsWith(text);
    if (!common && first([...seen.values()]) !== whole) this.#fail("sync", { source, flags, text, astray, whole });
  }

  /** A cursor that goes on from where another one stood, which goes astray, says the same as one that read the whole text; so does the other way round. */
  #forked({ source, flags }: Subject, set: MatcherSet, text: string, whole: Verdict): void {
    const at = this.#random.below(text.length + 1);
    const parent = set.open(() => true);
    const found = [...parent.feed(text.slice(0, at))];
    const both = [parent, parent.fork()] as const;
    const [one, other] = this.#random.below(2) === 0 ? both : ([both[1], both[0]] as const);
    for (const piece of randomCut(this.#random, text.slice(at))) {
      other.feed(randomText(this.#random, 4));
      found.push(...one.feed(piece));
    }
    other.end();
    found.push(...one.end().now);
    if (first(found) !== whole) this.#fail("fork", { source, flags, text, at, found, whole });
  }

  /** Marks at random places, gone back to at random, and snapshots that are rewritten again and again, say what the text says that stands in the end. */
  #wandering({ source, flags }: Subject, set: MatcherSet, text: string, whole: Verdict): void {
    const random = this.#random;
    const cursor = set.open(() => true);
    const marks = [{ mark: cursor.save(), told: "silent", written: "" }];
    let written = "";
    let told: Verdict = "silent";
    const take = (found: readonly Settled[]): void => {
      if (found.length > 0) told = first(found);
    };
    let ended = false;
    for (let step = 0; step < 12; step++) {
      if (ended || random.below(3) === 0) {
        const back = random.pick(marks);
        cursor.restore(back.mark);
        ({ told, written } = back);
        ended = false;
      } else {
        const ahead = text.startsWith(written) && random.below(3) > 0;
        const piece = ahead ? text.slice(written.length, written.length + random.below(4)) : randomText(random, 3);
        take(cursor.feed(piece));
        written += piece;
        if (random.below(2) === 0) marks.push({ mark: cursor.save(), told, written });
        ended = random.below(6) === 0;
        if (ended) cursor.end();
      }
    }
    const last = marks.filter((each) => text.startsWith(each.written)).pop() ?? marks[0];
    if (last) {
      cursor.restore(last.mark);
      told = last.told;
      take(cursor.feed(text.slice(last.written.length)));
      take(cursor.end().now);
    }
    if (told !== whole) this.#fail("wandering", { source, flags, text, told, whole });

    const snapshots = set.open(() => true);
    let seen: Verdict = "silent";
    let before = "";
    for (const snapshot of [
      ...random.list(4, () => text.slice(0, random.below(text.length + 1)) + randomText(random, 3)),
      text,
    ]) {
      const found = snapshots.sync(snapshot);
      const common = commonLength(before, snapshot);
      // A verdict stands as long as what it rests on does; behind a change the cursor says it again.
      if (found.length > 0) seen = first(found);
      else if (Number.parseInt(seen, 10) > common) seen = "silent";
      before = snapshot;
    }
    const end = snapshots.end().now;
    if (end.length > 0) seen = first(end);
    if (seen !== whole) this.#fail("snapshots", { source, flags, text, seen, whole });
  }

  #together(subjects: readonly Subject[]): void {
    const { counts } = this;
    const sources = subjects.map(({ pattern }, i) => ({ ruleId: String(i), pattern, index: 0 }));
    const alone = sources.map((source) => compileTriggers([{ ...source, ruleId: "0" }]));
    const limits = this.#random.pick<Partial<CompileLimits>>([USUAL, { cachedStates: 4 }, { cachedStates: 40 }, TIGHT]);
    const set = compileTriggers(sources, limits);
    for (let i = 0; i < 6; i++) {
      const text = randomText(this.#random, 24);
      // Another stream goes through the same tables in between.
      const other = set.open(() => true);
      const found = this.#run(set, randomCut(this.#random, text), () => other.feed(randomText(this.#random, 3)));
      for (const [number, each] of alone.entries()) {
        // Whoever was given up is tier 2's now; the others must not notice.
        if (limits !== USUAL && set.tierOf(String(number)) !== 1) continue;
        counts.casesInSets++;
        const own = this.#run(each, [text]).get("0") ?? "silent";
        const shared = found.get(String(number)) ?? "silent";
        if (own !== shared) {
          const patterns = subjects.map(({ pattern }) => pattern);
          this.#fail("set", { text, number, own, shared, limits, patterns });
        }
      }
    }
    counts.flushes += set.stats().flushes;
    counts.isolated += set.diagnostics.filter(({ code }) => code === "isolated").length;
    const demoted = set.diagnostics.filter(({ code }) => code === "demoted").length;
    counts.demoted += demoted;
    if (demoted > 0 && limits === USUAL) this.#fail("demoted", { sources });
    // What was given up is of no interest here: its worker need not begin.
    set.dispose();
  }

  #run(set: MatcherSet, pieces: readonly string[], between: () => void = () => undefined): Map<string, Verdict> {
    this.counts.cuts++;
    const cursor = set.open(() => true);
    const verdicts = new Map<string, Verdict>();
    let fed = 0;
    const take = (found: readonly Settled[], within: boolean): void => {
      for (const { ruleId, position, settledBy } of found) {
        if (verdicts.has(ruleId)) this.#fail("twice", { pieces, ruleId });
        if (within && position > fed) this.#fail("ahead of its delta", { pieces, ruleId, position });
        verdicts.set(ruleId, `${position} ${settledBy}`);
      }
    };
    for (const piece of pieces) {
      const before = fed;
      fed += piece.length;
      const found = cursor.feed(piece);
      take(found, true);
      // Settled in the very delta that holds the unit; what holds on nothing at all, in the first one.
      if (found.some(({ position }) => position <= before && position > 0)) this.#fail("late", { pieces, found });
      between();
    }
    take(cursor.end().now, false);
    return verdicts;
  }

  #fail(kind: string, what: object): void {
    this.counts.failures++;
    if (this.failures.length < 8) this.failures.push(`${kind} ${JSON.stringify(what)}`);
  }
}

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function first(found: readonly Settled[]): Verdict {
  const [one] = found;
  return one ? `${one.position} ${one.settledBy}` : "silent";
}

function settledAt(oracle: Oracle, text: string): number | undefined | "unknown" {
  try {
    return oracle.settledAt(text);
  } catch (error) {
    if (error instanceof OutOfBudget) return "unknown";
    throw error;
  }
}
