import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "../../src/discovery/front-matter.js";
import { readRuleFile } from "../../src/discovery/rule-file.js";

const fixtures = join(import.meta.dirname, "../fixtures/rules");
const shared = join(process.env["TTSR_SHARED"] ?? join(import.meta.dirname, "../../../shared"), "rulefiles");

function read(file: string) {
  const path = join(fixtures, file);
  return readRuleFile({ path, name: file.replace(/\.md$/, ""), provider: "project", bytes: readFileSync(path) });
}

/** `line code` of each diagnostic. */
const said = (file: ReturnType<typeof read>): string[] => file.diagnostics.map(({ line, code }) => `${line} ${code}`);

function values(text: string): Record<string, unknown> {
  return Object.fromEntries([...parseFrontMatter(text, "r.md").entries].map(([key, { value }]) => [key, value]));
}

describe("front matter as people write it", () => {
  it("a byte order mark before the fence", () => {
    const file = read("bom.md");
    expect(file.rule).toMatchObject({ ttsrTrigger: ["foo"], content: "Body." });
    expect(file.diagnostics).toEqual([]);
  });

  it("CRLF", () => {
    const file = read("crlf.md");
    expect(file.rule).toMatchObject({
      ttsrTrigger: ["foo", "bar"],
      triggerLines: [4, 5],
      content: "Line one.\nLine two.",
    });
    expect(file.diagnostics).toEqual([]);
  });

  it("a missing end fence; a ruler below is none", () => {
    const file = read("no-end-fence.md");
    expect(file.rule).toMatchObject({ description: "nobody closed it", ttsrTrigger: ["foo"] });
    expect(file.rule.content).toBe("# Heading\n\nText with key: value.\n\n---\n\nMore below a ruler.");
    expect(said(file)).toEqual(["3 no-end-fence"]);
  });

  it("tabs", () => {
    const file = read("tabs.md");
    expect(file.rule).toMatchObject({ ttsrTrigger: ["foo", "bar"], triggerLines: [3, 4], globs: ["src/**"] });
    expect(said(file)).toEqual(["2 repaired", "5 repaired"]);
    expect(file.diagnostics[0]?.message).toContain('"ttsr_trigger" is indented with tabs');
  });

  it("a key that stands twice: the last one counts, and it is said", () => {
    const file = read("duplicate-keys.md");
    expect(file.rule.description).toBe("two");
    expect(said(file)).toEqual(["4 duplicate-key"]);
    expect(file.diagnostics[0]?.message).toContain('"description"');
  });

  it("a colon inside an unquoted description", () => {
    const file = read("colon.md");
    expect(file.rule).toMatchObject({ description: "Rule: never use foo, see: docs", ttsrTrigger: ["foo"] });
    expect(said(file)).toEqual(["2 repaired"]);
  });

  it("unquoted globs, commas inside braces part nothing", () => {
    const file = read("unquoted-globs.md");
    expect(file.rule.globs).toEqual(["*.ts", "*.{js,jsx}", "src/**"]);
    expect(said(file)).toEqual(["3 repaired"]);
    expect(file.diagnostics[0]).toMatchObject({ path: join(fixtures, "unquoted-globs.md"), severity: "warning" });
  });

  it("C97 comma lists, quoted or not", () => {
    const file = read("comma-lists.md");
    expect(file.rule).toMatchObject({ scope: ["text", "thinking"], globs: ["a.ts", "b.ts"] });
    expect(said(file)).toEqual(["3 repaired"]);
  });

  it("two blocks are one, the first one counts, an empty value counts for nothing", () => {
    const file = read("two-blocks.md");
    expect(file.rule).toMatchObject({ description: "first", globs: ["*.ts"], ttsrTrigger: ["foo"], triggerLines: [9] });
    expect(file.rule.content).toBe("Body.\n\n---\n\nA ruler is no fence.");
    expect(said(file)).toEqual(["6 two-blocks"]);
  });

  it("empty values", () => {
    const file = read("empty-values.md");
    expect(file.rule).toMatchObject({ ttsrTrigger: ["foo"], globs: [], scope: [] });
    expect(file.rule).not.toHaveProperty("enabled");
    expect(file.diagnostics).toEqual([]);
  });

  it("a pattern in double quotes with escapes that YAML does not have", () => {
    const file = read("double-quoted.md");
    expect(file.rule.ttsrTrigger).toEqual(["\\bfoo\\("]);
    expect(said(file)).toEqual(["2 repaired"]);
  });

  it("a word boundary in double quotes is a backspace to YAML, and to nobody else", () => {
    const file = read("backspace.md");
    expect(file.rule.ttsrTrigger).toEqual(["\\bfoo"]);
    expect(said(file)).toEqual(["2 backspace"]);
  });

  it.each([
    ["a list entry that is an alias to YAML", "---\nglobs:\n  - *.ts\n  - '*.js'\n---\n", { globs: ["*.ts", "*.js"] }],
    ["an unquoted flow list", "---\nglobs: [*.ts, *.js]\n---\n", { globs: ["*.ts", "*.js"] }],
    ["a class at the start of a pattern", "---\nttsr_trigger: [a-z]{3}\\(\n---\n", { ttsr_trigger: "[a-z]{3}\\(" }],
    ["a comment behind an unquoted glob", "---\nglobs: *.ts # all of it\n---\n", { globs: "*.ts" }],
    [
      "a description that goes on below",
      "---\ndescription: one: two\n  three\n---\n",
      { description: "one: two three" },
    ],
    [
      "a block scalar next to a broken key",
      "---\ninstead: |\n  a\n\n  b\nglobs: *.ts\n---\n",
      { instead: "a\n\nb\n", globs: "*.ts" },
    ],
    [
      "a percent sign, an at sign, a backtick",
      "---\ndescription: `x` @y\ninstead: %z\n---\n",
      { description: "`x` @y", instead: "%z" },
    ],
  ])("%s", (_, text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it("an empty block, no front matter, and an empty file", () => {
    expect(parseFrontMatter("---\n---\nBody", "r.md")).toMatchObject({ body: "Body", diagnostics: [] });
    expect(parseFrontMatter("---\n# only a comment\n---\nBody", "r.md")).toMatchObject({
      body: "Body",
      diagnostics: [],
    });
    expect(parseFrontMatter("# Heading\n\nText", "r.md")).toMatchObject({ body: "# Heading\n\nText", diagnostics: [] });
    expect(parseFrontMatter("", "r.md")).toMatchObject({ body: "", diagnostics: [] });
  });

  it("a ruler at the very start is a ruler", () => {
    expect(parseFrontMatter("---\n\nText.\n", "r.md")).toMatchObject({ body: "---\n\nText.", diagnostics: [] });
  });
});

describe("S30 only YAML, only after exactly `---`", () => {
  it("`---js` is refused with its line, and nothing runs", () => {
    const file = read("js-engine.md");
    expect(file.broken).toContain('not with "---js"');
    expect(file.diagnostics).toMatchObject([
      { severity: "error", code: "front-matter", line: 1, path: join(fixtures, "js-engine.md") },
    ]);
    expect(file.rule).toMatchObject({ ttsrTrigger: [], content: "" });
    expect(Reflect.has(globalThis, "pwned")).toBe(false);
  });

  it.each([
    "---javascript",
    "---JS",
    "--- js",
    "---json",
    "---toml",
    "---coffee",
    "---yaml",
    "--- ",
    "---\t",
    "+++",
    ";;;",
  ])("%j is refused", (fence) => {
    const front = parseFrontMatter(`${fence}\nglobalThis.pwned = 1\n---\nBody`, "r.md");
    expect(front.refused).toContain("line 1");
    expect(front.entries.size).toBe(0);
    expect(Reflect.has(globalThis, "pwned")).toBe(false);
  });

  it.each([
    ["----\nkey: 1\n---\n", 1],
    ["\u2014\nkey: 1\n---\n", 1],
    ["\n\n---\nkey: 1\n---\n", 3],
    ["Text.\n---\nkey: 1\n", undefined],
  ])("%j: what looks like a slip is named, what does not is text", (text, line) => {
    expect(parseFrontMatter(text, "r.md").diagnostics[0]?.line).toBe(line);
  });
});

describe("S31 front matter built to cost much", () => {
  it.each([
    ["alias-bomb.md", "alias"],
    ["deep.md", "nested deeper"],
  ])("%s breaks the rule, not the program", (name, words) => {
    const file = read(name);
    expect(file.broken).toContain("built too deep or too large");
    expect(file.broken?.toLowerCase()).toContain(words);
    expect(file.diagnostics).toHaveLength(1);
    expect(file.rule.ttsrTrigger).toEqual([]);
  });

  it("more than 64 KiB is not read", () => {
    const file = readRuleFile({
      path: "/r/a.md",
      name: "a",
      provider: "project",
      bytes: Buffer.alloc(64 * 1024 + 1, "a"),
    });
    expect(file.broken).toContain("65537 bytes");
  });
});

describe("S32 names that touch prototypes", () => {
  it("are unknown keys like others", () => {
    const file = read("proto.md");
    expect(said(file)).toEqual(["3 unknown-key", "4 unknown-key", "5 unknown-key"]);
    expect(file.diagnostics[0]?.message).toContain('"__proto__"');
    expect(file.rule.scope).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Reflect.get(file.rule, "polluted")).toBeUndefined();
  });
});

describe("S9 hidden characters", () => {
  it("are gone from the text and named with line and code points", () => {
    const file = read("hidden.md");
    expect(file.rule.content).toBe("Use foo.\nLeft right.\nA heart \u2764 and a run \u2764.\n[31mred");
    expect(file.diagnostics.map(({ line, message }) => [line, message.match(/U\+\w+/g)])).toEqual([
      [5, ["U+200B", "U+E0041", "U+E0042"]],
      [6, ["U+202E"]],
      [7, ["U+FE0F"]],
      [8, ["U+001B"]],
    ]);
  });

  it("an emoji alone is worth no word", () => {
    const bytes = Buffer.from("---\nttsr_trigger: foo\n---\nLove \u2764\ufe0f, family \u{1f468}\u200d\u{1f469}.\n");
    const file = readRuleFile({ path: "/r/a.md", name: "a", provider: "user", bytes });
    expect(file.diagnostics).toEqual([]);
    expect(file.rule.content).toBe("Love \u2764, family \u{1f468}\u{1f469}.");
  });

  it("are gone from patterns and descriptions too", () => {
    const bytes = Buffer.from("---\ndescription: a\u200bb\nttsr_trigger: f\u2060oo\n---\nBody\n");
    expect(readRuleFile({ path: "/r/a.md", name: "a", provider: "user", bytes }).rule).toMatchObject({
      description: "ab",
      ttsrTrigger: ["foo"],
    });
  });
});

describe.skipIf(!existsSync(shared))("real rule files (skipped where the folder `shared/rulefiles` is absent)", () => {
  const files = existsSync(shared) ? readdirSync(shared).filter((name) => name !== "README.md") : [];

  it.each(files)("%s loads", (name) => {
    const path = join(shared, name);
    const text = readFileSync(path, "utf8");
    const file = readRuleFile({ path, name: name.slice(0, -3), provider: "project", bytes: Buffer.from(text) });
    expect(file.broken).toBeUndefined();
    // Every key at the start of a line before the second fence was read, one way or the other.
    const front = parseFrontMatter(text, path);
    const block = text.startsWith("---") ? (text.split(/^---$/m)[1] ?? "") : "";
    expect([...front.entries.keys()].sort()).toEqual(
      [...new Set([...block.matchAll(/^([A-Za-z][\w-]*):/gm)].map((match) => match[1]))].sort(),
    );
    if (/^globs: *[^\s"[]/m.test(block)) expect(file.rule.globs.length).toBeGreaterThan(0);
    for (const glob of file.rule.globs) expect(glob).not.toMatch(/^["'\s]|["'\s]$/);
  });
});
