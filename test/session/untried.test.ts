import { expect, it } from "vitest";
import { Proofs } from "../../src/session/proofs.js";
import { Languages } from "../../src/ttsr/ast/languages.js";
import { proveRule } from "../../src/ttsr/proving/prove.js";
import { rule } from "../support/rules.js";
import { watchedTools } from "../support/session.js";

it("TTSR-4.5 an example on which a rule could not be tried says so, and is no proof that the rule is broken", async () => {
  const languages = new Languages();
  // Stands for a machine on which no process can be had.
  languages.checker.check = (_, __, rules) =>
    Promise.resolve(rules.map(() => ({ undecided: "no process could be had" })));
  const lab = { tools: (name: string) => watchedTools().find((tool) => tool.name === name), languages };
  const tried = rule("syntax", {
    ttsrTrigger: [],
    astCondition: ["eval($A)"],
    globs: ["*.ts"],
    examples: { fire: [{ text: "eval(x);" }, { text: "eval(y);" }], silent: [] },
  });
  const said = "A file was let pass without its `astCondition`: no process could be had.";
  for (const thorough of [false, true]) {
    expect((await proveRule(tried, lab, thorough)).map(({ reason }) => reason)).toEqual([said, said]);
  }
  const proofs = new Proofs(undefined, "1", lab);
  expect(await proofs.prove([tried])).toEqual([]);
  expect(proofs.faultOf(tried)).toBeUndefined();
});
