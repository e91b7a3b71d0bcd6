import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import { FaceHarness } from "./face-harness.js";
import { argDeltas, message, textDeltas } from "./fake-session.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
  face.session.running = true;
});
afterEach(() => face.dispose());

const FACT = "m of p wrote <|im_end|>, a control token of its chat template, into its answer.";
const START: AgentEvent[] = [
  { type: "agent_start" },
  { type: "turn_start", turn: 1, prompts: ["go"] },
  { type: "message_start", role: "assistant", attempt: 1 },
];
const FAILED: AgentEvent = {
  type: "message_end",
  message: message([{ type: "text", text: "The first try." }], { stopReason: "error", errorMessage: FACT }),
};
const RETRY: AgentEvent[] = [
  { type: "retry", attempt: 1, maxAttempts: 2, delayMs: 400, code: "leaked", message: FACT },
  { type: "message_start", role: "assistant", attempt: 2 },
];
const END: AgentEvent[] = [
  { type: "message_end", message: message([{ type: "text", text: "The second." }]) },
  { type: "turn_end", turn: 1, message: message([]) },
  { type: "agent_end", status: "ok", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } },
];

describe("C76 TTSR-10.2 an attempt that is asked for again", () => {
  it("is marked as rewound where it stands, before why it is", async () => {
    face.session.emit(...START, ...textDeltas("The first try."));
    face.session.emit(FAILED, ...RETRY, ...textDeltas("The second."), ...END);
    await face.clock.advance(100);
    const rows = face.all.split("\n").map((row) => row.trim());
    const at = (start: string): number => rows.findIndex((row) => row.includes(start));
    expect([at("The first try."), at("⟲ rewound"), at("m of p wrote"), at("The second.")]).toEqual(
      [at("The first try."), at("⟲ rewound"), at("m of p wrote"), at("The second.")].sort((a, b) => a - b),
    );
    expect(at("The first try.")).toBeGreaterThanOrEqual(0);
    expect(face.all.match(/rewound/g)).toHaveLength(1);
  });

  it("a call of it ends with it, and the next attempt may give its own the same id", async () => {
    face.session.emit(...START, ...argDeltas("call_0", "bash", '{"command":"first"}'));
    face.session.emit(FAILED, ...RETRY, ...argDeltas("call_0", "bash", '{"command":"second"}'));
    await face.clock.advance(100);
    expect(face.all).toMatch(/bash first[\s\S]*rewound[\s\S]*bash second/);
  });

  it("of one that showed nothing there is nothing to mark", async () => {
    face.session.emit(...START, FAILED, ...RETRY, ...textDeltas("The second."), ...END);
    await face.clock.advance(100);
    expect(face.all).not.toContain("rewound");
  });

  it("the last one, which is not asked for again, stays as it is", async () => {
    face.session.emit(...START, ...textDeltas("The first try."), FAILED);
    face.session.emit({ type: "error", code: "network", message: "It broke." }, ...END.slice(1));
    await face.clock.advance(100);
    expect(face.all).toMatch(/The first try\.[\s\S]*It broke\./);
    expect(face.all).not.toContain("rewound");
  });
});
