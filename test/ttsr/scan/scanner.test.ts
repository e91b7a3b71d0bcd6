import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/capability/rule.js";
import { Languages } from "../../../src/ttsr/ast/languages.js";
import { FileScanner } from "../../../src/ttsr/scan/scanner.js";
import { rule } from "../../support/rules.js";

const scan = async (rules: Rule[], path: string, text: string, before?: string): Promise<string[]> => {
  const hits = await new FileScanner(rules, { languages: new Languages() }).scan(path, text, before);
  return hits.map((hit) => `${hit.rule.name} ${hit.line}:${hit.column} ${hit.excerpt}`);
};

describe("every place of a file where a rule holds", () => {
  it("one a line, with line and column, also where lines end with CRLF", async () => {
    const text = "ok\r\neval(a); eval(b)\r\nretrieval\r\n  eval(c)";
    expect(await scan([rule("no-eval")], "a.ts", text)).toEqual(["no-eval 2:1 eval(", "no-eval 4:3   eval("]);
  });

  it("in a file longer than what a lane looks back on", async () => {
    const line = `${"x".repeat(99)}\n`;
    const text = `eval(\n${line.repeat(3_000)}eval(\n${line.repeat(100)}eval(`;
    expect(await scan([rule("no-eval")], "a.ts", text)).toEqual([
      "no-eval 1:1 eval(",
      "no-eval 3002:1 eval(",
      "no-eval 3103:1 eval(",
    ]);
  });

  it("matches that need the end, that run over lines, and those of several rules", async () => {
    const rules = [
      rule("end", { ttsrTrigger: ["last$"] }),
      rule("pair", { ttsrTrigger: ["catch \\{\\s*\\}"] }),
      rule("word", { ttsrTrigger: ["\\blast\\b"] }),
    ];
    expect(await scan(rules, "a.ts", "lasting\ncatch {\n}\nlast")).toEqual([
      "pair 2:1 catch {",
      "end 4:1 last",
      "word 4:1 last",
    ]);
  });

  it("keeps to globs, scope, zones and exceptions; rules on prose and commands look at no file", async () => {
    const rules = [
      rule("py", { globs: ["*.py"] }),
      rule("edits", { scope: ["tool:edit"] }),
      rule("shell", { scope: ["tool:bash"] }),
      rule("prose", { scope: ["text"] }),
      rule("code", { in: ["code"] }),
      rule("excused", { unless: ["trusted"], unlessWithin: 0 }),
    ];
    const text = "// eval(\neval(trusted\nx = eval(y)\ntrusted = eval(z)";
    expect(await scan(rules, "a.ts", text)).toEqual([
      "edits 1:4 // eval(",
      "excused 1:4 // eval(",
      "code 2:1 eval(",
      "edits 2:1 eval(",
      "excused 2:1 eval(",
      "code 3:5 x = eval(",
      "edits 3:5 x = eval(",
      "excused 3:5 x = eval(",
      "code 4:11 trusted = eval(",
      "edits 4:11 trusted = eval(",
    ]);
    expect(new FileScanner(rules, { languages: new Languages() }).size).toBe(4);
  });

  it("rules on syntax, beside the others", async () => {
    const rules = [rule("syntax", { ttsrTrigger: [], astCondition: ["eval($A)"] }), rule("text")];
    expect(await scan(rules, "a.ts", "// eval(x)\nconst y = eval(x);\n")).toEqual([
      "text 1:4 // eval(",
      "syntax 2:11 const y = eval(x)",
      "text 2:11 const y = eval(",
    ]);
    expect(await scan(rules, "a.txt", "eval(x)")).toEqual(["text 1:1 eval("]);
  });

  it("beside an old text: only what touches an added line", async () => {
    const before = "eval(a)\nkeep\n";
    expect(await scan([rule("no-eval")], "a.ts", "eval(a)\nkeep\neval(b)\n", before)).toEqual(["no-eval 3:1 eval("]);
    expect(await scan([rule("no-eval")], "a.ts", "keep\neval(a)\n", before)).toEqual([]);
    expect(await scan([rule("no-eval")], "a.ts", "eval(a)\r\nkeep\r\n", before)).toEqual([]);
  });
});
