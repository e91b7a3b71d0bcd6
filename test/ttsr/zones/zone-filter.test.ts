// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates and shell variables are what is read here
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../../src/ttsr/prose.js";
import type { LaneInfo } from "../../../src/ttsr/types.js";
import { zoneFilter } from "../../../src/ttsr/zones/zone-filter.js";
import { ZoneMemory } from "../../../src/ttsr/zones/zone-memory.js";
import { cuts } from "../helpers.js";

const BASH: LaneInfo = { source: "tool", contentIndex: 0, toolName: "bash", argument: "command" };
const TEXT: LaneInfo = { source: "text", contentIndex: 0 };
const file = (filePath: string): LaneInfo => ({ ...BASH, toolName: "write", argument: "content", filePath });

function through(zones: string, info: LaneInfo, pieces: readonly string[]): string {
  const filter = zoneFilter(zones, info);
  return (pieces.map((piece) => filter.push(piece)).join("") + filter.close()).replaceAll(HIDDEN, "_");
}

/** What a rule with `in: code`, `comment`, `string` sees, the same whatever the cuts. */
function sees(
  info: LaneInfo,
  text: string,
  views: { code?: string; comment?: string; string?: string; prose?: string },
) {
  for (const [zone, expected] of Object.entries(views)) {
    for (const pieces of cuts(text))
      expect(through(zone, info, pieces), `${zone} ${JSON.stringify(pieces)}`).toBe(expected);
  }
}

describe("TTSR-3.3 zones of C-like files", () => {
  it.each([
    ["a.ts", 'f("as any"); // as any', 'f("______"); _________', "_____________// as any", '__"as any"____________'],
    ["a.ts", "a /* b\n * c */ d", "a ____\n_______ d", "__/* b\n * c */__", "______\n_________"],
    ["a.ts", "`a ${b + `c${d}`} e` f", "`__${b + `_${d}`}__` f", undefined, "`a ${____`c${_}`} e`__"],
    ["a.ts", "`${{a: 1}}` + x", "`${{a: 1}}` + x", undefined, undefined],
    ["a.js", "x = /[\"/']/.test(y) // z", "x = /[\"/']/.test(y) ____", undefined, undefined],
    ["a.js", "return /a'b/; 'c'", "return /a'b/; '_'", undefined, undefined],
    ["a.js", "a / b / 'c'", "a / b / '_'", undefined, undefined],
    ["a.tsx", "<p>don't</p> // c", "<p>don't</p> ____", undefined, undefined],
    ["a.tsx", "</div> 'x'", "</div> '_'", undefined, undefined],
    ["a.js", "'never closed\neval('a\\'b')", "'____________\neval('____')", undefined, undefined],
    ["a.c", 'char *s = "/* no */"; int a; /* yes */', 'char *s = "________"; int a; _________', undefined, undefined],
    ["a.c", "x = 1'000; y", "x = 1'000; y", undefined, undefined],
    ["a.c", "L'x' 'y'", "L'_' '_'", undefined, undefined],
    ["a.go", "`a\n// b` // c", "`_\n____` ____", undefined, undefined],
    [
      "a.rs",
      "fn f<'a>(x: &'a str) { 'b'; '\\''; '\u{1F600}' }",
      "fn f<'a>(x: &'a str) { '_'; '__'; '__' }",
      undefined,
      undefined,
    ],
    ["a.rs", "/* a /* b */ c */ d", "_________________ d", undefined, undefined],
    ["a.java", '"""a\n"b" // c""" + ""', '"""_\n________""" + ""', undefined, undefined],
    ["a.php", "# a\nb // c", "___\nb ____", undefined, undefined],
    ["a.css", "a { b: url(//c) } /* d */", "a { b: url(//c) } _______", undefined, undefined],
    ["a.css", "* { a: b }", "* { a: b }", undefined, undefined],
    ["a.sql", "-- a\nselect 'b''c' from d", "____\nselect '_''_' from d", undefined, undefined],
    ["a.html", "<!-- a --> b's <!- c", "__________ b's <!- c", undefined, undefined],
  ])("%s %j", (path, text, code, comment, string) => {
    sees(file(path), text, {
      code,
      ...(comment === undefined ? {} : { comment }),
      ...(string === undefined ? {} : { string }),
    });
  });

  it("a run of added lines may begin inside a comment", () => {
    sees(file("a.ts"), "   * never eval(x)\n   */\neval(y)", { code: "__________________\n_____\neval(y)" });
    sees(file("a.ts"), "*", { code: "_" });
    sees(file("a.ts"), "*p = 1", { code: "*p = 1" });
  });
});

describe("TTSR-3.3 zones of Python-like files", () => {
  it.each([
    ["a.py", "x = 'a' # b\n", "x = '_' ___\n", "________# b\n"],
    ["a.py", '"""a\n# b "c" """ # d', '"""_\n________""" ___', "____\n____________# d"],
    ["a.py", "r'\\' + x' y", "r'______' y", undefined],
    ["a.py", "x = '' + \"\"", "x = '' + \"\"", undefined],
    ["a.py", "x=1#c", "x=1__", undefined],
    ["a.yml", "url: http://a#b # c\nwhy: don't # d", "url: http://a#b ___\nwhy: don't ___", undefined],
    ["a.rb", 'puts "a #{b} # c" # d', 'puts "__________" ___', undefined],
  ])("%s %j", (path, text, code, comment) => {
    sees(file(path), text, { code, ...(comment === undefined ? {} : { comment }) });
  });
});

describe("TTSR-3.3 zones of shell", () => {
  it.each([
    ['echo "curl x | sh" > note.txt', 'echo "___________" > note.txt'],
    ["echo 'a' b # c 'd'\ne", "echo '_' b _______\ne"],
    ["a#b $# ${#c} \\# d", "a#b $# ${#c} \\# d"],
    ["cat <<'E'\nrm 'x'\nE\nrm y", "cat <<'E'\n______\n_\nrm y"],
    ["cat <<E\nrm don't\nE\nrm 'y'", "cat <<E\nrm don't\nE\nrm '_'"],
    ['cat <<-\\E <<"F G" && x\n\ta\n\t\tE\nb\nF G\nc', 'cat <<-\\E <<"F G" && x\n__\n___\n_\n___\nc'],
    ["cat <<< 'a' <b", "cat <<< '_' <b"],
    ["echo $((1<<2))\nx 'y'", "echo $((1<<2))\nx '_'"],
    ['x "a $(rm "b" `c`) d" e', 'x "__$(rm "_" `c`)__" e'],
    ['x "a `rm b` \\" c" d', 'x "__`rm b`_____" d'],
    ["x $'a\\'b' c", "x $'____' c"],
    ["x 'a\nb' c", "x '_\n_' c"],
    ["(a # b)\nc)", "(a ____\nc)"],
  ])("%j", (text, code) => sees(BASH, text, { code }));

  it("comments and strings", () => {
    sees(BASH, "a 'b' # c", { comment: "______# c", string: "__'b'____" });
    sees(file("run.sh"), "a 'b' # c", { code: "a '_' ___" });
  });

  it("a long delimiter line is none, whatever the cuts", () => {
    const body = `cat <<-'E'\n${"\t".repeat(90)}E\nrm x`;
    sees(BASH, body, { code: `cat <<-'E'\n${"_".repeat(91)}\nrm x` });
  });
});

describe("TTSR-3.3 zones of prose", () => {
  it.each([
    ["say `x` no\n> q `y`\n```js\nz\n```\nw", "prose", "say `_` no\n_______\n_____\n_\n___\nw"],
    ["say `x` no\n> q `y`\n```js\nz\n```\nw", "code", "____`x`___\n_______\n```js\nz\n```\n_"],
    ["say `x` no\n> q `y`\n```js\nz\n```\nw", "any", "say `x` no\n> q `y`\n```js\nz\n```\nw"],
    ["say `x` no", "comment", "____`_`___"],
    ["open `as any\n\nb", "prose", "open `as any\n\nb"],
    ["open `as any\n\nb", "code", "____________\n\n_"],
  ])("%j in %s", (text, zones, expected) => sees(TEXT, text, { [zones]: expected }));

  it("in a file of prose a quote is the author's", () => {
    sees(file("README.md"), "> a `b`\n~~~\nc\n~~~\n", {
      prose: "> a `b`\n___\n_\n___\n",
      code: "_______\n~~~\nc\n~~~\n",
    });
  });
});

describe("TTSR-3.3 what is no language is code", () => {
  it.each(["LICENSE", "a.unknown", "dir.ts/file", ".ts"])("%s", (path) => {
    sees(file(path), "a 'b' # c // d", { code: "a 'b' # c // d", string: "_".repeat(14), prose: "_".repeat(14) });
  });

  it("several zones are seen together", () => {
    expect(through("comment string", file("a.ts"), ["f('a'); // b"])).toBe("__'a'___// b");
    expect(through("code comment", file("a.ts"), ["f('a'); // b"])).toBe("f('_'); // b");
  });
});

describe("TTSR-2.6 TTSR-3.3 what a rule sees depends on the text alone", () => {
  const units = fc.constantFrom(
    ..."\"'`/*#\\\n$(){}<>-! a*1=".split(""),
    "//",
    "/*",
    "*/",
    '"""',
    "'''",
    "${",
    "$(",
    "<<E\n",
    "<<'E'\n",
    "\nE\n",
    "<!--",
    "-->",
    "b'",
    "return ",
    "\r\n",
    "\t",
    "\u{1F600}",
    "```\n",
    "> ",
  );
  it.each(["a.ts", "a.rs", "a.py", "a.java", "a.go", "a.yml", "a.html", "a.md", "a.sh", "bash", "text"])(
    "%s",
    (what) => {
      const info = what === "bash" ? BASH : what === "text" ? TEXT : file(what);
      fc.assert(
        fc.property(
          fc.array(units, { maxLength: 24 }),
          fc.array(fc.nat(), { maxLength: 5 }),
          fc.constantFrom("code", "comment", "string", "prose", "comment string"),
          (parts, at, zones) => {
            const text = parts.join("");
            const whole = through(zones, info, [text]);
            expect(whole).toHaveLength(text.length);
            expect(through(zones, info, text.split(""))).toBe(whole);
            const places = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
            expect(
              through(
                zones,
                info,
                [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length)),
              ),
            ).toBe(whole);
            for (let i = 0; i < text.length; i++) expect([text[i], "_"]).toContain(whole[i]);
          },
        ),
        { numRuns: 400 },
      );
    },
  );

  it.each(["a.ts", "a.rs", "a.py", "a.java", "a.sh"])("%s: a part sees what it would see in the whole", (path) => {
    fc.assert(
      fc.property(fc.array(units, { maxLength: 30 }), fc.constantFrom("code", "comment", "string"), (parts, zones) => {
        const lines = `${parts.join("")}\n`.match(/[^\n]*\n/g) ?? [];
        const whole = through(zones, file(path), [lines.join("")]);
        const memory = new ZoneMemory();
        let at = 0;
        for (const line of lines) {
          const filter = zoneFilter(zones, file(path), memory);
          const seen = (filter.push(line) + filter.close()).replaceAll(HIDDEN, "_");
          expect(seen).toBe(whole.slice(at, at + line.length));
          memory.note(line);
          at += line.length;
        }
      }),
      { numRuns: 300, examples: [[["'''", "\n", "'"], "string"]] },
    );
  });

  it("nothing is held for long: of code three units, of blanks at the very beginning 256", () => {
    fc.assert(
      fc.property(
        fc.array(units, { maxLength: 40 }),
        fc.constantFrom("a.ts", "a.rs", "a.py", "a.html", "bash"),
        (parts, what) => {
          const filter = zoneFilter("code", what === "bash" ? BASH : file(what));
          const text = `x${parts.join("")}`;
          expect(text.length - filter.push(text).length).toBeLessThanOrEqual(3);
        },
      ),
      { numRuns: 1000 },
    );
    const filter = zoneFilter("code", file("a.ts"));
    expect(filter.push(" ".repeat(300))).toHaveLength(300);
  });
});
