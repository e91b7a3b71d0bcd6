import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRuleFile } from "../../src/discovery/rule-file.js";

const fixtures = join(import.meta.dirname, "../fixtures/rules");
const texts = readdirSync(fixtures).map((name) => readFileSync(join(fixtures, name), "utf8"));
const SPLICES = [
  "---",
  "---\n",
  "\n",
  "\t",
  ":",
  ": ",
  "- ",
  "? ",
  "*",
  "&a ",
  "[",
  "]",
  "{",
  "}",
  "'",
  '"',
  "#",
  "|\n",
  ">\n",
  "!!",
  "\u0000",
  "\u200b",
  "<<",
  "%",
  "@",
];

describe("a rule file of any content", () => {
  it("is read or refused, never thrown at: every file gives a rule with its name and a sentence where it is broken", () => {
    const splice = fc.record({ at: fc.nat(200), cut: fc.nat(6), text: fc.constantFrom(...SPLICES) });
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(splice, { maxLength: 6 }), (text, splices) => {
        let mangled = text;
        for (const { at, cut, text: put } of splices) mangled = mangled.slice(0, at) + put + mangled.slice(at + cut);
        const file = readRuleFile({
          path: "/p/.rules/r.md",
          name: "r",
          provider: "project",
          bytes: Buffer.from(mangled),
        });
        expect(file.rule.name).toBe("r");
        expect(file.rule.content).not.toMatch(/[\u0000\u200b\r]/);
        for (const { line, message } of file.diagnostics) {
          expect(message).toMatch(/[.?]$/);
          expect(line ?? 1).toBeLessThanOrEqual(mangled.split("\n").length);
        }
        expect(
          [...file.rule.ttsrTrigger, ...file.rule.globs, ...file.rule.scope].every(
            (entry) => typeof entry === "string",
          ),
        ).toBe(true);
        expect(file.broken !== undefined && file.rule.ttsrTrigger.length > 0).toBe(false);
      }),
      { numRuns: 500, seed: 20260102 },
    );
  });
});
