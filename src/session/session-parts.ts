/** The parts of a session, and what each of them needs of the others. What they do is theirs; when they do it is the session's. */
import { Agent } from "../agent/agent.js";
import type { AgentEvent } from "../agent/events.js";
import type { Rule } from "../capability/rule.js";
import { TtsrGuard } from "../ttsr/guard.js";
import { Ledger } from "../ttsr/ledger.js";
import { RulePolicy } from "../ttsr/policy.js";
import { Announcer } from "./announcer.js";
import { Interrupter } from "./interrupter.js";
import { ModelDesk } from "./model-desk.js";
import { Recorder } from "./recorder.js";
import { RuleDesk } from "./rule-desk.js";
import { RunDesk } from "./run-desk.js";
import { Said } from "./said.js";
import type { SessionDeps } from "./session-deps.js";
import type { SessionManager } from "./session-manager.js";
import { UserCommands } from "./user-commands.js";

export interface PartsHost {
  /** The one that is written now. */
  log(): SessionManager;
  emit(event: AgentEvent, rules?: readonly Rule[]): void;
  /** The run's time is over. */
  timeUp(): void;
}

export interface SessionParts {
  agent: Agent;
  announcer: Announcer;
  commands: UserCommands;
  desk: RuleDesk;
  guard: TtsrGuard;
  interrupter: Interrupter;
  ledger: Ledger;
  models: ModelDesk;
  policy: RulePolicy;
  recorder: Recorder;
  runs: RunDesk;
  said: Said;
}

export function connectParts(deps: SessionDeps, { log, emit, timeUp }: PartsHost): SessionParts {
  const { cwd, clock, tools, ttsr: manager, ttsrSettings: settings } = deps;
  const said = new Said();
  const ledger = new Ledger();
  const policy = new RulePolicy(settings);
  const models = new ModelDesk(deps.model, deps.thinking, (spec) => deps.surroundings.connect(spec), log);
  const announcer = new Announcer(deps.extensions, deps.customTools, (rules) => deps.rules.add(rules));
  // Not through `emit`: what the user does is no work of the agent's.
  const commands = new UserCommands({ cwd, tools, emit: (event) => announcer.emit(event, []) });
  const recorder = new Recorder(log, () => agent);
  const desk = new RuleDesk({
    statuses: () => deps.rules.statuses(),
    manager,
    policy,
    ledger,
    messages: () => agent.messages,
    addSilentExample: deps.addSilentExample,
  });
  const guard = new TtsrGuard({
    manager,
    policy,
    ledger,
    cwd,
    rules: () => deps.rules.items,
    tools: (name) => tools.find((tool) => tool.name === name),
    messages: () => agent.messages,
    emit,
    interrupt: (batch) => interrupter.trigger(batch),
  });
  const runs = new RunDesk({
    limits: deps.limits,
    clock,
    audit: deps.audit,
    costOf: deps.costOf,
    emit,
    stop: timeUp,
    isSilent: (rule) => desk.isSilent(rule),
  });
  const agent: Agent = new Agent({
    model: () => models.model,
    tools: () => tools,
    system: deps.system,
    thinking: () => models.thinking,
    gate: deps.gate,
    guard,
    clock,
    random: deps.random,
    retry: deps.retry,
    cwd,
    conversationId: deps.log.id,
    record: (message) => recorder.record(message),
    emit,
    pending: (moment) => {
      const words = said.takeMessages();
      return moment === "run-end" && words.length === 0 ? [] : [...guard.takeReminders(), ...words];
    },
    steering: () => said.steering > 0,
    overBudget: (turn) => runs.overBudget(turn),
  });
  const interrupter: Interrupter = new Interrupter({ agent, guard, recorder, ledger, manager, settings, clock, emit });
  return { agent, announcer, commands, desk, guard, interrupter, ledger, models, policy, recorder, runs, said };
}
