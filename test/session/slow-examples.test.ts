import { expect, it } from "vitest";
import type { RuleSet } from "../../src/capability/rule-capability.js";
import type { Proofs } from "../../src/session/proofs.js";
import { RuleBook } from "../../src/session/rule-book.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import { DEFAULT_TTSR, rule } from "../support/rules.js";

it("TTSR-4.4 a prompt does not wait for the examples of rules", async () => {
  const items = [rule("no-eval")];
  const set: RuleSet = { items, shadowed: [], broken: [], untrusted: [], off: [], skipped: [], diagnostics: [] };
  let asked = 0;
  const proofs: Pick<Proofs, "withoutFailed" | "faultOf" | "prove"> = {
    withoutFailed: (of) => of,
    faultOf: () => undefined,
    prove: () => {
      asked++;
      return new Promise(() => undefined);
    },
  };
  const book = new RuleBook({
    set,
    manager: new TtsrManager(DEFAULT_TTSR),
    places: [],
    load: () => Promise.resolve(set),
    isReadOnly: () => false,
    runsOn: () => false,
    mayAccept: () => false,
    accept: () => undefined,
    askTrust: () => Promise.resolve(false),
    askWritten: () => Promise.resolve(false),
    after: (_, run) => {
      run();
      return () => undefined;
    },
    proofs: proofs as Proofs,
  });
  book.open(() => undefined);
  await book.refresh();
  book.add({ owner: "x", name: "y", text: "" });
  await book.refresh();
  expect(asked).toBe(1);
  book.close();
});
