import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../src/platform/text-codec.js";
import { planEdits } from "../../src/tools/edit-plan.js";
import { lineAligner } from "../../src/tools/unified-diff.js";
import { bench } from "./kit.js";

const text = (path: string) => readFileSync(path, "utf8");

describe("edit: the ladder", () => {
  it.each([
    ["exact", "a\nfoo();\nb\n", "foo();", "bar();", "a\nbar();\nb\n", undefined],
    ["exact, a part of a line", "let x = 1;\n", "x = 1", "x = 2", "let x = 2;\n", undefined],
    ["line endings", "a\r\nfoo\r\nb\r\n", "foo\nb", "foo\nc", "a\r\nfoo\r\nc\r\n", undefined],
    ["CRLF in old, LF in the file", "a\nfoo\nb\n", "foo\r\nb", "foo\r\nc", "a\nfoo\nc\n", undefined],
    [
      "trailing space",
      "if (a) {  \n  b();\n}\n",
      "if (a) {\n  b();",
      "if (a) {\n  c();",
      "if (a) {  \n  c();\n}\n",
      "trailing space",
    ],
    [
      "trailing space in old",
      "if (a) {\n  b();\n}\n",
      "if (a) {  \n  b();\t",
      "if (a) {  \n  c();",
      "if (a) {\n  c();\n}\n",
      "trailing space",
    ],
    [
      "indentation added",
      "{\n    if (a) {\n      b();\n    }\n}\n",
      "if (a) {\n  b();\n}",
      "if (c) {\n  b();\n}",
      "{\n    if (c) {\n      b();\n    }\n}\n",
      "indentation",
    ],
    [
      "indentation removed",
      "if (a) {\n  b();\n}\n",
      "  if (a) {\n    b();\n  }",
      "  if (c) {\n    d();\n  }",
      "if (c) {\n  d();\n}\n",
      "indentation",
    ],
    ["punctuation", "say(“hello” – ‘x’)\n", `say("hello" - 'x')`, "say(1)", "say(1)\n", "punctuation"],
  ])("%s", async (_name, before, old, fresh, after, note) => {
    const { call, put } = bench();
    const path = put("f.ts", before);
    const answer = await call("edit", { path: "f.ts", edits: [{ old, new: fresh }] });
    expect(answer).toMatchObject({ isError: false });
    expect(text(path)).toBe(after);
    if (note === undefined) expect(answer.text).not.toContain("did not match exactly");
    else expect(answer.text).toContain(`it differed in ${note}`);
  });

  it("the first level with a hit counts: an exact one is not ambiguous because of a looser one", async () => {
    const { call, put } = bench();
    const path = put("f", "x \ny\nx\ny\n");
    expect(await call("edit", { path: "f", edits: [{ old: "x\ny", new: "z\ny" }] })).toMatchObject({ isError: false });
    expect(text(path)).toBe("x \ny\nz\ny\n");
  });

  it("lines that come back keep the bytes of the file", async () => {
    const { call, put } = bench();
    const path = put("f", "“a”\nkeep “this”\n");
    await call("edit", { path: "f", edits: [{ old: '"a"\nkeep "this"', new: 'b\nkeep "this"' }] });
    expect(text(path)).toBe("b\nkeep “this”\n");
  });

  it("a shift that is not uniform is no match", async () => {
    const { call, put } = bench();
    const path = put("f", "  a\n   b\n");
    expect((await call("edit", { path: "f", edits: [{ old: "a\nb", new: "c" }] })).isError).toBe(true);
    expect(text(path)).toBe("  a\n   b\n");
  });
});

describe("edit: errors teach, and nothing is changed", () => {
  it("ambiguous: every line number", async () => {
    const { call, put } = bench();
    put("f", "x\ny\nx\nz\nx\n");
    const answer = await call("edit", { path: "f", edits: [{ old: "x", new: "q" }] });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toMatch(/stands 3 times in the file, at lines 1, 3, 5\./);
  });

  it("overlapping places are ambiguous too", async () => {
    const { call, put } = bench();
    const path = put("f", "aaa\n");
    expect((await call("edit", { path: "f", edits: [{ old: "aa", new: "b" }] })).text).toContain("stands 2 times");
    await call("edit", { path: "f", edits: [{ old: "aa", new: "b", all: true }] });
    expect(text(path)).toBe("ba\n");
  });

  it("not found: the nearest block with numbers, tabs, spaces at the end and CR visible", async () => {
    const { call, put } = bench();
    put("f", "one\nfunction go() {\n\treturn compute(1);  \n}\r\nlast\n");
    const answer = await call("edit", {
      path: "f",
      edits: [{ old: "function go() {\n\treturn compute(2);\n}", new: "x" }],
    });
    expect(answer.text).toContain("2|function go() {\n3|→return compute(1);··\n4|}␍");
    expect(answer.text).toMatch(/Nothing was changed\.$/);
  });

  it("not found, and nothing like it", async () => {
    const { call, put } = bench();
    put("f", "alpha\n");
    expect((await call("edit", { path: "f", edits: [{ old: "zzz qqq", new: "x" }] })).text).toContain(
      "Nothing in it is like it",
    );
  });

  it.each([
    "// ... existing code ...",
    "# ... rest of the function",
    "/* ... */",
    "<!-- rest of the file -->",
    "  // … unchanged …",
    "{/* ... other code ... */}",
  ])("placeholder %s is refused", async (line) => {
    const { call, put } = bench();
    const path = put("f", "a\nb\n");
    const answer = await call("edit", { path: "f", edits: [{ old: "a", new: `c\n${line}` }] });
    expect(answer.text).toContain("placeholder");
    expect(text(path)).toBe("a\nb\n");
  });

  it.each(["// wait for the rest", "# the remaining time in ms", "...args", "// see above", "const x = a ?? '...';"])(
    "%s is no placeholder",
    async (line) => {
      const { call, put } = bench();
      const path = put("f", "a\n");
      await call("edit", { path: "f", edits: [{ old: "a", new: line }] });
      expect(text(path)).toBe(`${line}\n`);
    },
  );

  it.each([
    ["old is empty", { edits: [{ old: "", new: "x" }] }, /old is empty/],
    ["no edits", { edits: [] }, /Invalid arguments\. edits/],
    [
      "a key too many",
      { edits: [{ old: "a", new: "b", regex: true }] },
      /edits\.0\.regex: There is no such argument\.$/,
    ],
    [
      "edits overlap",
      {
        edits: [
          { old: "ab", new: "x" },
          { old: "bc", new: "y" },
        ],
      },
      /edits\[0\] and edits\[1\] overlap/,
    ],
    [
      "one of several is wrong",
      {
        edits: [
          { old: "ab", new: "x" },
          { old: "nope", new: "y" },
        ],
      },
      /edits\[1\]: old does not stand/,
    ],
  ])("%s", async (_name, args, message) => {
    const { call, put } = bench();
    const path = put("f", "abc\nd\n");
    const answer = await call("edit", { path: "f", ...args });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(message);
    expect(text(path)).toBe("abc\nd\n");
  });

  it("a file that is not there", async () => {
    const { call } = bench();
    expect((await call("edit", { path: "none", edits: [{ old: "a", new: "b" }] })).text).toContain(
      "Use write for a new file",
    );
  });
});

describe("edit: several at once", () => {
  it("all are matched on the original", async () => {
    const { call, put } = bench();
    const path = put("f", "one\ntwo\nthree\n");
    const edits = [
      { old: "three", new: "one" },
      { old: "one", new: "two" },
      { old: "two", new: "three" },
    ];
    const answer = await call("edit", { path: "f", edits });
    expect(text(path)).toBe("two\nthree\none\n");
    expect(answer.text).toMatch(/^Edited f at lines 1, 2, 3 \(\+\d -\d\)\.$/);
    expect(answer.details?.diff).toMatch(/^--- a\/f\n\+\+\+ b\/f\n@@ /);
    expect(answer.details?.path).toBe(path);
  });

  it("all: every place, with the lines told", async () => {
    const { call, put } = bench();
    const path = put("f", "x1\ny\nx1\n");
    expect((await call("edit", { path: "f", edits: [{ old: "x1", new: "x2", all: true }] })).text).toContain(
      "lines 1, 3",
    );
    expect(text(path)).toBe("x2\ny\nx2\n");
  });
});

describe("F42 F43 bytes outside of the match never change", () => {
  it.each([
    ["CRLF", Buffer.from("a\r\nold\r\nb\r\n"), Buffer.from("a\r\nnew\r\nx\r\nb\r\n")],
    ["mixed", Buffer.from("a\nold\r\nb\nc\r\n"), Buffer.from("a\nnew\r\nx\r\nb\nc\r\n")],
    ["no final newline", Buffer.from("a\nold"), Buffer.from("a\nnew\nx")],
    ["UTF-8 with a mark", encodeText("a\nold\nä", "utf-8-bom"), encodeText("a\nnew\nx\nä", "utf-8-bom")],
    ["UTF-16LE", encodeText("a\r\nold\r\n漢", "utf-16le"), encodeText("a\r\nnew\r\nx\r\n漢", "utf-16le")],
    ["UTF-16BE", encodeText("a\nold\n", "utf-16be"), encodeText("a\nnew\nx\n", "utf-16be")],
    ["a lone CR", Buffer.from("a\rb\nold\n"), Buffer.from("a\rb\nnew\nx\n")],
  ])("%s", async (_name, before, after) => {
    const { call, put } = bench();
    const path = put("f", before);
    expect(await call("edit", { path: "f", edits: [{ old: "old", new: "new\nx" }] })).toMatchObject({ isError: false });
    expect(readFileSync(path).equals(after)).toBe(true);
  });

  it.each([
    ["latin1", Buffer.from("caf\xe9 old", "latin1"), /not UTF-8/],
    ["GBK", Buffer.from([0xc4, 0xe3, 0x20, 0x6f, 0x6c, 0x64]), /not UTF-8/],
    ["UTF-16 without a mark", Buffer.from("this is old", "utf16le"), /UTF-16 without/],
    ["binary", Buffer.from([0, 1, 2, 3, 0x6f, 0x6c, 0x64]), /binary/],
  ])("%s is refused by name", async (_name, before, reason) => {
    const { call, put } = bench();
    const path = put("f", before);
    const answer = await call("edit", { path: "f", edits: [{ old: "old", new: "new" }] });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(reason);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("for any file and any line of it", async () => {
    const align = await lineAligner();
    const line = fc.record({
      text: fc.stringMatching(/^[a-c \t“é]{0,6}$/),
      end: fc.constantFrom("\n", "\r\n"),
    });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.array(line, { maxLength: 8 }),
        fc.stringMatching(/^[x-z]{0,5}$/),
        (above, below, fresh) => {
          const join = (lines: typeof above) => lines.map(({ text, end }) => text + end).join("");
          const raw = `${join(above)}<OLD one\r\nOLD two>\n${join(below)}`;
          const plan = planEdits(raw, [{ old: "OLD one\nOLD two", new: fresh }], false, align);
          expect(plan).toMatchObject({ ok: true });
          if (plan.ok) expect(plan.text).toBe(`${join(above)}<${fresh}>\n${join(below)}`);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a loose match keeps the number of lines around it, and their bytes", async () => {
    const align = await lineAligner();
    const word = fc.stringMatching(/^[a-d]{1,3}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("  ", "\t", " \t"),
        fc.constantFrom("\n", "\r\n"),
        (words, indent, end) => {
          const block = words.map((w) => `${indent}${w}!`).join(end);
          const raw = `top${end}${block}${end}bottom${end}`;
          const fresh = [...words.map((w) => `${w}!`), "added"].join("\n");
          const plan = planEdits(raw, [{ old: words.map((w) => `${w}!`).join("\n"), new: fresh }], false, align);
          // One word may stand in the block as a part of a line: then the exact level decides.
          if (plan.ok && plan.levels[0] === "indentation")
            expect(plan.text).toBe(`top${end}${block}${end}${indent}added${end}bottom${end}`);
          else if (plan.ok)
            expect(plan.text.startsWith(`top${end}`) && plan.text.endsWith(`${end}bottom${end}`)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("D18 D19 S21 files and links", () => {
  it("keeps the mode", async () => {
    const { call, put } = bench();
    const path = put("run.sh", "old\n");
    chmodSync(path, 0o750);
    await call("edit", { path: "run.sh", edits: [{ old: "old", new: "new" }] });
    expect(statSync(path).mode & 0o7777).toBe(0o750);
    expect(readdirSync(join(path, ".."))).toEqual(["run.sh"]);
  });

  it("through a link inside of the workspace the target is edited", async () => {
    const { call, put, path } = bench();
    put("real", "old\n");
    symlinkSync("real", path("link"));
    expect(await call("edit", { path: "link", edits: [{ old: "old", new: "new" }] })).toMatchObject({ isError: false });
    expect(text(path("real"))).toBe("new\n");
    expect(lstatSync(path("link")).isSymbolicLink()).toBe(true);
  });

  it("a link out of the workspace is refused, and what lies there stays as it is", async () => {
    const { call, path, top } = bench();
    mkdirSync(join(top, "out"));
    writeFileSync(join(top, "out/f"), "old\n");
    symlinkSync("../out/f", path("file"));
    symlinkSync("../out", path("dir"));
    symlinkSync("../out/none", path("dangling"));
    for (const name of ["file", "dir/f", "dangling"]) {
      expect((await call("edit", { path: name, edits: [{ old: "old", new: "new" }] })).isError).toBe(true);
      expect((await call("write", { path: name, content: "a much longer new content" })).isError).toBe(true);
    }
    expect(text(join(top, "out/f"))).toBe("old\n");
    expect(existsSync(join(top, "out/none"))).toBe(false);
  });

  it("a link that was swapped after the question is noticed", async () => {
    const { tool, root, path, put, top } = bench();
    mkdirSync(join(top, "out"));
    writeFileSync(join(top, "out/f"), "old\n");
    put("sub/f", "old\n");
    const edit = tool("edit");
    const checked = edit.validate({ path: "sub/f", edits: [{ old: "old", new: "new" }] });
    if (!checked.ok) throw new Error(checked.message);
    const signal = new AbortController().signal;
    await edit.describe(checked.value, { cwd: root, signal });
    const { renameSync } = await import("node:fs");
    renameSync(path("sub"), path("moved"));
    symlinkSync("../out", path("sub"));
    const result = await edit.execute(checked.value, { cwd: root, signal, toolCallId: "1", update: () => undefined });
    expect(result.isError).toBe(true);
    expect(text(join(top, "out/f"))).toBe("old\n");
  });

  it("a link that was swapped inside of the workspace is noticed too", async () => {
    const { tool, root, path, put } = bench();
    put("asked", "old\n");
    put("other", "old\n");
    symlinkSync("asked", path("link"));
    const signal = new AbortController().signal;
    for (const [name, args] of [
      ["edit", { path: "link", edits: [{ old: "old", new: "new" }] }],
      ["write", { path: "link", content: "new and longer" }],
    ] as const) {
      await tool(name).describe(args, { cwd: root, signal });
      rmSync(path("link"));
      symlinkSync("other", path("link"));
      const result = await tool(name).execute(args, { cwd: root, signal, toolCallId: "1", update: () => undefined });
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("leads elsewhere") }] });
      rmSync(path("link"));
      symlinkSync("asked", path("link"));
    }
    expect([text(path("asked")), text(path("other"))]).toEqual(["old\n", "old\n"]);
  });

  it("in a file that changed since it was read nothing is matched loosely", async () => {
    const { call, put } = bench();
    const path = put("f", "one\n  two\n");
    const loose = { path: "f", edits: [{ old: "one\n  two  ", new: "2" }] };
    await call("read", { path: "f" });
    writeFileSync(path, "one\n  two\nthree\n");
    expect((await call("edit", loose)).text).toContain("has changed since you read it");
    expect(text(path)).toBe("one\n  two\nthree\n");
    await call("read", { path: "f" });
    expect((await call("edit", loose)).isError).toBe(false);
  });

  it("a file changed since it was read: an untouched region is edited with a note", async () => {
    const { call, put } = bench();
    const path = put("f", "one\ntwo\nthree\n");
    await call("read", { path: "f" });
    writeFileSync(path, "one\ntwo\nTHREE\n");
    const answer = await call("edit", { path: "f", edits: [{ old: "one", new: "1" }] });
    expect(answer).toMatchObject({ isError: false });
    expect(answer.text).toContain("changed elsewhere since you read it");
    expect(text(path)).toBe("1\ntwo\nTHREE\n");
  });

  it("a changed region is an error with the lines of now", async () => {
    const { call, put } = bench();
    const path = put("f", "one\n  two words here\nthree\n");
    await call("read", { path: "f" });
    writeFileSync(path, "one\n  two words there\nthree\n");
    const answer = await call("edit", { path: "f", edits: [{ old: "  two words here\n", new: "2\n" }] });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(
      /has changed since you read it, and old no longer stands in it\. The lines there are now/,
    );
    expect(answer.text).toContain("2|  two words there");
  });

  it("the question shows the diff; a call that cannot succeed asks nothing and never writes", async () => {
    const { tool, root, put } = bench();
    const path = put("f", "one\n");
    const edit = tool("edit");
    const signal = new AbortController().signal;
    const good = { path: "f", edits: [{ old: "one", new: "two" }] };
    expect(await edit.describe(good, { cwd: root, signal })).toMatchObject({
      kind: "edit",
      title: "Edit f",
      paths: [path],
      diff: expect.stringContaining("-one\n+two"),
    });
    const bad = { path: "f", edits: [{ old: "later", new: "two" }] };
    expect(await edit.describe(bad, { cwd: root, signal })).toMatchObject({ kind: "read" });
    writeFileSync(path, "later\n");
    expect((await edit.execute(bad, { cwd: root, signal, toolCallId: "1", update: () => undefined })).isError).toBe(
      true,
    );
    expect(text(path)).toBe("later\n");
  });
});
