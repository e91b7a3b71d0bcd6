/** The stream matcher, as it is shipped for other programs, against the plain way in the same run. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileTriggers, TriggerMemory } from "../../dist/matcher.js";
import { cpuMs } from "../matcher/cpu.mjs";
import { naive, naiveEstimate } from "../matcher/naive.mjs";
import { deltas, makeRules, makeText, SCRIPTS } from "../matcher/workload.mjs";

const COUNTS = [1, 10, 100, 1000];
const LENGTHS = [20_000, 100_000, 200_000, 400_000];
/** The best of so many later streams, and of as many more as it takes to feed so many units: short ones are over before the engine is warm. */
const WARM_RUNS = 5;
const WARM_UNITS = 4_000_000;
/** Those that hang a RegExp, and texts that make them. */
const EVIL = [
  ["(a+)+$", `${"a".repeat(29_999)}!`],
  ["(.*)*x", "a".repeat(30_000)],
  ["(x+x+)+y", "x".repeat(30_000)],
];
/** What the limits let through at the highest price. */
const COSTLY = [
  ["e[\\s\\S]{300}§", makeText("English", 20_000)],
  ["a[ab]{300}c", "abbabaab".repeat(2_500)],
  ["[ab]*a[ab]{900}c", "abbabaab".repeat(2_500)],
  ["(?:a{50}){20}b", "a".repeat(5_000)],
  ["(?<=a[ab]{300}x)y", "abbabaab".repeat(1_000)],
  ["(?=[ab]{200}c)[ab]*d", "abbabaab".repeat(1_000)],
  ["(?=a[ab]{120}c)[ab]*d", "abbabaab".repeat(250)],
];

/** Sets made to be dear: how many triggers, and the i-th of them. */
const letter = (i) => String.fromCharCode(65 + (i % 26));
const alternatives = (count, one) => Array.from({ length: count }, (_, k) => one(k)).join("|");
const HOSTILE = [
  [100, (i) => alternatives(100, (k) => `[ab]${letter(i + k)}${k}`)],
  [300, (i) => `(?<=x${i})[ab]A|(?<!y${i})bB`],
  [60, (i) => alternatives(20, (k) => `(?!${letter(i + k)})[ab]x${k}`)],
  [40, (i) => `(?=a[ab]{${60 + i}}c)(?=a[ab]{61}c)[ab]*d`],
  [300, (i) => `(?:(?![^]{${(i % 9) + 2}}c)[^])*d${i}`],
  [1_000, (i) => `(?<=[^]x${i})y`],
  [1_000, (i) => `(?=[^]{3}x${i})[^]y`],
  [2_000, (i) => `[^]{20}x${i}`],
  [2_000, (i) => `[ab]+${i}`],
];
const HOSTILE_TEXT = `abXaYb. c-d\nabcabeabaxabaaax a ab1a2b3 x1ax2bx3abx4aabb${"abbabaab".repeat(60)}`;

/** One stream. @returns CPU ms; the last verdicts are not waited for */
function stream(set, pieces) {
  return cpuMs(() => {
    const cursor = set.open(() => true);
    let fired = 0;
    for (const piece of pieces) fired += cursor.feed(piece).length;
    fired += cursor.end().now.length;
    if (fired > 0) throw new Error("A rule fired: then it is not tried any more, and the figures mean nothing.");
  });
}

/** The first stream of a set, with the making of it, and the best of some later ones. */
function measure(rules, pieces) {
  let set;
  const build = cpuMs(() => {
    set = compileTriggers(rules);
  });
  const cold = build + stream(set, pieces);
  const stats = set.stats?.();
  let warm = Number.POSITIVE_INFINITY;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  for (let i = 0; i < Math.max(WARM_RUNS, WARM_UNITS / length); i++) warm = Math.min(warm, stream(set, pieces));
  const tiers = rules.filter(({ ruleId }) => (set.tierOf?.(ruleId) ?? 1) !== 1).length;
  set.dispose?.();
  return { cold, warm, stats, slow: tiers };
}

/** @returns MB that the set and a stream of it hold */
function memory(rules, pieces) {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const held = () => {
    // What one collection finds may be let go of by the next.
    gc();
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const before = held();
  const set = compileTriggers(rules);
  const cursor = set.open(() => true);
  for (const piece of pieces) cursor.feed(piece);
  const after = held();
  cursor.end();
  set.dispose?.();
  return after - before;
}

const nsPerUnit = (ms, length) => (ms * 1e6) / length;
const whole = (value) => Math.round(value).toLocaleString("en");

export async function matcher() {
  const rows = [];
  const all = new Map();
  for (const count of COUNTS) {
    for (const length of LENGTHS) {
      const rules = makeRules(count);
      const pieces = deltas(makeText("English", length));
      const measured = measure(rules, pieces);
      const really = count <= 10 && length <= 20_000;
      const plain = really ? naive(rules, pieces) : naiveEstimate(rules, pieces);
      all.set(`${count} ${length}`, { ...measured, plain });
      const { cold, warm } = measured;
      rows.push({
        what: `${count} ${count === 1 ? "rule" : "rules"}, ${length / 1000} KB, warm`,
        measured: nsPerUnit(warm, length),
        unit: "ns/unit",
        reach: 15,
        note: `first ${whole(cold)} ms, plain way ${whole(plain)} ms${really ? "" : " (estimated)"}: ${whole(plain / cold)}x, later ${whole(plain / warm)}x`,
      });
    }
  }
  const of = (count, length) => all.get(`${count} ${length}`);
  rows.push(...counters(of(100, 100_000), of(1000, 100_000)));
  const typical = of(100, 100_000);
  rows.push(
    {
      what: "warm, 1,000 rules / 10 rules",
      measured: of(1000, 400_000).warm / of(10, 400_000).warm,
      unit: "x",
      reach: 2,
    },
    { what: "build + first stream, 100 rules, 100 KB", measured: typical.cold, unit: "ms", reach: 200 },
    { what: "the same / plain way (estimated)", measured: (typical.cold / typical.plain) * 1e3, unit: "‰", reach: 2 },
    {
      what: "warm / plain way (estimated)",
      measured: (typical.warm / typical.plain) * 1e6,
      unit: "ppm",
      reach: 50,
    },
    {
      what: "warm, 400 KB / 200 KB, 100 rules",
      measured: of(100, 400_000).warm / of(100, 200_000).warm,
      unit: "x",
      reach: 2.3,
    },
  );
  for (const script of SCRIPTS) rows.push(scriptRow(script));
  for (const [pattern, text] of EVIL) {
    const { cold } = measure([{ ruleId: "evil", pattern, index: 0 }], deltas(text));
    rows.push({ what: `${pattern} on ${text.length / 1000} KB`, measured: cold, unit: "ms", reach: 50 });
  }
  rows.push(costliest(), dearestDelta(), ...dearestOfSets());
  rows.push({
    what: "memory, 1,000 rules, after 400 KB",
    measured: memory(makeRules(1000), deltas(makeText("English", 400_000))),
    unit: "MB",
    reach: 8,
  });
  rows.push({ what: "of 1,000 rules not in tier 1", measured: of(1000, 20_000).slow, unit: "", reach: 0 });
  return rows;
}

/** Exact, so the same on every machine. */
function counters(hundred, thousand) {
  if (!hundred.stats || !thousand.stats) return [];
  return [
    { what: "units read beyond those fed, 100 KB", measured: hundred.stats.unitsRead - 100_000, unit: "", reach: 0 },
    { what: "automaton misses, 100 rules, 100 KB", measured: hundred.stats.misses, unit: "", reach: 3000 },
    { what: "automaton misses, 1,000 rules, 100 KB", measured: thousand.stats.misses, unit: "", reach: 4000 },
  ];
}

function scriptRow(script) {
  const text = makeText(script, 100_000);
  const rules = makeRules(100);
  const { cold, warm, stats } = measure(rules, deltas(text));
  const plain = naiveEstimate(rules, deltas(text));
  const misses = stats ? `, ${whole(stats.misses)} misses` : "";
  return {
    what: `100 rules, 100 KB of ${script}, warm`,
    measured: nsPerUnit(warm, text.length),
    unit: "ns/unit",
    reach: 15,
    note: `first ${whole(cold)} ms${misses}, plain way ${whole(plain)} ms (estimated)`,
  };
}

function costliest() {
  const costs = COSTLY.map(([pattern, text]) => {
    const { cold, slow } = measure([{ ruleId: "costly", pattern, index: 0 }], deltas(text));
    return { pattern, perUnit: cold / text.length, slow };
  });
  const [worst] = costs.sort((a, b) => b.perUnit - a.perUnit);
  return {
    what: `the costliest of ${COSTLY.length} triggers at the limits`,
    measured: worst.perUnit * 1e3,
    unit: "µs/unit",
    reach: 150,
    note: worst.pattern,
  };
}

/** Exact. Each of these triggers alone, and all of them together: how many steps of at most 0.1 µs one delta of four units took. */
function dearestDelta() {
  const one = Math.max(...COSTLY.map(([pattern, text]) => mostSteps([pattern], text)));
  const all = COSTLY.map(([pattern]) => pattern);
  const set = Math.max(...COSTLY.map(([, text]) => mostSteps(all, text)));
  return {
    what: "steps of the dearest delta, one such trigger",
    measured: one,
    unit: "",
    reach: 4_200,
    note: `all of them in one set: ${whole(set)} (≤ 16,384)`,
  };
}

/** The steps are exact; of the time of each delta the best of some runs counts, so that the engine has worked out its code. */
function dearestOfSets() {
  const worst = { steps: 0, ms: 0 };
  for (const [count, pattern] of HOSTILE) {
    const patterns = Array.from({ length: count }, (_, i) => pattern(i));
    const compiled = new TriggerMemory();
    const best = [];
    for (let run = 0; run < 25; run++) {
      for (const [i, { steps, ms }] of each(patterns, HOSTILE_TEXT, compiled).entries()) {
        worst.steps = Math.max(worst.steps, steps);
        best[i] = Math.min(best[i] ?? Number.POSITIVE_INFINITY, ms);
      }
    }
    worst.ms = Math.max(worst.ms, ...best);
  }
  const what = `${HOSTILE.length} sets made for it`;
  return [
    { what: `steps of the dearest delta, ${what}`, measured: worst.steps, unit: "", reach: 16_384, note: "" },
    { what: `the dearest delta, ${what}`, measured: worst.ms, unit: "ms", reach: 1.6, note: "best of 25 runs" },
  ];
}

const mostSteps = (patterns, text) => Math.max(...each(patterns, text).map(({ steps }) => steps));

/** @returns what each delta of a stream took */
function each(patterns, text, compiled) {
  const sources = patterns.map((pattern, i) => ({ ruleId: `costly${i}`, pattern, index: 0 }));
  const set = compileTriggers(sources, {}, compiled);
  set.prepare();
  const cursor = set.open(() => true);
  let before = set.stats().threadSteps;
  const all = deltas(text).map((piece) => {
    const began = performance.now();
    cursor.feed(piece);
    const ms = performance.now() - began;
    const steps = set.stats().threadSteps - before;
    before += steps;
    return { steps, ms };
  });
  cursor.end();
  set.dispose();
  return all;
}
