import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import { buildSystemPrompt } from "../../src/context/system-prompt.js";
import { rule } from "../support/rules.js";

const prompt = (rules: Rule[]): string =>
  buildSystemPrompt({ cwd: "/p", platform: "linux", contextFiles: [], rules, hasTools: true });
const advice = (name: string, more: Partial<Rule>): Rule => rule(name, { ttsrTrigger: [], ...more });

describe("rules.md, a rule without a trigger in the system prompt", () => {
  it("`alwaysApply`: its body is part of it; a `description`: its name, path and description are", () => {
    const text = prompt([
      advice("always", { alwaysApply: true, content: "Be brief.", globs: ["*.py"], description: "label" }),
      advice("asked", { description: "How releases\n  are made", content: "Tag first." }),
    ]);
    expect(text).toContain("# Rule always\nBe brief.");
    expect(text).toContain("# Rules to read when they fit\n- asked (/project/.rules/asked.md): How releases are made");
    expect(text).not.toContain("Tag first.");
    expect(text).not.toContain("label");
  });

  it("nothing of a rule with a trigger, with files alone, or switched off", () => {
    const none = prompt([]);
    expect(
      prompt([
        rule("stream", { description: "d", alwaysApply: true }),
        advice("files", { globs: ["*.ts"] }),
        advice("off", { enabled: false, alwaysApply: true, description: "d" }),
      ]),
    ).toBe(none);
  });

  it("8 KiB of a body, with a mark, no half character", () => {
    const text = prompt([advice("long", { alwaysApply: true, content: `${"x".repeat(8 * 1024 - 1)}\u00e9tail` })]);
    expect(text).toContain(`${"x".repeat(8 * 1024 - 1)}\n[the rule is longer; its first 8192 bytes are shown]`);
    expect(text).not.toContain("tail");
  });
});
