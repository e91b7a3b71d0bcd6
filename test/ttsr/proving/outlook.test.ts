import { describe, expect, it } from "vitest";
import { triggerOutlooks } from "../../../src/ttsr/proving/outlook.js";
import { rule } from "../../support/rules.js";

describe("TTSR-4.2 when each trigger of a rule can be known to hold", () => {
  it.each([
    ["eval\\(", 1, "on its last character"],
    ["\\bany\\b", 1, "when what follows is known: a character later, or at the end of the text"],
    ["--force(?!-with-lease)", 1, "when what follows is known: a character later, or at the end of the text"],
    ["done$", 1, "only when the text is complete"],
    ["(\\w+) \\1", 2, "at the end of its line, in a worker with a time limit"],
    ["(\\w+) \\1$", 2, "only when the text is complete"],
    ["eval(", undefined, "never: it cannot be used"],
  ])("%s", (pattern, tier, settles) => {
    const [outlook] = triggerOutlooks(rule("r", { ttsrTrigger: [pattern], triggerLines: [2] }));
    expect(outlook).toEqual({ pattern, line: 2, ...(tier === undefined ? {} : { tier }), settles });
  });
});
