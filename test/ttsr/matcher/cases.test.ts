import { describe, expect, it } from "vitest";
import { cuts } from "../helpers.js";
import { setOf, verdictOf } from "./verdict.js";

type Case = readonly [what: string, pattern: string, text: string, verdict: string];

/** Every way to cut into two, single units, and whole: always this. */
async function same(pattern: string, text: string, verdict: string): Promise<void> {
  const set = setOf(pattern);
  expect(set.tierOf("r")).toBe(1);
  for (const pieces of cuts(text)) expect(await verdictOf(set, pieces), JSON.stringify(pieces)).toBe(verdict);
}

describe("C01 a match split over deltas is seen, once, in the delta that ends it", () => {
  it("for·bidden", () => {
    const cursor = setOf("forbidden").open(() => true);
    expect(cursor.feed("for")).toEqual([]);
    expect(cursor.feed("bidden")).toEqual([{ ruleId: "r", trigger: 0, position: 9, settledBy: "unit" }]);
    expect(cursor.feed(" forbidden")).toEqual([]);
    expect(cursor.end().now).toEqual([]);
  });
});

describe("C02 one character for each delta", () => {
  it("is silent 8 times and fires on the ninth", () => {
    const cursor = setOf("forbidden").open(() => true);
    expect([..."forbidden"].map((letter) => cursor.feed(letter).length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});

describe("C03 a negated look-ahead waits for its text", () => {
  it.each<Case>([
    ["exception", "--force(?!-with-lease)", "git push o x --force-with-lease", "silent"],
    ["the next character decides", "--force(?!-with-lease)", "git push --force origin", "17 unit"],
    ["the exception begins and breaks off", "--force(?!-with-lease)", "--force-within", "13 unit"],
    ["the end decides", "--force(?!-with-lease)", "git push --force", "16 end"],
    ["host", "http://(?!localhost)", "http://localhost", "silent"],
    ["other host", "http://(?!localhost)", "http://lo-", "10 unit"],
    ["directive", "eslint-disable(?!-next-line)", "// eslint-disable-next-line", "silent"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C04 $ is the end of the text, not of what has arrived", () => {
  it.each<Case>([
    ["find", "find /(\\s|$)", "find /home/me", "silent"],
    ["find at the end", "find /(\\s|$)", "find /", "6 end"],
    ["find in between", "find /(\\s|$)", "find / -name x", "7 unit"],
    ["checkout", "git checkout \\.(\\s|$)", "git checkout ./src/a.ts", "silent"],
    ["env", "cat \\.env(\\s|$)", "cat .env.example", "silent"],
    ["foo$", "foo$", "foot", "silent"],
    ["foo$ at the end", "foo$", "a foo", "5 end"],
    ["line end", "(?m)foo$", "foo\nbar", "4 unit"],
    ["line end at the end", "(?m)foo$", "foo", "3 end"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C05 \\b waits for the next character", () => {
  it.each<Case>([
    ["type", ": any\\b", "let s: anyOfSchema", "silent"],
    ["type fires", ": any\\b", "let s: any = 1", "11 unit"],
    ["type at the end", "\\bany\\b", "x: any", "6 end"],
    ["done", "\\bdone\\b", "donec", "silent"],
    ["apply", "terraform apply\\b", "terraform applyx", "silent"],
    ["\\B", "an\\B", "any", "3 unit"],
    ["\\B silent", "an\\B", "an y", "silent"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C06 an exception that comes later than the match", () => {
  const pattern = "is fixed(?![^\\n]{0,20}\\?)";
  it.each<Case>([
    ["question", pattern, "whether it is fixed yet?", "silent"],
    ["the window is over", pattern, "it is fixed and tested and merged?", "32 unit"],
    ["the line ends", pattern, "it is fixed.\nIs it?", "13 unit"],
    ["the text ends", pattern, "it is fixed now.", "16 end"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C07 a word that may still grow, and does not wait for ever", () => {
  it.each<Case>([
    ["option", "git merge (?!--)\\S", "git merge --no-ff", "silent"],
    ["branch", "git merge (?!--)\\S", "git merge fea", "11 unit"],
    ["verb alone", "git merge(?!\\S)", "git merge", "9 end"],
    ["another verb", "git merge(?!\\S)", "git mergetool", "silent"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C09 C11 nothing joins across streams of one set", () => {
  it("pre·existing in two cursors is silent", () => {
    const set = setOf("preexisting");
    const first = set.open(() => true);
    expect(first.feed("pre")).toEqual([]);
    const second = set.open(() => true);
    expect([...second.feed("existing"), ...second.end().now, ...first.end().now]).toEqual([]);
  });

  it("a restart throws the first partial away, a restored cursor too", () => {
    const cursor = setOf("forbidden").open(() => true);
    const start = cursor.save();
    cursor.feed("forb");
    cursor.restore(start);
    expect(cursor.feed("idden")).toEqual([]);
    cursor.restore(start);
    expect(cursor.feed("forbidden")).toHaveLength(1);
  });
});

describe("C15 half a surrogate pair is a unit like any other", () => {
  it.each<Case>([
    ["pair", "[\\ud83d][\\ude00-\\ude4f]", "hi \u{1F600}!", "5 unit"],
    ["lone", "\\ud83d(?![\\udc00-\\udfff])", "\ud83d!", "2 unit"],
    ["not lone", "\\ud83d(?![\\udc00-\\udfff])", "\u{1F600}", "silent"],
    ["literal", "\u{1F600}", "a\u{1F600}", "3 unit"],
  ])("%s", (_, ...rest) => same(...rest));
});

describe("C16 anchors mean the whole text, and the author is told", () => {
  it("^import…$ on a file", async () => {
    const set = setOf("^import\\s+java\\.util\\.Date$");
    expect(set.diagnostics.map(({ code }) => code)).toContain("whole-text-anchors");
    expect(set.diagnostics[0]?.suggestion).toContain("(?m)");
    expect(await verdictOf(set, ["package a;\n\nimport java.util.Date\nclass A {}"])).toBe("silent");
    expect(await verdictOf(setOf("(?m)^import\\s+java\\.util\\.Date$"), ["a;\nimport java.util.Date\nb"])).toBe(
      "25 unit",
    );
  });
});

describe("C17 a match over any number of deltas", () => {
  it("own· fox", () => same("own fox", "the quick brown fox", "19 unit"));
});

describe("C19 every stream of a set is watched on its own", () => {
  it("two choices that come in turns", () => {
    const set = setOf("forbidden");
    const [one, two] = [set.open(() => true), set.open(() => true)];
    const found = ["forb", "idden"].map((piece) => [one.feed(piece.toUpperCase()).length, two.feed(piece).length]);
    expect(found).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });
});

describe("TTSR-4.2 the rest of the syntax", () => {
  it.each<Case>([
    ["C96 flags", "(?i)todo", "a TODO", "6 unit"],
    ["long s is no s", "(?i)s", "\u017f", "silent"],
    ["look-ahead on a line", "import (?!.*from)", "import a from b\nimport b\nx", "25 unit"],
    ["behind", "(?<!tri)eval\\(", "retrieval( eval(", "16 unit"],
    ["behind with an open end", "(?<=\\bfoo\\b)", "foo bar", "4 unit"],
    ["behind at the end", "(?<=\\bfoo\\b)", "a foo", "5 end"],
    ["nested behind", "(?<=(?<!x)a)b", "xab ab", "6 unit"],
    ["nested ahead", "a(?=b(?!c(?=d)))", "abcd abce", "9 unit"],
    ["behind and ahead", "(?<=a[^]*)b(?=[^]*c)", "b a b c", "7 unit"],
    ["conjunction", "(?=[\\s\\S]*git status)(?=[\\s\\S]*git log\\b)", "git log; git status", "19 unit"],
    ["conjunction at the end", "^(?=[^]*one)(?=[^]*two$)[^]*", "one and two", "11 end"],
    ["conjunction open", "(?=[^]*one)(?=[^]*two$)", "one and two.", "silent"],
    ["counts", "a{2,3}b", "ab aaaab", "8 unit"],
    ["empty match behind", "(?m)^$", "a\n\nb", "3 unit"],
    ["dot and s", "(?s)a.b", "a\nb", "3 unit"],
    ["dot without s", "a.b", "a\nb a\u2028b", "silent"],
    ["reluctance does not matter", "a.*?b", "a b b", "3 unit"],
  ])("%s", (_, ...rest) => same(...rest));

  it("settles no case by distinction: a$|a(?=[^]) is certain after a, and reported a unit later", async () => {
    expect(await verdictOf(setOf("a$|a(?=[^])"), ["ab"])).toBe("2 unit");
  });
});
