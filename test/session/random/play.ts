/** One random session: a model that does everything wrong, a user who does anything at any time. */
import type { AgentEvent } from "../../../src/agent/events.js";
import { prepareHistory } from "../../../src/agent/history.js";
import type { ModelRequest } from "../../../src/agent/ports.js";
import { SessionManager } from "../../../src/session/session-manager.js";
import { createSession, watchedTools } from "../../support/session.js";
import { Random } from "../../ttsr/matcher/fuzz/random.js";
import { brokenByHand, hardRules, randomAnswers, randomSettings, softRules } from "./script.js";

/** Requests that a session of so few prompts may make; it is far below that unless something goes round. */
const MOST_REQUESTS = 80;

/** @returns what of the promises did not hold */
export async function playRandomSession(seed: number): Promise<string[]> {
  const random = new Random(seed);
  const runs: Record<string, unknown>[] = [];
  const hard = hardRules(random);
  const soft = softRules(random);
  let log: SessionManager | undefined;
  const setup = createSession({
    answers: randomAnswers(random),
    rules: [...hard, ...soft],
    tools: watchedTools(runs),
    settings: randomSettings(random),
    deps: {
      createLog: () => {
        log = SessionManager.inMemory({ cwd: "/project", clock: setup.clock, random: Math.random });
        return log;
      },
      retry: { maxAttempts: random.below(4), baseDelayMs: 10 },
    },
  });
  const { session, clock, model, events, ttsr } = setup;
  const problems: string[] = [];
  let waiting = 0;
  const done = (work: Promise<unknown>): void => {
    waiting++;
    work.catch((error: unknown) => problems.push(`rejected: ${String(error)}`)).finally(() => waiting--);
  };
  const mayRetry = (): boolean => {
    const last = session.messages.at(-1);
    return last !== undefined && (last.role !== "assistant" || ["error", "aborted"].includes(last.stopReason));
  };
  const moves: (() => void)[] = [
    () => session.abort(),
    () => done(session.prompt("more", { when: random.pick(["queue", "steer"] as const) })),
    () => done(session.newSession()),
    () => mayRetry() && done(session.retry()),
    () => void ttsr.setRules([...hard, ...soft.filter(() => random.below(2) === 0)]),
    () => session.muteRule("say", random.below(2) === 0),
    () => {
      session.abort();
      done(session.prompt("again"));
    },
    () => done(session.allowRuleOnce("say")),
    () => void session.takeQueue(),
  ];

  done(session.prompt("go"));
  for (let step = 0; step < 25; step++) {
    for (let i = random.below(80); i > 0; i--) await Promise.resolve();
    if (random.below(3) === 0) await clock.advance(random.pick([0, 10, 60, 500]));
    moves[random.below(24)]?.();
  }
  // What hangs waits for the user.
  for (let i = 0; i < 7; i++) {
    await rest();
    if (!session.state.running) break;
    session.abort();
    session.takeQueue();
  }

  if (session.state.running) problems.push("it still runs");
  if (session.isTtsrAbortPending) problems.push("an interrupt is still pending");
  if (waiting !== 0) problems.push(`${waiting} calls did not return`);
  if (clock.waiting !== 0) problems.push(`${clock.waiting} timers are left`);
  if (model.requests.length > MOST_REQUESTS) problems.push(`${model.requests.length} requests`);
  for (const args of runs) if (brokenByHand(args)) problems.push(`it ran ${JSON.stringify(args)}`);
  problems.push(...faultsOfEvents(events), ...model.requests.flatMap(faultsOfRequest));
  const kept = (log ?? setup.log).buildContext().messages;
  if (JSON.stringify(prepareHistory(session.messages)) !== JSON.stringify(prepareHistory(kept)))
    problems.push("the log holds another conversation");
  return [...new Set(problems)];

  async function rest(): Promise<void> {
    for (let i = 0; i < 60; i++) {
      await clock.advance(500);
      // The worker of the slow rule answers in its own time.
      await new Promise((resolve) => setTimeout(resolve, session.state.running ? 8 : 0));
      if (i > 2 && !session.state.running && clock.waiting === 0) return;
    }
  }
}

function faultsOfEvents(events: readonly AgentEvent[]): string[] {
  const faults: string[] = [];
  const count = (type: AgentEvent["type"]): number => events.filter((event) => event.type === type).length;
  if (count("agent_start") !== count("agent_end")) faults.push("a run did not end once");
  let cut = false;
  for (const event of events) {
    if (event.type === "message_start") cut = false;
    if (event.type === "ttsr_triggered") cut = true;
    if (event.type === "message_update" && cut) faults.push("something was told past a cut");
    if (event.type === "error" && ["internal", "retry-failed"].includes(event.code)) faults.push(event.message);
  }
  return faults;
}

/** Every wire wants a result for each call, no other ones, and somebody else than the model to have the last word. */
function faultsOfRequest({ messages }: ModelRequest): string[] {
  const calls = new Set<string>();
  const results = new Set<string>();
  const faults: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") calls.add(block.id);
    } else if (message.role === "toolResult") {
      results.add(message.toolCallId);
      if (!calls.has(message.toolCallId)) faults.push("a result without a call was sent");
    }
  }
  if ([...calls].some((id) => !results.has(id))) faults.push("a call without a result was sent");
  if (messages.at(-1)?.role === "assistant") faults.push("the model had the last word of a request");
  return faults;
}
