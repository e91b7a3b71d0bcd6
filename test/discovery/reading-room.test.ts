import { describe, expect, it } from "vitest";
import { loadCapability } from "../../src/capability/index.js";
import { registerRuleProviders } from "../../src/discovery/index.js";
import { marksIn } from "../../src/platform/yaml.js";
import { ruleText, workspace } from "./workspace.js";

/** Front matter with so many marks, about. */
const crowded = (marks: number): string => ruleText("x", `globs: [${"a,".repeat(marks)}a]\n`);

registerRuleProviders();

describe("what may be read for one load is counted", () => {
  it("a repository fills its own room; what is over is broken, with a sentence; the user's rules are read as ever", async () => {
    const files = Object.fromEntries([..."abcde"].map((name) => [`repo/.rules/${name}.md`, crowded(20_000)]));
    const space = workspace({ ...files, "repo/.rules/f.md": ruleText("f"), "config/rules/mine.md": ruleText("mine") });
    const set = await loadCapability("rules", {
      cwd: space.repo,
      dirs: space.dirs,
      trusted: true,
      builtinRules: false,
    });
    const told = set.diagnostics.filter(({ message }) => message.includes("more front matter in all rules together"));
    expect(told.map(({ path }) => path)).toEqual([space.at("repo/.rules/d.md"), space.at("repo/.rules/e.md")]);
    expect(set.items.map(({ name }) => name)).toEqual(expect.arrayContaining(["mine", "f"]));
  });

  it("an alias counts as what it stands for", () => {
    const list = "a: &x [1, 2, 3]\n";
    expect(marksIn(`${list}b: [*x, *x, *x, *x]\n`)).toBeGreaterThan(4 * marksIn(list));
    expect(marksIn("description: plain words\nglobs: '*.ts'\n")).toBeLessThan(10);
  });

  it("an entry that no path is as long as makes its rule broken", async () => {
    const space = workspace({ "config/rules/long.md": ruleText("x", `globs: ${"a".repeat(1_001)}\n`) });
    const set = await loadCapability("rules", { cwd: space.repo, dirs: space.dirs, builtinRules: false });
    const sentence = '"globs" has an entry of 1001 characters, more than 1000.';
    expect(set.diagnostics.map(({ message }) => message)).toContain(sentence);
    expect(set.items.map(({ name }) => name)).not.toContain("long");
  });
});
