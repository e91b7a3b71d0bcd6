import { describe, expect, it } from "vitest";
import { splitList } from "../../src/discovery/lists.js";
import { readRuleFile } from "../../src/discovery/rule-file.js";

function rule(text: string, name = "r") {
  return readRuleFile({ path: `/p/.rules/${name}.md`, name, provider: "project", bytes: Buffer.from(text) });
}
const withKeys = (keys: string) => rule(`---\nttsr_trigger: foo\n${keys}\n---\nBody.\n`);
const said = (file: ReturnType<typeof rule>): string[] =>
  file.diagnostics.map(
    ({ line, code, message, suggestion }) => `${line} ${code}: ${message}${suggestion ? ` ${suggestion}` : ""}`,
  );

describe("a rule file", () => {
  it("has every key of the specification", () => {
    const text = [
      "---",
      "description: Never build code from strings",
      "ttsr_trigger: '\\beval\\s*\\('",
      "scope: tool:edit, tool:write(src/{a,b}.ts)",
      "in: code, string",
      "agents: [main, review-*]",
      "globs: ['**/*.ts', '**/*.js']",
      "instead: Parse the input.",
      "repeatMode: after-gap",
      "repeatGap: 3",
      "contextMode: keep",
      "interruptMode: tool-only",
      "observe: true",
      "severity: error",
      "enabled: false",
      "examples:",
      '  fire: ["const f = eval(src)", { text: "eval(x)", path: a.ts, tool: edit }]',
      '  silent: "retrieval("',
      "---",
      "",
      "`eval` runs anything.",
      "",
    ].join("\n");
    const file = rule(text, "js/no-eval");
    expect(file.diagnostics).toEqual([]);
    expect(file.broken).toBeUndefined();
    expect(file.rule).toEqual({
      name: "js/no-eval",
      path: "/p/.rules/js/no-eval.md",
      provider: "project",
      content: "`eval` runs anything.",
      description: "Never build code from strings",
      ttsrTrigger: ["\\beval\\s*\\("],
      triggerLines: [3],
      scope: ["tool:edit", "tool:write(src/{a,b}.ts)"],
      in: ["code", "string"],
      agents: ["main", "review-*"],
      globs: ["**/*.ts", "**/*.js"],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      instead: "Parse the input.",
      repeatMode: "after-gap",
      repeatGap: 3,
      contextMode: "keep",
      interruptMode: "tool-only",
      observe: true,
      severity: "error",
      enabled: false,
      examples: {
        fire: [{ text: "const f = eval(src)" }, { text: "eval(x)", path: "a.ts", tool: "edit" }],
        silent: [{ text: "retrieval(" }],
      },
    });
  });

  it("`detect` stands for a trigger, or beside one", () => {
    expect(rule("---\ndetect: repetition\n---\nBody").diagnostics).toEqual([]);
    expect(rule("---\ndetect: repetition\n---\nBody").rule).toMatchObject({ detect: "repetition", ttsrTrigger: [] });
    expect(rule("---\ndetect: repetition\ncondition: a\n---\nBody").rule).toMatchObject({
      detect: "repetition",
      ttsrTrigger: ["a"],
    });
    expect(rule("---\ndetect: loops\ncondition: a\n---\nBody").rule.detect).toBeUndefined();
  });

  it.each(["ttsr_trigger", "ttsrTrigger", "condition"])(
    "%s is the trigger, as one text or a list, never trimmed",
    (key) => {
      expect(rule(`---\n${key}: ' a,b '\n---\nBody`).rule).toMatchObject({ ttsrTrigger: [" a,b "], triggerLines: [2] });
      expect(rule(`---\n${key}:\n  - a\n  - b\n---\nBody`).rule).toMatchObject({
        ttsrTrigger: ["a", "b"],
        triggerLines: [3, 4],
      });
    },
  );

  it("patterns of several names for the trigger add up", () => {
    expect(rule("---\nttsr_trigger: a\ncondition: b\n---\nBody").rule.ttsrTrigger).toEqual(["a", "b"]);
  });

  it("the hash is that of the bytes", () => {
    expect(rule("---\nttsr_trigger: a\n---\nBody").rule.hash).not.toBe(
      rule("---\r\nttsr_trigger: a\n---\nBody").rule.hash,
    );
  });

  it("`alwaysApply` stays where there is no trigger", () => {
    const file = rule("---\nalwaysApply: true\n---\nBody");
    expect(file.rule.alwaysApply).toBe(true);
    expect(file.diagnostics).toEqual([]);
  });
});

describe("C96-C110 nothing dies in silence", () => {
  it.each([
    [
      "intterruptMode: always",
      '3 unknown-key: Unknown key "intterruptMode"; it was left out. Did you mean "interruptMode"?',
    ],
    [
      "interrupt_mode: always",
      '3 unknown-key: Unknown key "interrupt_mode"; it was left out. Did you mean "interruptMode"?',
    ],
    ["paths: src/**", '3 unknown-key: Unknown key "paths"; it was left out. Did you mean "globs"?'],
    ["xyzzy: 1", '3 unknown-key: Unknown key "xyzzy"; it was left out.'],
    ["name: other", '3 name-ignored: A rule\'s name is its path; the key "name" was left out.'],
    [
      "alwaysApply: true",
      '3 always-apply-ignored: "alwaysApply" means nothing to a rule with a trigger; it was left out.',
    ],
    [
      "in: [code, strings]",
      '3 wrong-type: "in" must be one or more of code, comment, string, prose, any; "strings" was left out. Did you mean "string"?',
    ],
    [
      "in: fences",
      '3 wrong-type: "in" must be one or more of code, comment, string, prose, any; "fences" was left out.',
    ],
    [
      "agents: { a: 1 }",
      '3 wrong-type: "agents" must be a text; a mapping was left out. If a text with a colon was meant, put it in single quotes.',
    ],
    ["severity: fatal", '3 wrong-type: "severity" must be one of info, warning, error; "fatal" was left out.'],
    [
      "interruptMode: tools-only",
      '3 wrong-type: "interruptMode" must be one of always, prose-only, tool-only, never; "tools-only" was left out. Did you mean "tool-only"?',
    ],
    [
      "repeatMode: after_gap",
      '3 wrong-type: "repeatMode" must be one of always, once, after-gap; "after_gap" was left out. Did you mean "after-gap"?',
    ],
    [
      "examples: { fire: [{ text: a, file: b }] }",
      '3 unknown-key: An example of "examples.fire" has no key "file"; its keys are text, call, path, tool.',
    ],
    [
      "unlessWithin: many",
      '3 wrong-type: "unlessWithin" must be a whole number of lines, 0 or more; "many" was left out.',
    ],
    ["unless: ''", '3 empty-trigger: "unless" has an empty pattern; it was left out.'],
    [
      "contextMode: discrad",
      '3 wrong-type: "contextMode" must be one of discard, keep, rewind; "discrad" was left out. Did you mean "discard"?',
    ],
    ["repeatGap: many", '3 wrong-type: "repeatGap" must be a whole number of turns, 0 or more; "many" was left out.'],
    ["repeatGap: -1", '3 wrong-type: "repeatGap" must be a whole number of turns, 0 or more; "-1" was left out.'],
    ["enabled: no", '3 wrong-type: "enabled" must be true or false; "no" was read as false.'],
    ["observe: perhaps", '3 wrong-type: "observe" must be true or false; "perhaps" was left out.'],
    ["instead: [a, b]", '3 wrong-type: "instead" must be a text; a list was left out.'],
    [
      "description: { a: 1 }",
      '3 wrong-type: "description" must be a text; a mapping was left out. If a text with a colon was meant, put it in single quotes.',
    ],
    [
      "globs: [{ a: 1 }, b]",
      '3 wrong-type: "globs" must be a text; a mapping was left out. If a text with a colon was meant, put it in single quotes.',
    ],
    [
      "examples: eval(",
      '3 wrong-type: "examples" must be a mapping with the lists "fire" and "silent"; "eval(" was left out.',
    ],
    [
      "examples: { fires: [a] }",
      '3 unknown-key: "examples" has no list "fires"; its lists are "fire" and "silent". Did you mean "fire"?',
    ],
    [
      "examples: { fire: [[a]] }",
      '3 wrong-type: "examples.fire" must be a list of texts, or of { text, path, tool } or { call, tool }; a list was left out.',
    ],
  ])("%s", (keys, expected) => {
    const file = withKeys(keys);
    expect(said(file)).toEqual([expected]);
    expect(file.rule.ttsrTrigger).toEqual(["foo"]);
  });

  it("C109 stream keys without a trigger", () => {
    expect(said(rule("---\ncondition: []\nscope: text\n---\nBody"))[0]).toContain(
      '2 no-trigger: The rule has "condition" but no trigger',
    );
    expect(said(rule("---\nscope: text\n---\nBody"))[0]).toContain('2 no-trigger: The rule has "scope" but no trigger');
    expect(said(rule("---\nttsr_trigger: ''\n---\nBody"))).toEqual([
      expect.stringContaining("2 empty-trigger"),
      expect.stringContaining("2 no-trigger"),
    ]);
  });

  it("a file that is used for nothing", () => {
    expect(said(rule("Just text."))[0]).toContain("1 inert");
    expect(rule("---\ndescription: on demand\n---\nText").diagnostics).toEqual([]);
    expect(rule("---\nglobs: '*.ts'\n---\nText").diagnostics).toEqual([]);
  });

  it("a trigger with nothing to say, and one that says more than is sent", () => {
    expect(said(rule("---\nttsr_trigger: foo\n---\n"))[0]).toContain("1 empty-body");
    expect(rule("---\nttsr_trigger: foo\ninstead: bar\n---\n").diagnostics).toEqual([]);
    expect(said(rule(`---\nttsr_trigger: foo\n---\n${"x".repeat(9_000)}`))[0]).toContain(
      "1 long-body: The text has 9000 bytes",
    );
  });

  it("YAML that is valid and means something else", () => {
    expect(said(rule("---\nttsr_trigger: [aeiou]\n---\nBody"))[0]).toContain(
      '2 list-or-class: "ttsr_trigger: [aeiou]" is a YAML list, so the pattern is "aeiou"',
    );
    expect(said(rule("---\nttsr_trigger: foo #bar\n---\nBody"))[0]).toContain(
      '2 comment: What stands behind "#" is a comment to YAML; the pattern is "foo".',
    );
    expect(said(rule("---\nttsr_trigger: 404\n---\nBody"))[0]).toContain(
      '2 wrong-type: "ttsr_trigger" must be a text; 404 was read as "404".',
    );
  });

  it("a file that is no UTF-8 text", () => {
    const read = (bytes: Buffer) => readRuleFile({ path: "/p/r.md", name: "r", provider: "user", bytes });
    expect(read(Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0x0a])).broken).toContain("it is not UTF-8");
    expect(read(Buffer.alloc(64)).broken).toContain("binary");
  });
});

describe("TTSR-1.5 T1 names", () => {
  it.each(["a", "python/uv", "A.b_c-d/e", "x".repeat(128)])("%s", (name) =>
    expect(rule("---\nttsr_trigger: a\n---\nB", name).broken).toBeUndefined(),
  );

  it.each(['x" y="', "a b", "\u00e9", "a//b", "/a", "a/", "", "x".repeat(129), "a\u001b[31m", "a<b", "a\nb"])(
    "%j is refused, with the file",
    (name) => {
      const file = rule("---\nttsr_trigger: a\n---\nB", name);
      expect(file.broken).toContain("cannot be a rule's name");
      expect(file.broken).not.toMatch(/[\u001b\n]/);
      expect(file.diagnostics).toMatchObject([{ code: "bad-name", line: 1, severity: "error" }]);
      expect(file.rule.ttsrTrigger).toEqual([]);
    },
  );
});

describe("T15 limits of a rule", () => {
  it("32 triggers; the others are named", () => {
    const file = rule(`---\nttsr_trigger:\n${Array.from({ length: 34 }, (_, i) => `  - t${i}\n`).join("")}---\nBody`);
    expect(file.rule.ttsrTrigger).toHaveLength(32);
    expect(said(file)).toEqual([
      '35 over-limit: A rule has at most 32 patterns; this one was left out: "t32".',
      '36 over-limit: A rule has at most 32 patterns; this one was left out: "t33".',
    ]);
  });

  it("1,000 characters a trigger; its neighbours work", () => {
    const file = rule(`---\nttsr_trigger: [${"a".repeat(1_000)}, ${"b".repeat(1_001)}, c]\n---\nBody`);
    expect(file.rule.ttsrTrigger.map((pattern) => pattern.length)).toEqual([1_000, 1]);
    expect(said(file)[0]).toContain("2 over-limit: A pattern has 1001 characters");
  });
});

describe("splitList", () => {
  it.each([
    ["a, b ,c", ["a", "b", "c"]],
    ["*.{ts,tsx}, [a,b].js, f(a,b)", ["*.{ts,tsx}", "[a,b].js", "f(a,b)"]],
    ["\"a,b\", 'c'", ["a,b", "c"]],
    ["don't, won't", ["don't", "won't"]],
    ["a(b, c", ["a(b", "c"]],
    [" , ,", []],
    ["tool:bash(git push, *), text", ["tool:bash(git push, *)", "text"]],
  ])("%j", (text, expected) => expect(splitList(text)).toEqual(expected));
});
