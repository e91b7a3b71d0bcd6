import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fold, firstFold } from "../../src/ttsr/fold.js";
import { type Hit, LaneCursor } from "../../src/ttsr/lanes/lane-cursor.js";
import { Tail } from "../../src/ttsr/lanes/tail.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { compileTriggers, type MatcherSet, type StreamCursor } from "../../src/ttsr/matcher/index.js";
import type { LaneInfo } from "../../src/ttsr/types.js";
import { cuts, rule, SETTINGS } from "./helpers.js";
import { Random } from "./matcher/fuzz/random.js";

function folded(pieces: readonly string[]): string {
  const fold = new Fold(0);
  return pieces.map((piece) => fold.push(piece)).join("") + fold.close();
}

describe("TTSR-4.6 the folded copy", () => {
  it.each([
    ["plain text stays, and letters of other scripts", "eval(1) é ß 漢字 ñ Ω", "eval(1) é ß 漢字 ñ Ω"],
    ["invisible characters go", "e\u200bv\u200ca\u00adl\u2060\ufeff(", "eval("],
    ["variation selectors go", "e\ufe0fv\u{e0101}al", "eval"],
    ["tags go", "eval\u{e0065}\u{e0076}(", "eval("],
    ["full-width letters and marks", "ｅｖａｌ（１）", "eval(1)"],
    ["mathematical letters", "\u{1d41e}\u{1d42f}\u{1d41a}\u{1d425}", "eval"],
    ["circled, superscript, and no-break space", "ⓔ²\u00a0x", "e2 x"],
    ["what would become several characters stays", "ﬁ … ½ ㎏", "ﬁ … ½ ㎏"],
    ["nothing is composed", "e\u0301", "e\u0301"],
    ["case stays", "ＥVal", "EVal"],
    ["lone surrogates stay", "a\ud800b\udc00", "a\ud800b\udc00"],
  ])("%s", (_what, text, expected) => {
    for (const pieces of cuts(text)) expect(folded(pieces), JSON.stringify(pieces)).toBe(expected);
  });

  it("every unit of the copy knows where it comes from", () => {
    const unit = fc.constantFrom("a", "é", "ｂ", "\u200b", "\u{1d41e}", "\u{e0065}", "\u{1f600}", "\ufe0f", "漢");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const fold = new Fold(5);
        const text = units.join("");
        const copy = fold.push(text);
        let [at, position] = [5, 5];
        for (const one of units) {
          const piece = folded([one]);
          for (let i = 0; i < piece.length; i++) {
            const same = piece.length === one.length;
            expect(fold.laneStart(position)).toBe(same ? at + i : at);
            position++;
            expect(fold.laneEnd(position)).toBe(same ? at + i + 1 : at + one.length);
          }
          at += one.length;
        }
        expect(copy.length).toBe(position - 5);
        expect(firstFold(text) >= 0).toBe(copy !== text);
      }),
    );
  });
});

const COMMAND: LaneInfo = { source: "tool", contentIndex: 0, toolCallId: "c", toolName: "bash", argument: "command" };

function matches(triggers: string[], pieces: readonly string[], info = COMMAND): string[] {
  const manager = new TtsrManager(SETTINGS);
  for (const trigger of triggers) manager.addRule(rule(trigger));
  const lane = manager.openLane(info);
  const found = [...pieces.flatMap((piece) => lane.push(piece)), ...lane.close().now];
  return found.map(({ rule: { name }, start, end, excerpt }) => `${name} ${start}-${end} ${excerpt}`);
}

function flagged(trigger: string): [source: string, flags: string] {
  return trigger.startsWith("(?m)") ? [trigger.slice(4), "m"] : [trigger, ""];
}

/** A cursor on a lane of its own, and what it does with its matcher's. */
function laneOf(trigger: string) {
  const set = compileTriggers([{ ruleId: "r", pattern: trigger, index: 0 }]);
  const seen = new Tail();
  let forked = 0;
  const open = (): StreamCursor => {
    const cursor = set.open(() => true);
    const fork = cursor.fork.bind(cursor);
    cursor.fork = (onLate) => {
      forked++;
      return fork(onLate);
    };
    return cursor;
  };
  const cursor = new LaneCursor(open, seen, 0, () => expect.unreachable());
  const feed = (text: string): Hit[] => {
    seen.append(text, false);
    return cursor.feed(text);
  };
  return { set, feed, forks: () => forked };
}

/** By rule: where it settled, and where its match begins. */
async function hitsOf(set: MatcherSet, pieces: readonly string[]): Promise<Map<string, string>> {
  const seen = new Tail();
  const found: Hit[] = [];
  const cursor = new LaneCursor(
    (onLate, before) => set.open(() => true, onLate, before),
    seen,
    0,
    (hit) => found.push(hit),
  );
  for (const piece of pieces) {
    seen.append(piece, false);
    found.push(...cursor.feed(piece));
  }
  const { now, late } = cursor.end();
  found.push(...now, ...(await late));
  expect(new Set(found.map(({ ruleId }) => ruleId)).size).toBe(found.length);
  return new Map(found.map((hit) => [hit.ruleId, `${hit.start(hit.ruleId)}-${hit.end}`]));
}

describe("TTSR-4.6 a rule fires if it holds on the lane or on its folded copy", () => {
  it("the copy begins in the midst of a line, which is not taken for its beginning", () => {
    const text = `xxxfoo${"y".repeat(2_044)}\n\uff46oo`;
    const at = text.indexOf("\uff46");
    expect(at).toBe(2_051);
    for (const pieces of [[text], text.split("")]) {
      expect(matches(["(?m)^foo"], pieces).map((line) => line.slice(0, 18))).toEqual([`(?m)^foo ${at}-${at + 3}`]);
    }
  });

  it.each([
    ["\\beval\\(", "x = e\u200bval(1)", ["\\beval\\( 4-10 x = e\u200bval("]],
    ["\\beval\\(", "x = ｅｖａｌ（1)", ["\\beval\\( 4-9 x = ｅｖａｌ（"]],
    [
      "\\beval\\(",
      "\u{1f600} \u{1d41e}\u{1d42f}\u{1d41a}\u{1d425}(1)",
      ["\\beval\\( 3-12 \u{1f600} \u{1d41e}\u{1d42f}\u{1d41a}\u{1d425}("],
    ],
    // To the lane itself it is no letter.
    ["\\bany\\b", "comp\u200bany", ["\\bany\\b 5-8 comp\u200bany"]],
    ["\\bany\\b", "\u200bany", ["\\bany\\b 1-4 \u200bany"]],
    ["foo$", "foo\u200b", ["foo$ 0-4 foo\u200b"]],
    // Nothing, behind the letter.
    ["(?<=a)", "\uff41\u200b-", ["(?<=a) 1-1 \uff41"]],
    // Each on its own: the lane itself has it.
    ["\u200b", "a\u200bb", ["\u200b 1-2 a\u200b"]],
    ["ab", "ab a\u200bb", ["ab 0-2 ab"]],
    ["ab", "a\u200bb ab", ["ab 0-3 a\u200bb"]],
  ])("%s on %j, however it is cut", (trigger, text, expected) => {
    for (const pieces of cuts(text)) expect(matches([trigger], pieces), JSON.stringify(pieces)).toEqual(expected);
  });

  it("the text before the first character that folds is the left context", () => {
    const text = `y${"x".repeat(40_000)} ev\u200bal(`;
    for (const pieces of [[text], text.match(/.{1,1000}/gs) ?? []]) {
      expect(matches(["eval\\("], pieces)).toEqual([`eval\\( 40002-40008 ${"x".repeat(113)} ev\u200bal(`]);
      // A part of the text is not its beginning.
      expect(matches(["^x+ eval\\("], pieces)).toEqual([]);
    }
  });

  it("in prose too, and hidden spans stay hidden", () => {
    const text: LaneInfo = { source: "text", contentIndex: 0 };
    for (const pieces of cuts("`ｅval(` then ｅval( it")) {
      expect(matches(["eval\\("], pieces, text)).toHaveLength(1);
    }
  });

  it("of what begins far in front of the first character that folds nothing is lost", () => {
    const text = `(${"x".repeat(5_000)} ev\u200bal( y`;
    for (const pieces of [[text], text.match(/.{1,1000}/gs) ?? [], text.split("")]) {
      // So far in front the beginning is not looked for.
      const found = [`5008-5008 ${"x".repeat(113)} ev\u200bal(`];
      expect(matches(["\\(x+ eval\\("], pieces)).toEqual(found.map((hit) => `\\(x+ eval\\( ${hit}`));
      expect(matches(["^[^]+eval\\("], pieces)).toEqual(found.map((hit) => `^[^]+eval\\( ${hit}`));
    }
  });

  it("every way of cutting gives the same hits, and they are those of the text or of its copy", async () => {
    const unit = fc.constantFrom(
      "a",
      "b",
      "(",
      " ",
      "\n",
      "ａ",
      "\u200b",
      "\u{1d41a}",
      "\u{e0065}",
      "\u{1f600}",
      "é",
      "\ud835",
    );
    const triggers = ["ab", "\\ba\\b", "(?m)^a", "a$", "b(?!a)", "(?<=\\n)\\(", "(a|b)\\1\\(", "\\ud835", "a[^]*b\\n"];
    const set = compileTriggers(triggers.map((pattern) => ({ ruleId: pattern, pattern, index: 0 })));
    const text = fc.array(unit, { maxLength: 14 }).map((units) => units.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.infiniteStream(fc.nat(4)), async (whole, lengths) => {
        const once = await hitsOf(set, [whole]);
        const holds = triggers.filter((each) =>
          [whole, folded([whole])].some((copy) => new RegExp(...flagged(each)).test(copy)),
        );
        expect([...once.keys()].sort()).toEqual(holds.sort());
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += pieces.at(-1)?.length ?? 0)
          pieces.push(whole.slice(at, at + (lengths.next().value ?? 0)));
        for (const cut of [pieces, whole.split("")]) expect(await hitsOf(set, cut), JSON.stringify(cut)).toEqual(once);
      }),
    );
    set.dispose();
  });

  it("costs no second cursor where nothing folds", () => {
    const { set, feed, forks } = laneOf("q");
    for (const text of ["plain", "日本語", "\u{1f600}", "\ud83d", "\ude00", "é"]) feed(text);
    expect([forks(), set.stats().unitsRead]).toEqual([0, 13]);
    feed("\u200b");
    expect([forks(), set.stats().unitsRead]).toEqual([1, 14]);
    feed("ab\u200b");
    expect([forks(), set.stats().unitsRead]).toEqual([1, 14 + 3 + 2]);
  });

  it("the delta in which the copy begins costs the same, whatever stands in front of it", () => {
    // A new state at each unit, as long as no place of the text is like another one.
    const dear = "x[^]{40}y";
    const random = new Random(3);
    const spent = [100, 1_000, 5_000].map((length) => {
      const { set, feed } = laneOf(dear);
      for (let i = 0; i < length; i++) feed(random.pick(["x", "z"]));
      // What every one of them has read last.
      feed("xzzx".repeat(20));
      const before = set.stats();
      feed("\u200bzz");
      const { unitsRead, threadSteps, misses } = set.stats();
      expect(unitsRead - before.unitsRead).toBe(3 + 2);
      expect(misses - before.misses).toBeLessThanOrEqual(5);
      return threadSteps - before.threadSteps;
    });
    expect(Math.max(...spent)).toBeLessThan(1_000);
    expect(new Set(spent).size).toBe(1);
  });
});
