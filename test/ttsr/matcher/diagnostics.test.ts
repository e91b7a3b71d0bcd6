import { describe, expect, it } from "vitest";
import { compileTriggers } from "../../../src/ttsr/matcher/index.js";

const told = (pattern: string): string[] => {
  const set = compileTriggers([{ ruleId: "r", pattern, index: 0 }]);
  const state = set.has("r") ? "compiled" : "refused";
  return [state, ...set.diagnostics.map(({ code, severity }) => `${severity} ${code}`)];
};

describe("TTSR-4.3 what a trigger may be", () => {
  it.each([
    ["eval\\(", ["compiled"]],
    ["(?ims)a.b", ["compiled"]],
    [" lead and trail ", ["compiled"]],
    ["(unclosed", ["refused", "error syntax"]],
    ["a++", ["refused", "error syntax"]],
    ["**/*.ts", ["refused", "error syntax"]],
    ["(?x)a b", ["refused", "error unsupported-flag"]],
    ["(?iu)a", ["refused", "error unsupported-flag"]],
    ["a(?i:b)", ["refused", "error unsupported-flag"]],
    ["", ["refused", "error matches-empty"]],
    ["a*", ["refused", "error matches-empty"]],
    ["(?!foo)", ["refused", "error matches-empty"]],
    ["$", ["refused", "error matches-empty"]],
    ["^$", ["compiled", "warning matches-empty", "warning whole-text-anchors", "warning end-only"]],
    ["[\\s\\S]", ["compiled", "warning matches-everything"]],
    ["\\S", ["compiled", "warning matches-most"]],
    ["[a-z]+", ["compiled", "warning matches-most"]],
    ["\\b", ["compiled", "warning matches-most", "info needs-end"]],
    ["[A-Z]", ["compiled"]],
    ["([^])\\1*", ["compiled", "warning backreference", "warning matches-everything"]],
    ["(\\w)\\1{0,3}", ["compiled", "warning backreference", "warning matches-most"]],
    ["(\\w)\\1", ["compiled", "warning backreference"]],
    ["(\\w)\\1$", ["compiled", "warning backreference", "warning end-only"]],
    ["(?=(\\w+))\\1:", ["compiled", "warning backreference", "warning end-only"]],
    ["(?<=(['\"]))foo\\1", ["compiled", "warning backreference"]],
    ["\\s\\w\\w", ["compiled"]],
    ["\\p{Lu}x", ["compiled", "warning p-without-u"]],
    ["password[[:space:]]*=", ["compiled", "warning posix-class"]],
    ["\\Afoo", ["compiled", "warning foreign-anchor"]],
    ["foo\\Z", ["compiled", "warning foreign-anchor"]],
    ["\\\\bfoo", ["compiled", "warning doubled-backslash"]],
    ["/eval/i", ["compiled", "warning literal-slashes"]],
    ["src/*.ts", ["compiled", "warning glob-like"]],
  ])("%j", (pattern, expected) => {
    expect(told(pattern)).toEqual(expected);
  });

  it("gives the reason and the place", () => {
    const [first] = compileTriggers([{ ruleId: "r", pattern: "(?i)ab(", index: 3 }]).diagnostics;
    expect(first).toMatchObject({
      ruleId: "r",
      index: 3,
      severity: "error",
      message: "A group is opened with ( and never closed.",
    });
    expect(first?.span.end).toBe(7);
  });

  it("does not trim, and takes slashes literally", () => {
    const hits = (pattern: string, text: string): number =>
      compileTriggers([{ ruleId: "r", pattern, index: 0 }])
        .open(() => true)
        .feed(text).length;
    expect([hits("a ", "ab"), hits("a ", "a b"), hits("/x/", "x"), hits("/x/", "a/x/")]).toEqual([0, 1, 0, 1]);
  });

  it("a bad trigger leaves the others at work", () => {
    const set = compileTriggers([
      { ruleId: "a", pattern: "(", index: 0 },
      { ruleId: "a", pattern: "foo", index: 1 },
      { ruleId: "b", pattern: "bar", index: 0 },
    ]);
    const cursor = set.open(() => true);
    expect(cursor.feed("foobar").map(({ ruleId, trigger }) => [ruleId, trigger])).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });
});

const first = (pattern: string) => {
  const [one] = compileTriggers([{ ruleId: "r", pattern, index: 0 }]).diagnostics;
  return one && { ...one, at: pattern.slice(one.span.start, one.span.end) };
};

describe("TTSR-4.3 what looks like a mistake and is none", () => {
  it.each([
    "/usr/bin/env",
    "/usr/bin/",
    "\\\\\\\\server",
    "\\[:word:\\]",
    "([\\s\\S]*)b",
    "a.*b",
    "a(?:b|c)*d",
    "foo(?:bar\\b)?",
    "(?:.{5}a){20}x",
  ])("%s", (pattern) => {
    expect(told(pattern)).toEqual(["compiled"]);
  });
});

describe("TTSR-4.3 what the author of a trigger is told", () => {
  it.each([
    // never
    ["a^b", "error never-matches", "a^b"],
    ["$x", "error never-matches", "$x"],
    ["[]", "error never-matches", "[]"],
    ["eval(?!)", "error never-matches", "eval(?!)"],
    ["foo\\bbar", "error never-matches", "foo\\bbar"],
    ["a(?=[^]*)b[]", "error never-matches", "a(?=[^]*)b[]"],
    ["(a)b^\\1", "error never-matches", "(a)b^\\1"],
    ["(?<=(?=x)y)z$a", "error never-matches", "(?<=(?=x)y)z$a"],
    // at once
    ["(a*)\\1", "error matches-empty", "(a*)\\1"],
    ["(?:|){30}(x?)\\1", "error matches-empty", "(?:|){30}(x?)\\1"],
    ["(a)?\\1$", "error matches-empty", "(a)?\\1$"],
    // late
    ["foo$", "warning end-only", "$"],
    ["(?:a|b)$", "warning end-only", "$"],
    ["foo(?![^]*bar)", "warning end-only", "(?![^]*bar)"],
    ["foo(?![^)]*\\))", "warning end-only", "(?![^)]*\\))"],
    ["foo(?![^)]*?\\))", "warning end-only", "(?![^)]*?\\))"],
    ["foo(?![^)]*x)", "info needs-end", "(?![^)]*x)"],
    ["(?![^]*foo)bar", "warning end-only", "(?![^]*foo)"],
    ["(?:(?![^]*?foo)b){2}ar", "warning end-only", "r"],
    ["foo(?!.*bar)", "info needs-end", "(?!.*bar)"],
    ["(?m)foo$", "info needs-end", "$"],
    ["foo\\b", "info needs-end", "\\b"],
    ["foo\\b\\s*", "info needs-end", "\\b"],
    ["(?:foo\\b)+", "info needs-end", "\\b"],
    ["(?:foo\\b|bar)", "info needs-end", "\\b"],
    ["^import x$", "warning whole-text-anchors", "^import x$"],
    ["^\\s*print\\(", "info whole-text-anchors", "^\\s*print\\("],
    // dear
    ["foo[\\s\\S]*bar", "info unbounded-gap", "[\\s\\S]*"],
    ["(?s)foo.*bar", "info unbounded-gap", ".*"],
    ["foo[^)]*\\)", "info unbounded-gap", "[^)]*"],
    ["e[\\s\\S]{0,300}x", "warning wide-counted-gap", "[\\s\\S]{0,300}"],
    ["(?i)e(?=.{300}x)y", "warning wide-counted-gap", ".{300}"],
    ["(foo)([\\s\\S]*)(bar)", "info unbounded-gap", "[\\s\\S]*"],
    ["foo(?:.|\\n)*?bar", "info unbounded-gap", "(?:.|\\n)*?"],
    ["foo(?:.|\\n){0,300}bar", "warning wide-counted-gap", "(?:.|\\n){0,300}"],
    ["(?:.{20}a){20}x", "warning wide-counted-gap", ".{20}"],
    ["[^\\n]{101,}x", "warning wide-counted-gap", "[^\\n]{101,}"],
    // tier 2
    ["(['\"])x\\1", "warning backreference", "\\1"],
    ["(.)\\1", "warning backreference", "\\1"],
    ["(?!(?<!(?=k)))", "warning lookahead-in-lookbehind", "(?=k)"],
    ["(?!(a)\\1)b(?!\\1)", "warning backreference", "\\1"],
    ["(?i)(?<=a(?=b))c", "warning lookahead-in-lookbehind", "(?=b)"],
    ["a{3000}", "warning too-large", "a{3000}"],
    // other dialects
    ["(?i)x\\p{Lu}", "warning p-without-u", "\\p{"],
    ["\\\\\\p{Lu}", "warning p-without-u", "\\p{"],
    ["x\\pL", "warning p-without-u", "\\pL"],
    ["\\path", "warning plain-letter", "\\p"],
    ["x\\u12", "warning plain-letter", "\\u"],
    ["\\u{1F600}", "warning p-without-u", "\\u{"],
    ["x [[:digit:]]", "warning posix-class", "[:digit:]"],
    ["[^[:space:]]x", "warning posix-class", "[:space:]"],
    ["[a-z_[:digit:]]x", "warning posix-class", "[:digit:]"],
    ["\\Afoo", "warning foreign-anchor", "\\A"],
    ["\\\\\\Afoo", "warning foreign-anchor", "\\A"],
    ["x\\\\d", "warning doubled-backslash", "\\\\d"],
    ["eval\\\\(x\\\\)", "warning doubled-backslash", "\\\\(x\\\\)"],
    ["eval\\\\(x", "error syntax", "\\\\(x"],
    ["a\\\\[0\\\\]", "warning doubled-backslash", "\\\\[0\\\\]"],
    ["a\\\\{2\\\\}", "warning doubled-backslash", "\\\\{2\\\\}"],
    ["/eval/", "warning literal-slashes", "/eval/"],
    ["/eval[(/]x/m", "warning literal-slashes", "/eval[(/]x/m"],
    ["src/*.test.ts", "warning glob-like", "src/*.test.ts"],
    ["src/*/index.ts", "warning glob-like", "src/*/index.ts"],
    ["docs/*", "warning glob-like", "docs/*"],
    ["[\u{1f600}\u{1f389}]x", "warning half-character", "\u{1f600}"],
    ["[^\\ud83d\\ude00]x", "warning half-character", "\\ud83d\\ude00"],
    ["x\u{1f600}+", "warning half-character", "\u{1f600}"],
    ["\u2018\\beval\u2019", "warning curly-quotes", "\u2018\\beval\u2019"],
    ["a{,3}b", "warning open-count", "{,3}"],
    ["a{1, 3}b", "warning open-count", "{1, 3}"],
    ["[a-z&&[^e]]x", "warning class-operator", "[a-z&&["],
    ["[\\b]eval", "warning backspace", "[\\b]"],
    ['"command":\\s*"rm', "warning json-key", '"command":'],
    ['"new_string\\"\\s*:', "warning json-key", '"new_string\\"\\s*:'],
    ["foo\\hbar", "warning plain-letter", "\\h"],
    ["foo\\Rbar", "warning plain-letter", "\\R"],
    ["\\Qa.b\\E", "warning plain-letter", "\\Q"],
    ["foo\\Kbar", "warning plain-letter", "\\K"],
    ["\\x{41}", "warning plain-letter", "\\x"],
    ["[\\h;]x", "warning plain-letter", "\\h"],
    ["(a)\\2", "warning missing-group", "\\2"],
    ["\\k<x>(a)", "warning missing-group", "\\k"],
    ["\\bev\u0430l\\(", "warning mixed-letters", "v"],
    ["foo\\r\\nbar", "warning carriage-return", "\\r"],
    ["/a\\/b/gi", "warning literal-slashes", "/a\\/b/gi"],
    ["a*+b", "error syntax", "*+b"],
    ["(?>a)", "error syntax", "(?>a)"],
    ["(?P<x>a)", "error syntax", "(?P<x>a)"],
    ["**/*.ts", "error syntax", "**/*.ts"],
    ["*.tsx", "error syntax", "*.tsx"],
    ["src/**/*.tsx", "error syntax", "src/**/*.tsx"],
    ["test/**", "error syntax", "test/**"],
    ["?a", "error syntax", "?a"],
    ["x{2}{3}", "error syntax", "{3}"],
    ["foo(b(a)r", "error syntax", "(b(a)r"],
    ["foo[bar", "error syntax", "[bar"],
    ["eval\\\\(f(x)", "error syntax", "\\\\(f(x)"],
    ["(?i)x[c-ba]", "error syntax", "c-ba]"],
    ["[\\u0062-\\u0061]", "error syntax", "\\u0062-\\u0061]"],
    ["a{3,1}b", "error syntax", "{3,1}b"],
  ])("%s", (pattern, expected, at) => {
    const found = first(pattern);
    expect([`${found?.severity} ${found?.code}`, found?.at]).toEqual([expected, at]);
    expect(found?.message).toMatch(/\.$/);
  });

  it.each([
    "foo.*bar",
    "foo[^)\\n]*\\)",
    "e[ab]{300}x",
    "^a|b",
    "(?m)^a$b?",
    "\\\\d is a digit".slice(3),
    "a\\/b",
    "(?<!\\\\)x",
    "[\\s\\S]*foo",
    "foo(?=bar)x|y",
    "a\\+\\+",
    "[*+]+a",
    "[^\\s\\S]|a",
    "\\x41\\u0042\\cJ",
    "foo\\r?\\nbar|(?:\\r\\n|\\n)x|[\\r\\n]y",
    "[a-z\u0430-\u044f]\\u0430\u0431",
    "\\{,3\\}|a{2,}b|\\$\\{ 1 \\}",
    "\\$\\{ *x|a{|}|{ 1",
    "[a&&b]y|[--x]y|a--b",
    '"commands":|"content": "',
    "\\/\\-\\_\\'\\\"\\<\\>",
    "\\033\\[",
    "src/.*|a/b*",
    "(?:\u{1f600}|\u{1f389})+\u{1f600}",
    "[\\ud83c-\\ud83e][\\udc00-\\udfff]",
    "\\\\[\\w]",
  ])("%s gives no warning", (pattern) => {
    const { diagnostics } = compileTriggers([{ ruleId: "r", pattern, index: 0 }]);
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  // What stands elsewhere in a pattern, and is in order, is not taken for what is wrong with it.
  it.each([
    ["[*+]foo(", "A group is opened with ( and never closed.", "("],
    ["\\++foo(", "A group is opened with ( and never closed.", "("],
    ["\\p{L}+(", "A group is opened with ( and never closed.", "("],
    ["[\\\\(]foo(", "A group is opened with ( and never closed.", "("],
    ["\\(?i)foo(x))", "There is a ) that closes nothing.", ")foo(x))"],
    ["[(?i)]foo(", "A group is opened with ( and never closed.", "("],
    ["\\(?>x(", "A group is opened with ( and never closed.", "("],
    [
      "[\u{1f600}-\u{1f60e}]x",
      "A class takes only half of a character such as an emoji, so a range of them cannot be written.",
    ],
  ])("%s is refused for what is wrong", (pattern, message, at = pattern.slice(1)) => {
    const found = first(pattern);
    expect([found?.code, found?.message, found?.at]).toEqual(["syntax", message, at]);
    expect(found?.suggestion).toMatch(/\S/);
  });

  // What is said to be done instead can be done.
  it.each([
    ["(?i)^foo$", "(?im)^foo$", "Put (?im) in front of the pattern in place of (?i) to make them mean lines."],
    ["^foo$", "(?m)^foo$", "Put (?m) in front of the pattern to make them mean lines."],
    [
      "(?s)foo.$",
      "(?ms)foo.$",
      "Put (?ms) in front of the pattern in place of (?s) or drop the $; give a (?!…) a bound, such as .{0,80}.",
    ],
    ["(?s)foo.*bar", "(?s)foo[^\\n]*bar", "Use [^\\n]* to stay on one line, or a bound such as {0,200}."],
    ["\\u{e9}", "\\u00E9", "Write four digits without braces, as in \\u00E9, or the character itself."],
    ["(?m)foo(?![^]*x)", "(?m)foo(?!.{0,80}x)", "Give a (?!…) a bound, such as .{0,80}."],
    ["\u{1f600}+", "(?:\u{1f600})+", "Write (?:\u{1f600})."],
  ])("%s: %s has it no more", (pattern, better, suggestion) => {
    const wrong = first(pattern);
    expect(wrong?.suggestion).toBe(suggestion);
    expect(told(better)).not.toContain(`${wrong?.severity} ${wrong?.code}`);
    expect(told(better)[0]).toBe("compiled");
  });

  it("says what to do instead", () => {
    for (const pattern of ["*.tsx", "a*+b", "(?>a)", "(?P<x>a)", "?a", "$x", "foo$", "^a$", "e.{300}x", "\\Afoo"])
      expect(first(pattern)?.suggestion, pattern).toMatch(/\S/);
  });

  it("a trap is looked for in linear time", () => {
    const evil = `${"\\\\".repeat(20_000)}p{`;
    expect(compileTriggers([{ ruleId: "r", pattern: evil, index: 0 }]).has("r")).toBe(true);
    const globs = `${"a/".repeat(2000)}`;
    expect(compileTriggers([{ ruleId: "r", pattern: globs, index: 0 }]).tierOf("r")).toBe(2);
  });
});
