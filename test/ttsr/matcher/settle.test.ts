import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTriggers, type Settled } from "../../../src/ttsr/matcher/index.js";
import { settle } from "../../../src/ttsr/matcher/settle.js";
import { parseTrigger } from "../../../src/ttsr/matcher/source.js";
import { cuts } from "../helpers.js";
import { bodies, flags, texts } from "./patterns.js";

/** [position, settledBy] of the first report, over one way of cutting. */
function run(pattern: string, pieces: readonly string[], bufferUnits?: number): string {
  const set = compileTriggers([{ ruleId: "r", pattern, index: 0 }], bufferUnits === undefined ? {} : { bufferUnits });
  const cursor = set.open(() => true);
  const found: Settled[] = pieces.flatMap((piece) => [...cursor.feed(piece)]);
  found.push(...cursor.end().now);
  return found.map(({ position, settledBy }) => `${position} ${settledBy}`).join(", ") || "silent";
}

describe("TTSR-4.2 settled matching: every cut gives the same verdict at the same offset", () => {
  const cases: [id: string, pattern: string, text: string, verdict: string][] = [
    ["C01 C02", "forbidden", "forbidden", "9 unit"],
    ["C03", "--force(?!-with-lease)", "git push o x --force-with-lease", "silent"],
    ["C03 fires", "--force(?!-with-lease)", "git push --force origin main here", "28 unit"],
    ["C03 end", "--force(?!-with-lease)", "git push --force", "16 end"],
    ["C04", "find /(\\s|$)", "find /home/me", "silent"],
    ["C04 end", "find /(\\s|$)", "find /", "6 end"],
    ["C04 checkout", "git checkout \\.(\\s|$)", "git checkout ./src/a.ts", "silent"],
    ["C04 env", "cat \\.env(\\s|$)", "cat .env.example", "silent"],
    ["C05", ": any\\b", "let s: anyOfSchema", "silent"],
    ["C05 fires", ": any\\b", "let s: any = 1", "11 unit"],
    ["C05 end", "\\bany\\b", "any", "3 end"],
    ["C05 doneness", "\\bdone\\b", "donec", "silent"],
    ["C06", "is fixed(?!.{0,20}\\?)", "whether it is fixed yet?", "silent"],
    ["C06 end", "is fixed(?!.{0,20}\\?)", "it is fixed now.", "16 end"],
    ["C07", "git merge (?!--)\\S", "git merge --no-ff", "silent"],
    ["C07 fires", "git merge (?!--)\\S", "git merge fea", "13 unit"],
    ["C15", "[\\ud83d][\\ude00-\\ude4f]", "hi \u{1F600}!", "5 unit"],
    ["C96", "(?i)todo", "a TODO", "6 unit"],
    ["dollar", "foo$", "foot", "silent"],
    ["dollar end", "foo$", "a foo", "5 end"],
    ["dollar m", "(?m)foo$", "foo\nbar", "4 unit"],
    ["peer", "http://(?!localhost)", "http://localhost", "silent"],
    ["line", "import (?!.*from)", "import a from b\nimport b\nx", "25 unit"],
    ["line settles", "import (?!.*from)", "import b\nfrom x y z", "9 unit"],
    ["backreference", "(['\"])x\\1", "'x\" 'x' ", "7 unit"],
    ["conjunction", "(?=[\\s\\S]*git status)(?=[\\s\\S]*git log\\b)", "git log; git status", "19 unit"],
    ["conjunction end", "^(?=[^]*one)(?=[^]*two$)[^]*", "one and two", "11 end"],
    ["conjunction open", "(?=[^]*one)(?=[^]*two$)", "one and two.", "silent"],
    ["behind", "(?<!tri)eval\\(", "retrieval( eval(", "16 unit"],
  ];
  it.each(cases)("%s %s on %j", (_id, pattern, text, verdict) => {
    for (const pieces of cuts(text)) expect(run(pattern, pieces), JSON.stringify(pieces)).toBe(verdict);
  });

  it("C01 reports on the very delta in which the match settles, and once", () => {
    const cursor = compileTriggers([{ ruleId: "r", pattern: "forbidden", index: 0 }]).open(() => true);
    expect(cursor.feed("for")).toEqual([]);
    expect(cursor.feed("bidden")).toEqual([{ ruleId: "r", trigger: 0, position: 9, settledBy: "unit" }]);
    expect(cursor.feed(" forbidden")).toEqual([]);
    expect(cursor.end().now).toEqual([]);
  });

  it("names the trigger that settles first, whatever the cut", () => {
    const sources = ["b+c", "a", "(?=a)a"].map((pattern, index) => ({ ruleId: "r", pattern, index }));
    for (const pieces of cuts("xxabbc")) {
      const cursor = compileTriggers(sources).open(() => true);
      const found = pieces.flatMap((piece) => [...cursor.feed(piece)]);
      expect(found).toEqual([{ ruleId: "r", trigger: 1, position: 3, settledBy: "unit" }]);
    }
  });

  it("lets go of old text at fixed units, so that long streams are bounded and anchors stay right", () => {
    const text = `${"x".repeat(70)}\nfoo ${"y".repeat(40)}`;
    for (const pattern of ["x", "^foo", "(?m)^foo", "y+z", "foo", "^y"]) {
      const verdicts = new Set(cuts(text).map((pieces) => run(pattern, pieces, 32)));
      expect([...verdicts], pattern).toEqual([run(pattern, [text])]);
    }
  });
});

describe("TTSR-4.2 the settling rewrite, against RegExp", () => {
  it("holds only where no continuation can undo it; at the end it is RegExp.test; positions do not depend on cuts", () => {
    let judged = 0;
    fc.assert(
      fc.property(flags, bodies, texts, texts, fc.nat(), (flag, body, text, continuation, at) => {
        const pattern = flag + body;
        const set = compileTriggers([{ ruleId: "r", pattern, index: 0 }]);
        if (!set.has("r")) return;
        judged++;
        const { source, flags: own } = parseTrigger(pattern);
        const original = new RegExp(source, own);
        const settled = new RegExp(settle(parseTrigger(pattern)), own);
        const prefixes = Array.from({ length: text.length + 1 }, (_, k) => text.slice(0, k));
        const first = prefixes.findIndex((prefix) => settled.test(prefix));

        // monotone and sound
        for (const [k, prefix] of prefixes.entries()) {
          if (first >= 0 && k >= first) {
            expect(settled.test(prefix), `monotone at ${k}`).toBe(true);
            expect(original.test(prefix + continuation), `sound at ${k}`).toBe(true);
          }
        }
        // the earliest there is, where nothing looks to the right
        if (!/[$\\]b|\\B|\$|\(\?[=!]|\(\?<|\\1/.test(body)) {
          expect(first).toBe(prefixes.findIndex((prefix) => original.test(prefix)));
        }
        // the cursor, whole, in single units, and in two
        const verdict = first >= 0 ? `${first} unit` : original.test(text) ? `${text.length} end` : "silent";
        const cut = text.length === 0 ? 0 : at % text.length;
        for (const pieces of [[text], text.split(""), [text.slice(0, cut), text.slice(cut)]]) {
          expect(run(pattern, pieces), JSON.stringify(pieces)).toBe(verdict);
        }
      }),
      { numRuns: 6000, interruptAfterTimeLimit: 6000 },
    );
    expect(judged).toBeGreaterThan(500);
  });
});
