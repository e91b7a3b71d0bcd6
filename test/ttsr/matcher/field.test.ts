import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";
import { cuts } from "../helpers.js";
import { Random } from "./fuzz/random.js";
import { Sampler } from "./sample.js";
import { setOf, verdictOf } from "./verdict.js";

const file = join(process.env["TTSR_SHARED"] ?? join(import.meta.dirname, "../../../../shared"), "field/triggers.json");
const there = existsSync(file);
const title = there
  ? "triggers of public rule files"
  : `no ${file}; set TTSR_SHARED to the folder with field/triggers.json`;
const FIRING = 6;
const SILENT = 12;

function triggers(): string[] {
  const rules = JSON.parse(readFileSync(file, "utf8")) as { condition?: string | string[] }[];
  return [...new Set(rules.flatMap(({ condition }) => condition ?? []))];
}

/** Globs in the place of a regex, and one that takes anything: refused, as they should be. */
const REFUSED = new Set(["*.tsx", "*.jsx", "*.vue", "*.svelte", ".*"]);

describe.skipIf(!there)(`TTSR-4.2 ${title}`, () => {
  const all = there ? triggers() : [];
  const usable = all.filter((pattern) => !REFUSED.has(pattern));
  // `RegExp` needs minutes for near misses of the one with a back-reference, which is why tier 2 has a time limit.
  const fast = usable.filter((pattern) => setOf(pattern).tierOf("r") === 1);

  it("run in tier 1, or, for back-references, in tier 2", () => {
    expect(all.length).toBeGreaterThan(80);
    for (const pattern of all) {
      const set = setOf(pattern);
      const codes = set.diagnostics.map(({ code }) => code);
      const expected = REFUSED.has(pattern) ? "rejected" : codes.includes("backreference") ? 2 : 1;
      expect(set.tierOf("r"), pattern).toBe(expected);
    }
  });

  it.each(fast)("%s", async (pattern) => {
    const random = new Random(7);
    const { source, flags } = parseTrigger(pattern);
    const expression = new RegExp(source, flags);
    const sampler = new Sampler(source, flags, random);
    const firing = new Set<string>();
    const silent = new Set<string>();
    for (let tries = 0; tries < 4000 && (firing.size < FIRING || silent.size < SILENT); tries++) {
      const text = sampler.text();
      for (const each of [text, sampler.nearMiss(text)]) {
        if (each.length > 600) continue;
        if (!expression.test(each)) silent.size < SILENT && silent.add(each);
        else if (firing.size < FIRING) firing.add(each);
      }
    }
    expect(firing.size, "texts that fire").toBeGreaterThan(0);
    expect(silent.size, "near misses").toBeGreaterThan(0);
    const set = setOf(pattern);
    for (const text of [...firing, ...silent]) {
      const whole = await verdictOf(set, [text]);
      expect(whole !== "silent", `${JSON.stringify(text)} ${whole}`).toBe(expression.test(text));
      for (const pieces of cuts(text).filter((_, i) => i < 2 || i % 7 === 0))
        expect(await verdictOf(set, pieces), JSON.stringify(pieces)).toBe(whole);
      const position = whole.endsWith("unit") ? Number.parseInt(whole, 10) : undefined;
      if (position === undefined) continue;
      for (const other of ["", "x", " ", "\n", "-with-lease?"])
        expect(expression.test(text.slice(0, position) + other), `${text} at ${position}`).toBe(true);
    }
  });

  it("all in one set say what each says alone", () => {
    const random = new Random(11);
    const set = compileTriggers(fast.map((pattern) => ({ ruleId: pattern, pattern, index: 0 })));
    const samplers = fast.map((pattern) => {
      const { source, flags } = parseTrigger(pattern);
      return { pattern, expression: new RegExp(source, flags), sampler: new Sampler(source, flags, random) };
    });
    for (let i = 0; i < 30; i++) {
      const text = random.list(4, () => random.pick(samplers).sampler.text()).join(random.pick(["\n", " ", ""]));
      const cursor = set.open(() => true);
      const found = new Set([...cursor.feed(text), ...cursor.end().now].map(({ ruleId }) => ruleId));
      for (const { pattern, expression } of samplers) {
        expect(found.has(pattern), `${pattern} on ${JSON.stringify(text)}`).toBe(expression.test(text));
      }
    }
    expect(set.diagnostics.filter(({ code }) => code === "demoted")).toEqual([]);
  });
});
