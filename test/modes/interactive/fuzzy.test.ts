import { describe, expect, it } from "vitest";
import { narrow } from "../../../src/modes/interactive/editor/fuzzy.js";

const RULES = [
  { name: "safety/credentials", about: "bundled\nNever write a credential into a file, or eval one\narmed" },
  { name: "typescript/as-any", about: "bundled\nDo not cast to any\nobserve" },
  { name: "no-eval", about: "project\nNever build code from strings\nbudget spent" },
];
const found = (query: string): string[] => narrow(query, RULES, (rule) => rule).map(({ name }) => name);

describe("the filter of a list", () => {
  it("shows all, in their order, where nothing was typed", () => {
    expect(found("")).toEqual(RULES.map(({ name }) => name));
    expect(found("  ")).toHaveLength(3);
  });

  it("takes what was typed as it stands there, and not its letters strewn over a sentence", () => {
    expect(found("spent")).toEqual(["no-eval"]);
    expect(found("NEVER")).toEqual(["safety/credentials", "no-eval"]);
    expect(found("build any")).toEqual([]);
  });

  it("wants every word, wherever it stands", () => {
    expect(found("never bundled")).toEqual(["safety/credentials"]);
    expect(found("never observe")).toEqual([]);
  });

  it("puts a name that holds it first", () => {
    expect(found("eval")).toEqual(["no-eval", "safety/credentials"]);
  });

  it("forgives letters left out of a name where nothing else fits", () => {
    expect(found("asany")).toEqual(["typescript/as-any"]);
    expect(found("noevl")).toEqual(["no-eval"]);
  });
});
