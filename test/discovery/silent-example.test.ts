import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRuleFile } from "../../src/discovery/rule-file.js";
import { addSilentExample, withSilentExample } from "../../src/discovery/silent-example.js";

const RULE = `---
# Why: see the handbook
description: "No eval"
ttsr_trigger: '\\beval\\s*\\('   # careful
---
Body with --- in it.

---
not front matter: true
`;

describe("TTSR-10.3 a false alarm becomes a silent example", () => {
  it("adds the lists where there are none, and keeps comments, quotes and the body", () => {
    expect(withSilentExample(RULE, { text: 'x = "eval("', tool: "edit", path: "src/a.ts" })).toBe(`---
# Why: see the handbook
description: "No eval"
ttsr_trigger: '\\beval\\s*\\(' # careful
examples:
  silent:
    - text: x = "eval("
      path: src/a.ts
      tool: edit
---
Body with --- in it.

---
not front matter: true
`);
  });

  it("adds to a list that is there; CRLF stays CRLF", () => {
    const crlf = '---\r\nttsr_trigger: eval\r\nexamples:\r\n  fire: ["eval"]\r\n  silent: ["evil"]\r\n---\r\nBody\r\n';
    expect(withSilentExample(crlf, { text: "retrieval" })).toBe(
      '---\r\nttsr_trigger: eval\r\nexamples:\r\n  fire: [ "eval" ]\r\n  silent: [ "evil", retrieval ]\r\n---\r\nBody\r\n',
    );
  });

  it.each([
    ["no front matter", "Just text\n"],
    ["no closing fence", "---\nttsr_trigger: a\n\nBody\n"],
    ["not YAML", "---\nttsr_trigger: a\nglobs: *.ts\n---\nBody\n"],
    ["a list in the wrong shape", "---\nttsr_trigger: a\nexamples: [a]\n---\nBody\n"],
    ["a silent list in the wrong shape", "---\nttsr_trigger: a\nexamples:\n  silent: x\n---\nBody\n"],
  ])("leaves a file alone that has %s", (_, text) => {
    expect(() => withSilentExample(text, { text: "x" })).toThrow("by hand");
  });

  it("writes the file, and the rule that is read from it has the example", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ttsr-example-"));
    const path = join(folder, "no-eval.md");
    writeFileSync(path, RULE);
    await addSilentExample(path, { text: "retrieval(\u001b[31m", path: "a.ts" });
    const { rule, diagnostics } = readRuleFile({ path, name: "no-eval", provider: "user", bytes: readFileSync(path) });
    expect(rule.examples?.silent).toEqual([{ text: "retrieval(\u001b[31m", path: "a.ts" }]);
    expect(rule.ttsrTrigger).toEqual(["\\beval\\s*\\("]);
    expect(diagnostics).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
