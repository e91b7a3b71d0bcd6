import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import type { LaneInfo } from "../../src/ttsr/types.js";
import { cuts, rule, SETTINGS } from "./helpers.js";

const COMMAND: LaneInfo = { source: "tool", contentIndex: 0, toolCallId: "c", toolName: "bash", argument: "command" };

function managerOf(...rules: Rule[]): TtsrManager {
  const manager = new TtsrManager(SETTINGS);
  for (const each of rules) expect(manager.addRule(each)).toBe(true);
  return manager;
}

/** [rule, start-end, +: before the lane closed] */
async function run(manager: TtsrManager, pieces: readonly string[], info = COMMAND): Promise<string[]> {
  manager.resetBuffer();
  const late: string[] = [];
  const show = (when: string) => (match: { rule: Rule; start: number; end: number }) =>
    `${match.rule.name} ${match.start}-${match.end}${when}`;
  const lane = manager.openLane(info, { onLate: (matches) => late.push(...matches.map(show("+"))) });
  const found = pieces.flatMap((piece) => lane.push(piece)).map(show("+"));
  const end = lane.close();
  return [...found, ...late, ...end.now.map(show("")), ...(await end.late).map(show(""))];
}

async function everyCut(manager: TtsrManager, text: string): Promise<string[]> {
  const whole = await run(manager, [text]);
  for (const pieces of cuts(text)) expect(await run(manager, pieces), JSON.stringify(pieces)).toEqual(whole);
  return whole;
}

const foo = (more: Partial<Rule> = {}): Rule => rule("foo", { unless: ["ok"], ...more });

describe("TTSR-3.5 unless", () => {
  it.each([
    ["nothing vetoes", "a foo", {}, ["foo 2-5+"]],
    ["on its own line, before it", "ok foo", {}, []],
    ["not behind it", "foo ok", {}, ["foo 0-3+"]],
    ["within three lines before it", "ok\n1\n2\nfoo", {}, []],
    ["not four", "ok\n1\n2\n3\nfoo", {}, ["foo 9-12+"]],
    ["unlessWithin: 1", "ok\n1\nfoo", { unlessWithin: 1 }, ["foo 5-8+"]],
    ["unlessWithin: 0", "ok\nfoo ok foo", { unlessWithin: 0 }, ["foo 3-6+"]],
    ["a vetoed match does not use the rule up", `ok foo\n${"x\n".repeat(5)}foo`, {}, ["foo 17-20+"]],
    ["but it silences its line", "ok foo foo\n", {}, []],
    ["and the next line is looked at by itself", "ok foo\nfoo", { unlessWithin: 0 }, ["foo 7-10+"]],
    ["several times", "ok foo\nok foo\nfoo ok\n", { unlessWithin: 0 }, ["foo 14-17+"]],
    ["unlessAfter: 1, vetoed", "foo\nok\n", { unlessAfter: 1 }, []],
    ["unlessAfter: 1, on its own line", "foo ok\n\n", { unlessAfter: 1 }, []],
    ["unlessAfter: 1, held and let through", "foo\nno\nok", { unlessAfter: 1 }, ["foo 0-3+"]],
    ["unlessAfter: 1, held until the end", "foo\nno", { unlessAfter: 1 }, ["foo 0-3"]],
    ["unlessAfter: 1, vetoed by the end", "foo\nno ok", { unlessAfter: 1 }, []],
    [
      "what stands behind a held match is looked at again",
      "foo ok\nfoo\n\n",
      { unlessAfter: 1, unlessWithin: 0 },
      ["foo 7-10+"],
    ],
    ["and once more", "foo\nok\nfoo\nfoo\n.\n.\n", { unlessAfter: 1, unlessWithin: 0 }, ["foo 7-10+"]],
  ] as [string, string, Partial<Rule>, string[]][])("%s, however it is cut", async (_what, text, more, expected) => {
    expect(await everyCut(managerOf(foo(more)), text)).toEqual(expected);
  });

  it("what stands behind a vetoed match is not the beginning of the lane", async () => {
    for (const trigger of ["^bar|foo", "(?<!\\n)bar|foo"]) {
      const manager = managerOf(rule(trigger, { unless: ["ok"], unlessWithin: 0 }));
      expect(await everyCut(manager, "ok foo\nbar foo\n")).toEqual([`${trigger} 11-14+`]);
      expect(await everyCut(manager, "ok foo\nbar \uff46oo")).toEqual([`${trigger} 11-14+`]);
    }
    const both = "(?:^|[^-])ba";
    const edges = managerOf(rule(both, { unless: ["ok"], unlessWithin: 0 }));
    expect(await everyCut(edges, "ok xba\nbaba")).toEqual([`${both} 8-11+`]);
  });

  it("a vetoed match on line 1, one that is not on line 50", async () => {
    const lines = ["ok foo", ...Array.from({ length: 48 }, (_, i) => `line ${i}`), "  foo", "foo"];
    const text = lines.join("\n");
    const at = text.indexOf("  foo") + 2;
    expect(await everyCut(managerOf(foo()), text)).toEqual([`foo ${at}-${at + 3}+`]);
  });

  it("matches that only the end decides, and those that begin with an anchor", async () => {
    const end = managerOf(rule("foo$", { unless: ["ok"], unlessWithin: 0 }));
    expect(await everyCut(end, "ok foo")).toEqual([]);
    expect(await everyCut(end, "ok foo\nfoo")).toEqual(["foo$ 7-10"]);
    const lines = managerOf(rule("(?m)^foo$", { unless: ["ok"], unlessWithin: 1 }));
    expect(await everyCut(lines, "ok\nfoo\n\nfoo\n")).toEqual(["(?m)^foo$ 8-11+".replace("11", "12")]);
    expect(await everyCut(managerOf(rule("(?m)^$", { unless: ["ok"] })), "ok\n\n")).toEqual([]);
  });

  it("a line is not the beginning of the text, and has a left neighbour", async () => {
    const start = managerOf(rule("^foo", { unless: ["ok|foo"] }));
    expect(await everyCut(start, "foo\nfoo\nfoo")).toEqual([]);
    const behind = managerOf(rule("(?<=\\n)foo", { unless: ["ok"], unlessWithin: 1 }));
    expect(await everyCut(behind, "ok\nfoo\n\nfoo")).toEqual(["(?<=\\n)foo 8-11+"]);
  });

  it("a match over several lines counts from the line it begins on", async () => {
    const rules = managerOf(rule("begin[^;]*end", { unless: ["ok"], unlessWithin: 1 }));
    expect(await everyCut(rules, "ok\nbegin\n\n\nend")).toEqual([]);
    expect(await everyCut(rules, "ok\n\nbegin\n\nend")).toEqual(["begin[^;]*end 4-14+"]);
  });

  it.each([
    ["what begins on the last line of a vetoed one", "ok\na\n1\n2\nb a b", ["a[^;]*?b 11-14+"]],
    ["what begins on a line between", "ok a\n1\n2\n3\na\n4\nb", ["a[^;]*?b 11-16+"]],
    ["what ends together with it, and begins where nothing vetoes", "ok a\n1\n2\n3\n4\na b", ["a[^;]*?b 13-16+"]],
    ["not what the same exception stands in front of", "ok a b a\n\n\n\n\nb", []],
    ["an exception between its begin and its end counts", "a\n1\n2\n3\n4\nok\n5\n6\n7\n8\nb", []],
  ])("of matches over several lines each is judged by itself: %s", async (_what, text, expected) => {
    expect(await everyCut(managerOf(rule("a[^;]*?b", { unless: ["ok"] })), text)).toEqual(expected);
  });

  it("thousands of lines that are all excused, and one that is not", async () => {
    const rules = managerOf(rule("a[^;]*b", { unless: ["ok"] }));
    const text = `${"ok a\n".repeat(3_000)}${"b ok\n".repeat(3_000)}`;
    expect(await run(rules, [text])).toEqual([]);
    expect(await run(rules, [`${text}\n\n\n\na b`])).toHaveLength(1);
  });

  it("other rules, and other triggers of the rule, are not touched", async () => {
    const rules = managerOf(
      foo({ ttsrTrigger: ["foo", "b+ar"] }),
      rule("foo", { name: "plain" }),
      rule("zap", { name: "zap", unless: ["nothing"] }),
    );
    expect(await everyCut(rules, "ok foo zap\n\n\n\nbar")).toEqual(["plain 3-6+", "zap 7-10+", "foo 14-17+"]);
  });

  it("on the folded copy too; the veto looks at the lane itself", async () => {
    expect(await everyCut(managerOf(foo()), "ok f\u200boo\n.\n.\n.\nf\u200boo")).toEqual(["foo 14-18+"]);
  });

  it("bounds what it keeps: a held match is decided after 8,192 units", async () => {
    const rules = managerOf(foo({ unlessAfter: 3 }));
    const long = "-".repeat(9_000);
    for (const pieces of [[`foo${long}ok\n`], ["fo", "o", ...long.match(/.{1,700}/g)!, "ok\n"]]) {
      expect(await run(rules, pieces)).toEqual(["foo 0-3+"]);
      expect(await run(rules, [`ok${pieces.join("")}`])).toEqual([]);
    }
    expect(await run(managerOf(foo()), [`ok${long}foo`])).toEqual(["foo 9002-9005+"]);
  });

  it("says what is wrong with an exception, and the rule is not armed without it", () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.addRule(foo({ unless: ["ok", "(bad"], unlessLines: [5, 6] }))).toBe(false);
    expect(manager.diagnostics()).toMatchObject(
      [{ rule: "foo", severity: "error", code: "syntax", line: 6, pattern: "(bad", message: /^`unless`: / }].map(
        (each) => ({ ...each, message: expect.stringMatching(each.message) }),
      ),
    );
    expect(manager.addRule(foo({ unless: [".*"] }))).toBe(false);
  });

  it("check() gives the same verdict", () => {
    const manager = managerOf(foo());
    const names = (text: string, info?: LaneInfo) => manager.check(text, info).map(({ name }) => name);
    for (const info of [undefined, COMMAND]) {
      expect(names("ok foo", info)).toEqual([]);
      expect(names("ok foo\n\n\n\nfoo", info)).toEqual(["foo"]);
    }
  });
});

describe("TTSR-3.5 against a plain reading of the whole text", () => {
  /** Line by line: the first `foo` that no `ok` vetoes. */
  function expected(text: string, within: number, after: number): string[] {
    const lines = text.split("\n");
    let offset = 0;
    for (const [number, line] of lines.entries()) {
      const column = line.indexOf("foo");
      if (column >= 0) {
        const before = lines.slice(Math.max(0, number - within), number);
        const own = after > 0 ? line : line.slice(0, column + 3);
        const region = [...before, own, ...lines.slice(number + 1, number + 1 + after)];
        if (!region.some((each) => each.includes("ok"))) return [`foo ${offset + column}-${offset + column + 3}`];
      }
      offset += line.length + 1;
    }
    return [];
  }

  /** Where the first match ends, over as many lines as it takes, that no `ok` vetoes; of those that end there one that begins on the last line. */
  function expectedOverLines(text: string, within: number): string[] {
    for (let end = 1; end <= text.length; end++) {
      if (text[end - 1] !== "b") continue;
      const starts = [...Array(end).keys()].filter((at) => text[at] === "a" && !text.slice(at, end).includes(";"));
      const last = starts.at(-1);
      if (last === undefined) continue;
      const line = text.slice(0, last).lastIndexOf("\n") + 1;
      const above = text.slice(0, line).split("\n").slice(0, -1);
      const region = [...above.slice(Math.max(0, above.length - within)), text.slice(line, end)].join("\n");
      if (region.includes("ok")) continue;
      return [`a[^;]*?b ${starts.find((at) => at >= line)}-${end}`];
    }
    return [];
  }

  it("matches over several lines: every text, every cut", async () => {
    const unit = fc.constantFrom("a", "b", "ok", "\n", "\n", "x", ";");
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { maxLength: 16 }),
        fc.integer({ min: 0, max: 3 }),
        fc.nat(),
        async (units, unlessWithin, at) => {
          const text = units.join("");
          const manager = managerOf(rule("a[^;]*?b", { unless: ["ok"], unlessWithin }));
          const cut = text.length === 0 ? 0 : at % text.length;
          for (const pieces of [[text], text.split(""), [text.slice(0, cut), text.slice(cut)]]) {
            const found = (await run(manager, pieces)).map((line) => line.replace("+", ""));
            expect(found, JSON.stringify([text, pieces])).toEqual(expectedOverLines(text, unlessWithin));
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("every text, every cut", async () => {
    const unit = fc.constantFrom("foo", "ok", "\n", "\n", "x", "f", "o");
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { maxLength: 14 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 2 }),
        fc.nat(),
        async (units, unlessWithin, unlessAfter, at) => {
          const text = units.join("");
          const manager = managerOf(foo({ unlessWithin, unlessAfter }));
          const cut = text.length === 0 ? 0 : at % text.length;
          for (const pieces of [[text], text.split(""), [text.slice(0, cut), text.slice(cut)]]) {
            const found = (await run(manager, pieces)).map((line) => line.replace("+", ""));
            expect(found, JSON.stringify(pieces)).toEqual(expected(text, unlessWithin, unlessAfter));
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe("TTSR-3.5 TTSR-4.6 behind an excused match", () => {
  it("what folds is found, also where it stands at the beginning of the line, or its match begins far in front of it", async () => {
    const manager = managerOf(foo({ unlessWithin: 0 }), rule("b[^]*c", { unless: ["ok"], unlessWithin: 0 }));
    expect(await everyCut(manager, "ok foo\n\uff46oo\n")).toEqual(["foo 7-10+"]);
    expect(await everyCut(manager, "ok foo\nf\u200boo\n")).toEqual(["foo 7-11+"]);
    const text = `ok b c\n b${"x".repeat(5_000)}\uff43`;
    for (const pieces of [[text], text.split("")]) expect(await run(manager, pieces)).toEqual(["b[^]*c 5010-5010+"]);
  });

  it("however the text is cut, also between the halves of what folds", async () => {
    const unit = fc.constantFrom("foo", "f", "oo", "ok", "\n", "\n", " ", "\uff46", "\u200b", "\u{1d428}", "\u{1f600}");
    const manager = managerOf(foo({ unlessWithin: 0 }), foo({ name: "after", unlessWithin: 1, unlessAfter: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 12 }), fc.nat(), async (units, at) => {
        const text = units.join("");
        const cut = text.length === 0 ? 0 : at % text.length;
        const shown = async (pieces: string[]) =>
          (await run(manager, pieces)).map((line) => line.replace("+", "")).sort();
        const whole = await shown([text]);
        for (const pieces of [text.split(""), [text.slice(0, cut), text.slice(cut)]])
          expect(await shown(pieces), JSON.stringify(pieces)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });
});
