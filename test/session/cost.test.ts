import { describe, expect, it } from "vitest";
import { type ScriptedAnswer, ScriptedModel } from "../support/scripted-model.js";
import { createSession } from "../support/session.js";

const CALL: ScriptedAnswer = { blocks: [{ call: "bash", args: { command: "true" } }] };

describe("--max-cost", () => {
  it("counts each answer at the price of the model that gave it", async () => {
    const prices: Record<string, number> = { cheap: 0.01, dear: 1 };
    const named = (model: string, answers: ConstructorParameters<typeof ScriptedModel>[0]) =>
      Object.assign(new ScriptedModel(answers), { model });
    const dear = named("dear", [CALL, CALL, { blocks: [{ text: "Here." }] }]);
    const cheap = named("cheap", [
      () => {
        session.setModel(dear, "off");
        return CALL;
      },
    ]);
    const { session, events } = createSession({
      answers: [],
      deps: { model: cheap, limits: { maxCost: 1.5 }, costOf: (_usage, { model }) => prices[model] },
    });
    expect((await session.prompt("go")).status).toBe("budget");
    expect(dear.requests).toHaveLength(2);
    const message = "The run cost $2.01, past --max-cost 1.5, and was stopped.";
    expect(events).toContainEqual(expect.objectContaining({ type: "error", message }));
    // A run begins at nothing.
    expect((await session.prompt("go on")).status).toBe("ok");
  });
});
