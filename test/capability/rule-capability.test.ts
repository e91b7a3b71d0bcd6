import { describe, expect, it } from "vitest";
import {
  loadCapability,
  RuleCapability,
  type RuleContext,
  type RuleSet,
  ruleCapability,
} from "../../src/capability/index.js";
import type { Rule } from "../../src/capability/rule.js";
import type { FoundRule } from "../../src/capability/rule-capability.js";
import { placesOf } from "../../src/capability/rule-weight.js";
import { TrustStore } from "../../src/config/trust.js";
import { registerRuleProviders } from "../../src/discovery/index.js";
import { ruleText, workspace } from "../discovery/workspace.js";

registerRuleProviders();
registerRuleProviders();

type Space = ReturnType<typeof workspace>;
const load = (space: Space, more: Partial<RuleContext> = {}) =>
  loadCapability("rules", { cwd: space.repo, dirs: space.dirs, builtinRules: false, ...more });
const origins = (set: RuleSet) => set.items.map(({ name, provider }) => `${provider}:${name}`);

const plainRule = (name: string): Rule => ({
  name,
  path: `/${name}.md`,
  provider: "test",
  content: "",
  ttsrTrigger: [],
  scope: [],
  globs: [],
  hash: name,
});

describe("TTSR-4.4 rules that are too much together", () => {
  it("are left out and named, those that come last; what still fits holds", async () => {
    const capability = new RuleCapability();
    const rule = (name: string, units: number, more: Partial<Rule> = {}): FoundRule => ({
      rule: { ...plainRule(name), ttsrTrigger: ["a".repeat(units)], ...more },
    });
    const provider = (id: string, priority: number, found: FoundRule[]) =>
      capability.register({ id, priority, load: async () => ({ found, skipped: [], diagnostics: [] }) });
    const counts = (count: number): string[] => Array.from({ length: count }, () => "a{1980}");
    provider("first", 2, [
      rule("half", 0, { ttsrTrigger: counts(125) }),
      rule("with exceptions", 0, { ttsrTrigger: counts(50), unless: counts(50) }),
      { ...rule("untrusted", 400_000), untrusted: "new" },
      rule("too much", 50_001),
    ]);
    provider("last", 1, [
      rule("rest", 49_980),
      rule("one more", 1),
      rule("schema", 0, { ttsrTrigger: [], callCondition: [{}] }),
      rule("globs", 0, { ttsrTrigger: [], globs: ["*"] }),
      rule("none", 0, { ttsrTrigger: [] }),
    ]);
    const set = await capability.load({ cwd: "/", dirs: workspace().dirs });
    expect(set.items.map(({ name }) => name)).toEqual(["half", "with exceptions", "rest", "none"]);
    expect(set.skipped.map(({ path }) => path)).toEqual(
      ["too much", "one more", "schema", "globs"].map((name) => `/${name}.md`),
    );
  });

  it.each([
    ["abc{1900}", 1902],
    ["(?:ab){3}c", 7],
    ["[a-z]{2,5}\\d{3}", 8],
    ["(a{100}){100}", 2000],
    ["a{,5}", 5],
  ])("%s has %i places", (pattern, places) => {
    expect(placesOf(pattern)).toBe(places);
  });
});

describe("TTSR-1.1 TTSR-1.2 loadCapability", () => {
  it("asks each provider once, highest priority first", () => {
    expect(ruleCapability.providers().map(({ id, priority }) => [id, priority])).toEqual([
      ["user", 100],
      ["flag", 95],
      ["project", 90],
      ["extension", 85],
      ["omp", 80],
      ["cursor", 70],
      ["claude", 65],
      ["windsurf", 60],
      ["cline", 55],
      ["copilot", 50],
      ["continue", 45],
      ["bundled", 1],
    ]);
  });

  it("needs nothing but a working folder", async () => {
    const space = workspace();
    const { HOME, TTSR_AGENT_HOME, TTSR_AGENT_STATE } = process.env;
    try {
      process.env["TTSR_AGENT_HOME"] = space.dirs.config;
      process.env["TTSR_AGENT_STATE"] = space.dirs.state;
      const set = await loadCapability("rules", { cwd: space.repo });
      expect(set.items.length).toBeGreaterThan(0);
      expect(set.items.every(({ provider }) => provider === "bundled")).toBe(true);
    } finally {
      Object.assign(process.env, { HOME });
      for (const [name, value] of Object.entries({ TTSR_AGENT_HOME, TTSR_AGENT_STATE })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it("an unknown capability is a wrong use", async () => {
    await expect(loadCapability("tools" as "rules", { cwd: "/" })).rejects.toMatchObject({
      code: "unknown-capability",
      exitCode: 2,
    });
  });

  it("T16 first wins by name, and what is shadowed stays visible", async () => {
    const space = workspace({
      "config/rules/same.md": ruleText("user"),
      "flags/same.md": ruleText("flag"),
      "flags/two.md": ruleText("flag"),
      "repo/.rules/same.md": ruleText("project"),
      "repo/.rules/two.md": ruleText("project"),
      "repo/.rules/three.md": ruleText("project"),
    });
    const set = await load(space, { trusted: true, ruleDirs: [space.at("flags")] });
    expect(origins(set)).toEqual(["user:same", "flag:two", "project:three"]);
    expect(set.shadowed.map(({ rule, by }) => [rule.path, by.path])).toEqual([
      [space.at("flags/same.md"), space.at("config/rules/same.md")],
      [space.at("repo/.rules/same.md"), space.at("config/rules/same.md")],
      [space.at("repo/.rules/two.md"), space.at("flags/two.md")],
    ]);
  });

  it("of two project folders the nearest wins", async () => {
    const space = workspace({ "repo/.rules/a.md": ruleText("far"), "repo/app/.rules/a.md": ruleText("near") });
    const set = await load(space, { cwd: space.at("repo/app"), trusted: true });
    expect(set.items.map((rule) => rule.ttsrTrigger)).toEqual([["near"]]);
    expect(set.shadowed).toHaveLength(1);
  });

  it("a broken and a switched-off rule shadow", async () => {
    const space = workspace({
      "config/rules/off.md": ruleText("x", "enabled: false\n"),
      "config/rules/broken.md": "---js\n---\n",
      "repo/.rules/off.md": ruleText("y"),
      "repo/.rules/broken.md": ruleText("y"),
    });
    const set = await load(space, { trusted: true });
    expect(set.items).toEqual([]);
    expect(set.off).toMatchObject([{ rule: { name: "off", provider: "user" }, reason: "enabled: false in the file" }]);
    expect(set.broken).toMatchObject([{ rule: { name: "broken", provider: "user" } }]);
    expect(set.shadowed.map(({ rule }) => `${rule.provider}:${rule.name}`)).toEqual(["project:broken", "project:off"]);
  });

  it("an empty file of the user's switches a bundled rule off", async () => {
    const space = workspace({ "config/rules/safety/git-force-push.md": "---\nenabled: false\n---\n" });
    const set = await load(space, { builtinRules: true });
    expect(set.items.some(({ name }) => name === "safety/git-force-push")).toBe(false);
    expect(set.off.map(({ rule }) => rule.name)).toEqual(["safety/git-force-push"]);
    expect(set.shadowed.map(({ rule }) => rule.provider)).toEqual(["bundled"]);
  });

  it("untrusted and over-limit files take no part in shadowing", async () => {
    const space = workspace({
      "config/rules/big.md": "x".repeat(65 * 1024),
      "repo/.rules/big.md": ruleText("big"),
      "repo/.rules/safety/git-force-push.md": ruleText("mine"),
    });
    const set = await load(space, { builtinRules: true });
    expect(set.untrusted.map(({ rule, reason }) => [rule.name, reason])).toEqual([
      ["big", "new"],
      ["safety/git-force-push", "new"],
    ]);
    expect(set.items.find(({ name }) => name === "safety/git-force-push")?.provider).toBe("bundled");
    expect(set.shadowed).toEqual([]);
    expect(set.skipped.map(({ path }) => path)).toEqual([space.at("config/rules/big.md")]);
    expect(origins(await load(space, { trusted: true }))).toEqual(["project:big", "project:safety/git-force-push"]);
  });

  it("every file is in exactly one list", async () => {
    const space = workspace({
      "config/rules/a.md": ruleText("a"),
      "config/rules/b.md": "---js\n",
      "config/rules/c.md": ruleText("c", "enabled: false\n"),
      "config/rules/d.md": "x".repeat(65 * 1024),
      "repo/.rules/a.md": ruleText("a"),
    });
    const set = await load(space, { trusted: true });
    expect(
      [set.items, set.broken, set.off, set.skipped, set.shadowed, set.untrusted].map((list) => list.length),
    ).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it("`ttsr.disabledRules`; a project's list does not reach the user's rules", async () => {
    const space = workspace({ "config/rules/mine.md": ruleText("a"), "repo/.rules/theirs.md": ruleText("b") });
    const names = ["mine", "theirs"];
    const byUser = await load(space, { trusted: true, disabledRules: { all: names, ofRepository: [] } });
    expect(byUser.off.map(({ rule, reason }) => [rule.name, reason])).toEqual(
      names.map((name) => [name, "named in ttsr.disabledRules"]),
    );
    const byProject = await load(space, { trusted: true, disabledRules: { all: [], ofRepository: names } });
    expect(origins(byProject)).toEqual(["user:mine"]);
  });

  it("`--no-rules` runs no provider", async () => {
    const capability = new RuleCapability();
    capability.register({ id: "x", priority: 1, load: () => Promise.reject(new Error("ran")) });
    expect((await capability.load({ cwd: "/", rules: false })).items).toEqual([]);
    await expect(capability.load({ cwd: "/" })).rejects.toThrow("ran");
  });
});

describe("TTSR-1.7 T2 rules of a repository", () => {
  it("act only when trusted, and only in the state that was trusted", async () => {
    const space = workspace({ "repo/.rules/a.md": ruleText("a"), "repo/.rules/b.md": ruleText("b") });
    const store = new TrustStore(space.dirs.state);
    const first = await load(space);
    expect(first.items).toEqual([]);
    expect(first.untrusted.map(({ reason }) => reason)).toEqual(["new", "new"]);

    store.trust(
      space.repo,
      first.untrusted.map(({ rule }) => rule),
    );
    expect(origins(await load(space))).toEqual(["project:a", "project:b"]);

    space.write("repo/.rules/b.md", ruleText("changed"));
    space.write("repo/.rules/c.md", ruleText("new"));
    const pulled = await load(space);
    expect(origins(pulled)).toEqual(["project:a"]);
    expect(pulled.untrusted.map(({ rule, reason }) => [rule.name, reason])).toEqual([
      ["b", "changed"],
      ["c", "added"],
    ]);

    store.accept(
      space.repo,
      pulled.untrusted.map(({ rule }) => rule),
    );
    expect(origins(await load(space))).toEqual(["project:a", "project:b", "project:c"]);
    store.revoke(space.repo);
    expect((await load(space)).items).toEqual([]);
  });

  it("`--trust` holds for the run and is never written down", async () => {
    const space = workspace({ "repo/.rules/a.md": ruleText("a") });
    expect((await load(space, { trusted: true })).items).toHaveLength(1);
    expect(new TrustStore(space.dirs.state).knows(space.repo)).toBe(false);
    expect((await load(space)).items).toHaveLength(0);
  });
});
