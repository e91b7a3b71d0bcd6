import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { loadCapability } from "../../src/capability/index.js";
import { findPackage, packageRoot } from "../../src/discovery/package-root.js";
import { bundledProvider } from "../../src/discovery/providers/bundled.js";

const root = join(import.meta.dirname, "../..");
const { found, skipped, diagnostics } = await bundledProvider.load({ cwd: "/nowhere" });

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
      expect(rule.examples?.fire.length, rule.name).toBeGreaterThanOrEqual(4);
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
    const fires = (text: string): boolean => rule.ttsrTrigger.some((pattern) => new RegExp(pattern).test(text));
    it.each(rule.examples?.fire ?? [])("fires on $text", ({ text }) => expect(fires(text)).toBe(true));
    it.each(rule.examples?.silent ?? [])("is silent on $text", ({ text }) => expect(fires(text)).toBe(false));
    it("has no pattern that no example needs", () => {
      for (const pattern of rule.ttsrTrigger) {
        const used = rule.examples?.fire.some(({ text }) => new RegExp(pattern).test(text));
        expect([pattern, used]).toEqual([pattern, true]);
      }
    });
  });
});
