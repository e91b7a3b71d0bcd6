import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { loadCapability } from "../../src/capability/index.js";
import type { Rule } from "../../src/capability/rule.js";
import { findPackage, packageRoot } from "../../src/discovery/package-root.js";
import { bundledProvider } from "../../src/discovery/providers/bundled.js";
import { createTools, SeenFiles } from "../../src/tools/index.js";
import { faultsOfExamples, proveRule } from "../../src/ttsr/proving/prove.js";

const root = join(import.meta.dirname, "../..");
const { found, skipped, diagnostics } = await bundledProvider.load({ cwd: "/nowhere" });

const tools = createTools({ workspace: "/nowhere", seen: new SeenFiles(), bash: { timeoutSeconds: 1 }, spillDir: "" });
const lab = { tools: (name: string) => tools.find((tool) => tool.name === name) };

describe("the bundled rules", () => {
  it("are found from the source as from any depth of the package", () => {
    expect(packageRoot()).toBe(root);
    expect(findPackage(join(root, "dist", "chunks"))).toBe(root);
    expect(findPackage(join(root, "node_modules", "yaml"))).toBe(root);
    expect(findPackage("/")).toBeUndefined();
  });

  it("load without a word, each with description, instead and examples of both kinds", () => {
    expect(skipped).toEqual([]);
    expect(diagnostics).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(7);
    for (const { rule, broken } of found) {
      expect(broken, rule.name).toBeUndefined();
      expect(rule.description, rule.name).toBeTruthy();
      expect(rule.instead, rule.name).toBeTruthy();
      expect(rule.examples?.fire.length, rule.name).toBeGreaterThanOrEqual(2);
      expect(rule.examples?.silent.length, rule.name).toBeGreaterThanOrEqual(4);
    }
  });

  it("are in the built program as they are read from their files", async () => {
    const dist = pathToFileURL(join(root, "dist/sdk.js")).href;
    const built = (await import(dist)) as { loadCapability: typeof loadCapability };
    const dirs = { config: "/nowhere/config", state: "/nowhere/state" };
    const { items, ...rest } = await built.loadCapability("rules", { cwd: "/nowhere", dirs });
    expect(items).toEqual(found.map(({ rule }) => rule));
    expect(rest).toEqual({ shadowed: [], broken: [], untrusted: [], off: [], skipped, diagnostics });
    // Every caller has rules of its own.
    expect((await built.loadCapability("rules", { cwd: "/nowhere", dirs })).items[0]).not.toBe(items[0]);
  });

  it("stay out when switched off", async () => {
    expect((await bundledProvider.load({ cwd: "/nowhere", builtinRules: false })).found).toEqual([]);
  });

  describe.each(found.map(({ rule }) => [rule.name, rule] as const))("%s", (_, rule) => {
    const { fire = [], silent = [] } = rule.examples ?? {};

    it.each(fire)("fires on $text", async (example) => {
      expect(await faults({ ...rule, examples: { fire: [example], silent: [] } })).toEqual([]);
    });

    it.each(silent)("is silent on $text", async (example) => {
      expect(await faults({ ...rule, examples: { fire: [], silent: [example] } })).toEqual([]);
    });

    it.each(rule.ttsrTrigger.map((pattern, index) => [pattern, index] as const))(
      "needs %s for one of its examples",
      async (_, index) => {
        const rest = rule.ttsrTrigger.toSpliced(index, 1);
        // Without a trigger there is no rule that could fire.
        if (rest.length > 0) expect(await faults({ ...rule, ttsrTrigger: rest })).not.toEqual([]);
      },
    );

    it.each((rule.unless ?? []).map((pattern, index) => [pattern, index] as const))(
      "needs the exception %s for one of its examples",
      async (_, index) => {
        expect(await faults({ ...rule, unless: (rule.unless ?? []).toSpliced(index, 1) })).not.toEqual([]);
      },
    );
  });

  async function faults(rule: Rule): Promise<string[]> {
    return faultsOfExamples(rule, await proveRule(rule, lab, true)).map(({ message }) => message);
  }
});
