import { describe, expect, it } from "vitest";
import { TriggerMemory } from "../../../src/ttsr/matcher/index.js";
import { loosen } from "../../../src/ttsr/scan/loosen.js";
import { Sieve } from "../../../src/ttsr/scan/sieve.js";
import { rule } from "../../support/rules.js";

const candidates = (text: string, ...rules: ReturnType<typeof rule>[]): string[] =>
  [...new Sieve(rules, new TriggerMemory()).candidates(text)].sort();

describe("the pass before the lanes", () => {
  it("names the rules that hold on the text, whatever their files, and no others", () => {
    const sieve = new Sieve(
      [
        rule("eval"),
        rule("python", { ttsrTrigger: ["\\bpass\\b"], globs: ["*.py"] }),
        rule("end", { ttsrTrigger: ["last$"] }),
        rule("both", { ttsrTrigger: ["(?=[\\s\\S]*one)(?=[\\s\\S]*two)"] }),
      ],
      new TriggerMemory(),
    );
    expect([...sieve.candidates("eval( pass lasting two")]).toEqual(["eval", "python"]);
    expect([...sieve.candidates("one two last")]).toEqual(["both", "end"]);
    expect([...sieve.candidates("")]).toEqual([]);
    expect([...sieve.candidates("retrieval(")]).toEqual([]);
  });

  it("names a rule that holds only when a zone is hidden, or on the folded copy", () => {
    const hidden = rule("hidden", { ttsrTrigger: ["get\\((?!ok)[^a-z]*\\)"], in: ["code"] });
    expect(candidates("get('ok')", hidden)).toEqual(["hidden"]);
    expect(candidates("set('ok')", hidden)).toEqual([]);
    expect(candidates("ｅｖａｌ(", rule("eval"))).toEqual(["eval"]);
    expect(candidates("日本", rule("eval"), hidden)).toEqual([]);
    // What is hidden may fold as well.
    expect(candidates("ａ", rule("eval"), hidden)).toEqual(["hidden"]);
  });

  it("of triggers that only a worker can decide it names those that may hold; where nothing can be said, always", () => {
    const twice = rule("twice", { ttsrTrigger: ["(\\w+) = \\1;"] });
    const large = rule("large", { ttsrTrigger: ["(?:ab?){9000}c"] });
    expect(candidates("a = b", twice)).toEqual([]);
    expect(candidates("a = a;", twice)).toEqual(["twice"]);
    expect(candidates("x", twice, large)).toEqual(["large"]);
  });

  it("stands a trigger that does not compile beside one that does", () => {
    const half = rule("half", { ttsrTrigger: ["(", "eval"] });
    expect(candidates("x", half)).toEqual([]);
    expect(candidates("eval", half)).toEqual(["half"]);
    expect(candidates("x", { ...half, in: ["code"] })).toEqual(["half"]);
  });
});

describe("a loosened pattern", () => {
  it.each([
    ["\\bas\\s+any\\b", "(?:)as\\s+any(?:)"],
    ["(?i)^a(?<b>c|[^x])+?$", "(?i)^a(?:c|[\\s\\S])+?$"],
    ["a(?!b)(?<=c).\\w\\W", "a(?:)(?:)[\\s\\S]\\w[\\s\\S]"],
    ["(a)\\1{2}", "(?:a)(?:[\\s\\S]*){2}"],
  ])("%s → %s", (pattern, loose) => expect(loosen(pattern)).toBe(loose));
});
