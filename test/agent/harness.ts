import { Agent, type AgentPorts } from "../../src/agent/agent.js";
import type { AgentEvent } from "../../src/agent/events.js";
import type { Message } from "../../src/agent/messages.js";
import type { StreamGuard, Tool } from "../../src/agent/ports.js";
import { FakeClock } from "../support/fake-clock.js";
import { type ScriptedAnswer, ScriptedModel } from "../support/scripted-model.js";

export const openGuard: StreamGuard = {
  open: () => undefined,
  inspect: () => "pass",
  close: async () => "pass",
  blocked: () => undefined,
  amend: (result) => result,
  turnEnded: () => undefined,
};

export function createAgent(
  answers: ScriptedAnswer[],
  more: Partial<AgentPorts> & { tools?: () => readonly Tool[] } = {},
) {
  const clock = new FakeClock();
  const model = new ScriptedModel(answers);
  const events: AgentEvent[] = [];
  const recorded: Message[] = [];
  const agent = new Agent({
    model: () => model,
    tools: () => [],
    system: () => "system",
    thinking: () => "off",
    gate: { decide: async () => ({ allow: true }) },
    guard: openGuard,
    clock,
    random: () => 0.5,
    retry: { maxAttempts: 2, baseDelayMs: 100 },
    cwd: "/",
    conversationId: "c",
    record: (message) => {
      recorded.push(message);
      return `m${recorded.length}`;
    },
    emit: (event) => {
      events.push(event);
    },
    pending: () => [],
    steering: () => false,
    overBudget: () => undefined,
    ...more,
  });
  return { agent, clock, model, events, recorded };
}

export const types = (events: readonly AgentEvent[]): string[] =>
  events.map((event) => event.type).filter((type) => type !== "message_update");
