import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { codeRows } from "../../../src/modes/interactive/rows/code.js";
import { diffRows } from "../../../src/modes/interactive/rows/diff.js";
import { isLoading, loadLanguage } from "../../../src/modes/interactive/rows/highlight.js";
import { grammarOf, languageOfPath } from "../../../src/modes/interactive/rows/languages.js";
import { markdownRows } from "../../../src/modes/interactive/rows/markdown.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";

const dark = createTheme({ TERM: "xterm-256color", COLORTERM: "truecolor" }, { name: "dark" });
const linking = createTheme({ TERM: "xterm-kitty", COLORTERM: "truecolor" }, { name: "dark" });
const plain = createTheme({ NO_COLOR: "1" });
const bare = (rows: readonly string[]): string[] => rows.map((row) => stripVTControlCharacters(row));

describe("tables", () => {
  const TABLE =
    "| Name | What it is about | n |\n|---|:-:|--:|\n| one | a long description of it | 1 |\n| 二つ | **short** | 20 |";

  it("stand in columns, aligned, wide characters counted as two", () => {
    expect(bare(markdownRows(TABLE, 60, plain))).toEqual(
      [
        "Name      What it is about       n",
        "────  ────────────────────────  ──",
        "one   a long description of it   1",
        "二つ           short            20",
      ].map((row) => row),
    );
  });

  it("break their cells where the width is short, and lose no word", () => {
    const rows = bare(markdownRows(TABLE, 26, plain));
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(26);
    expect(rows.join(" ").replaceAll(/\s+/g, " ")).toContain("description");
    expect(rows.filter((row) => row === "").length).toBe(1);
  });

  it("become one row a cell where columns would be too narrow to read", () => {
    const wide = `| ${Array.from({ length: 8 }, (_, i) => `column ${i}`).join(" | ")} |\n|${"---|".repeat(8)}\n| ${"a value with words |".repeat(8)}`;
    const rows = bare(markdownRows(wide, 40, plain));
    expect(rows[0]).toBe("- column 0: a value with words");
    expect(rows[1]).toBe("  column 1: a value with words");
  });
});

describe("links (OSC 8)", () => {
  it("stand behind their text where the terminal knows them, with BEL at the end", () => {
    const [row = ""] = markdownRows("[guide](https://example.com/a?b=c)", 60, linking);
    expect(row).toContain("\u001b]8;;https://example.com/a?b=c\u0007");
    expect(row).toContain("\u001b]8;;\u0007");
    expect(stripVTControlCharacters(row)).toBe("guide");
  });

  it("are told beside it where it does not", () => {
    expect(bare(markdownRows("[guide](https://example.com)", 60, dark))).toEqual(["guide (https://example.com)"]);
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", `https://a.example/${"x".repeat(3000)}`])(
    "to %j are never a click away",
    (href) => {
      expect(markdownRows(`[text](<${href}>)`, 60, linking).join("")).not.toContain("\u001b]8");
    },
  );

  it("carry nothing of a sequence in their target", () => {
    const [row = ""] = markdownRows("[text](<https://ex\u001b]0;x\u0007ample.com>)", 60, linking);
    expect(row).toContain("\u001b]8;;https://example.com/\u0007");
  });

  it("do not let a text that looks like an address lead to another", () => {
    expect(bare(markdownRows("[bank.example](https://other.example)", 60, linking))).toEqual([
      "bank.example (https://other.example)",
    ]);
  });
});

describe("code", () => {
  beforeAll(() => loadLanguage("ts"));

  it("is coloured by its language, and what a group of lines leaves open goes on in the next", () => {
    const first = codeRows(["const a = 1; /* begun", "here"], 60, dark, { lang: "ts" });
    expect(first.open).toBe("/* begun");
    const second = codeRows(["and over */ const b = 2;"], 60, dark, { lang: "ts", open: first.open });
    const comment = dark.syntax.comment("and over */");
    expect(second.rows[0]?.startsWith(comment)).toBe(true);
    expect(second.rows[0]).toContain(dark.syntax.keyword("const"));
    expect(second.open).toBe("");
    expect(bare([...first.rows, ...second.rows])).toEqual([
      "const a = 1; /* begun",
      "here",
      "and over */ const b = 2;",
    ]);
  });

  it("loses no character, whatever is in it", () => {
    const lines = ["a < b && c > d;", 'const s = `x " &amp; y`;', "\t<b>&lt;</b>", "// é 漢字 🙂"];
    expect(bare(codeRows(lines, 80, dark, { lang: "ts" }).rows)).toEqual(
      lines.map((line) => line.replaceAll("\t", "    ")),
    );
  });

  it("is plain while its grammar is on its way, and where there is none", () => {
    expect(codeRows(["x = 1"], 60, dark, { lang: "python" }).rows).toEqual([dark.code("x = 1")]);
    expect(isLoading("py")).toBe(true);
    expect(codeRows(["x = 1"], 60, dark, { lang: "no-such" }).rows).toEqual([dark.code("x = 1")]);
    expect(codeRows(["x = 1"], 60, dark, { lang: "constructor" }).rows).toEqual([dark.code("x = 1")]);
  });

  it("is told from prose by its indent where there are no colours", () => {
    expect(codeRows(["x"], 60, plain, { lang: "ts" }).rows).toEqual(["  x"]);
  });

  it("knows languages by fence and by file", () => {
    expect([grammarOf("TS"), grammarOf("c++"), grammarOf("toml"), grammarOf("__proto__")]).toEqual([
      "typescript",
      "cpp",
      "ini",
      undefined,
    ]);
    expect([languageOfPath("/a/b.test.ts"), languageOfPath("Makefile"), languageOfPath(".env")]).toEqual([
      "ts",
      "makefile",
      "",
    ]);
  });
});

describe("diffs", () => {
  const DIFF = "@@ -4,2 +4,2 @@\n same\n-  return sum * rate;\n+  return round(sum * rate);\n";

  it("mark the words that differ between a line and its new form", () => {
    const [, removed = "", added = ""] = diffRows(DIFF, 60, dark);
    expect(added).toContain(dark.addedWord("round("));
    expect(added).toContain(dark.addedWord(")"));
    expect(removed).not.toContain("48;2");
    expect(bare([removed, added])).toEqual(["5 -   return sum * rate;", "5 +   return round(sum * rate);"]);
  });

  it("mark nothing between lines that have little in common", () => {
    const rows = diffRows("@@ -1 +1 @@\n-alpha beta gamma\n+one two three four\n", 60, dark).join("");
    expect(rows).not.toContain("48;2");
  });

  it("say added and removed to a screen reader", () => {
    const spoken = createTheme({ NO_COLOR: "1" }, { screenReader: true });
    expect(diffRows(DIFF, 60, spoken).slice(1)).toEqual([
      "5 removed   return sum * rate;",
      "5 added   return round(sum * rate);",
    ]);
  });
});
