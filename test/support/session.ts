import type { AgentEvent } from "../../src/agent/events.js";
import type { Tool } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { AgentSession } from "../../src/session/agent-session.js";
import type { SessionDeps } from "../../src/session/session-deps.js";
import { SessionManager } from "../../src/session/session-manager.js";
import type { Surroundings } from "../../src/session/surroundings.js";
import { TtsrManager } from "../../src/ttsr/manager.js";
import type { TtsrSettings } from "../../src/ttsr/types.js";
import { FakeClock } from "./fake-clock.js";
import { DEFAULT_TTSR, rule } from "./rules.js";
import { type ScriptedAnswer, ScriptedModel } from "./scripted-model.js";
import { fakeTool } from "./tools.js";

export interface SessionSetup {
  answers: ConstructorParameters<typeof ScriptedModel>[0];
  rules?: Rule[];
  /** Rules without a trigger. */
  advice?: Rule[];
  tools?: Tool[];
  settings?: Partial<TtsrSettings>;
  deps?: Partial<SessionDeps>;
  log?: SessionManager;
}

/** Tools of which the edit and the shell are watched as the real ones are. */
export function watchedTools(runs: Record<string, unknown>[] = []): Tool[] {
  return [
    fakeTool("bash", { authored: [{ kind: "text", argument: "command" }], runs }),
    fakeTool("read", { readOnly: true, pathArgument: "path", runs }),
    fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path", runs }),
  ];
}

export const NOTHING_AROUND: Surroundings = {
  models: () => Promise.resolve([]),
  connect: () => Promise.reject(new Error("No models in this test")),
  sessions: () => [],
  openLog: () => {
    throw new Error("No logs in this test");
  },
  settings: () => [],
  settingsFile: "/home/settings.yml",
};

/** What is told of the file of `rule("no-eval")`. */
export const STATUS: ReturnType<SessionDeps["rules"]["statuses"]>[number] = {
  name: "no-eval",
  path: "/project/.rules/no-eval.md",
  provider: "project",
  state: "armed",
  triggers: ["\\beval\\("],
  scope: [],
  globs: [],
  description: "",
};

/** Rule files that nobody changes. */
export function rulesOf(...statuses: (typeof STATUS)[]): SessionDeps["rules"] {
  const nothing = (): void => undefined;
  return {
    items: [],
    statuses: () => statuses,
    open: nothing,
    refresh: () => Promise.resolve(),
    see: nothing,
    add: nothing,
    close: nothing,
  };
}

/** A session of real parts, but for the model, the tools and the clock. */
export function createSession(setup: SessionSetup) {
  const clock = new FakeClock();
  const model = new ScriptedModel(setup.answers);
  const events: AgentEvent[] = [];
  const settings = { ...DEFAULT_TTSR, ...setup.settings };
  const ttsr = new TtsrManager(() => settings);
  for (const each of setup.rules ?? [rule("no-eval")]) {
    if (!ttsr.addRule(each)) throw new Error(`The rule ${each.name} was refused`);
  }
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const createLog = (): SessionManager => SessionManager.inMemory({ cwd: "/project", clock, random });
  const log = setup.log ?? createLog();
  const session = new AgentSession({
    cwd: "/project",
    startNotices: [],
    log,
    createLog,
    model,
    thinking: "off",
    tools: setup.tools ?? watchedTools(),
    customTools: [],
    extensions: [],
    gate: { decide: async () => ({ allow: true }) },
    permissionMode: { current: "yolo" },
    system: () => "system",
    ttsr,
    ttsrSettings: () => settings,
    rules: { ...rulesOf(), items: setup.advice ?? [] },
    audit: { begin: () => Promise.resolve(), end: () => Promise.resolve([]) },
    addSilentExample: () => Promise.reject(new Error("No rule files in this test")),
    surroundings: NOTHING_AROUND,
    retry: { maxAttempts: 0, baseDelayMs: 1 },
    limits: {},
    costOf: () => undefined,
    clock,
    random,
    ...setup.deps,
  });
  session.subscribe((event) => void events.push(event));
  return { session, clock, model, events, ttsr, log, settings };
}

export const BAD_TEXT: ScriptedAnswer = { blocks: [{ text: "I will use eval( here and go on for a while" }] };
export const GOOD_TEXT: ScriptedAnswer = { blocks: [{ text: "I will write a parser." }] };

/** Types of the events, deltas in a row as one. */
export function eventTypes(events: readonly AgentEvent[]): string[] {
  return events.map((event) => event.type).filter((type, i, all) => type !== "message_update" || all[i - 1] !== type);
}
