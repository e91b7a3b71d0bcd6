import type { AgentEvent, AgentListener } from "../../../src/agent/events.js";
import type { AssistantBlock, AssistantMessage, Message } from "../../../src/agent/messages.js";
import type {
  FaceSession,
  PermissionMode,
  RuleStatus,
  SessionState,
} from "../../../src/modes/interactive/session-port.js";
import type { FalseAlarm } from "../../../src/sdk.js";

/** A session that does what the test says. */
export class FakeSession implements FaceSession {
  readonly id = "0190-test";
  cwd = "/home/ada/project";
  isTtsrAbortPending = false;
  messages: Message[] = [];
  readonly prompts: { text: string; when: string }[] = [];
  aborted = 0;
  retried = 0;
  fresh = 0;
  disposed = 0;
  running = false;
  queue: string[] = [];
  mode: PermissionMode = "ask";
  interrupts = 0;
  statuses: RuleStatus[] = [];
  readonly #listeners = new Set<AgentListener>();

  get state(): SessionState {
    return {
      id: this.id,
      cwd: this.cwd,
      file: undefined,
      running: this.running,
      command: false,
      model: { provider: "demo", model: "showcase", contextWindow: 128_000 },
      thinking: this.thinking,
      permissionMode: this.mode,
      queue: this.queue,
      steering: 0,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextTokens: 12_800,
      ttsr: { enabled: true, armed: 14, interrupts: this.interrupts, discardedTokens: 0 },
    };
  }

  subscribe(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...events: AgentEvent[]): void {
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }

  prompt(
    text: string,
    options: { when?: "queue" | "steer"; onQueued?: () => void } = {},
  ): Promise<{ status: "ok"; text: string }> {
    this.onQueued = options.onQueued;
    this.prompts.push({ text, when: options.when ?? "queue" });
    return Promise.resolve({ status: "ok", text: "" });
  }

  /** Of the last prompt; a run that is on takes it some time later. */
  onQueued: (() => void) | undefined;

  abort(): void {
    this.aborted++;
  }

  takeQueue(): string[] {
    return this.queue.splice(0);
  }

  takeLastQueued(): string | undefined {
    return this.queue.pop();
  }

  auditPrompt: string | undefined;

  takeAuditPrompt(): string | undefined {
    return this.auditPrompt;
  }

  readonly commands: string[] = [];

  runCommand(command: string): Promise<void> {
    this.commands.push(command);
    return Promise.resolve();
  }

  retry(): Promise<void> {
    this.retried++;
    return Promise.resolve();
  }

  newSession(): Promise<void> {
    this.fresh++;
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    this.disposed++;
    return Promise.resolve();
  }

  rules(): readonly RuleStatus[] {
    return this.statuses;
  }

  muteRule(name: string, muted: boolean): void {
    this.statuses = this.statuses.map((rule) => (rule.name === name ? { ...rule, muted } : rule));
  }

  readonly renamed: string[] = [];
  readonly resumed: string[] = [];
  readonly chosen: string[] = [];
  readonly allowed: string[] = [];
  readonly alarms: { name: string; example: FalseAlarm }[] = [];
  thinking: SessionState["thinking"] = "off";
  surroundings: FaceSession["surroundings"] = {
    models: () => Promise.resolve([]),
    sessions: () => [],
    settings: () => [],
    settingsFile: "/home/ada/.config/ttsr-agent/settings.yml",
  };

  resume(id: string): Promise<void> {
    this.resumed.push(id);
    return Promise.resolve();
  }

  rename(title: string): void {
    this.renamed.push(title);
  }

  chooseModel(spec: string): Promise<string | undefined> {
    if (!spec.includes("/")) return Promise.reject(new Error(`There is no provider "${spec}".`));
    this.chosen.push(spec);
    return Promise.resolve(undefined);
  }

  setThinking(level: SessionState["thinking"]): void {
    this.thinking = level;
  }

  allowRuleOnce(name: string): Promise<"asked-again" | "next-match"> {
    this.allowed.push(name);
    return Promise.resolve("next-match");
  }

  reportFalseAlarm(name: string, example: FalseAlarm): Promise<void> {
    this.alarms.push({ name, example });
    return Promise.resolve();
  }

  setPermissionMode(mode: PermissionMode): void {
    this.mode = mode;
  }
}

export function message(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    provider: "demo",
    model: "showcase",
    wire: "scripted",
    content,
    stopReason: "stop",
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
    ...more,
  };
}

/** The deltas of a text in pieces of `size` characters. */
export function textDeltas(text: string, size = 7, contentIndex = 0): AgentEvent[] {
  const out: AgentEvent[] = [];
  for (let at = 0; at < text.length; at += size) {
    out.push({ type: "message_update", contentIndex, delta: { kind: "text", text: text.slice(at, at + size) } });
  }
  return out;
}

export function argDeltas(
  toolCallId: string,
  toolName: string,
  args: string,
  size = 9,
  contentIndex = 1,
): AgentEvent[] {
  const out: AgentEvent[] = [];
  for (let at = 0; at < args.length; at += size) {
    out.push({
      type: "message_update",
      contentIndex,
      delta: { kind: "tool_args", toolCallId, toolName, text: args.slice(at, at + size) },
    });
  }
  return out;
}

export const DESCRIPTION =
  "Never build code from strings: eval and new Function run whatever reaches them. Parse the input and work out the result yourself, and keep the set of operators closed. There is a small parser in src/parse.js that does it already.";

/** The story of TTSR-7.3: prose, a call that is cut in its middle, the retry, its result, the answer. */
export const CUT_RUN: { before: AgentEvent[]; interrupt: AgentEvent[]; retry: AgentEvent[]; rest: AgentEvent[] } = {
  before: [
    { type: "agent_start" },
    { type: "turn_start", turn: 1, prompts: ["make calc work out expressions"] },
    { type: "message_start", role: "assistant", attempt: 1 },
    ...textDeltas("I will let the language do the work.\n\n"),
    ...argDeltas("c1", "edit", '{"path":"src/calc.js","edits":[{"old":"return 0;","new":"const x = 1;\\nreturn '),
  ],
  interrupt: [
    {
      type: "ttsr_triggered",
      rules: [{ name: "no-eval", path: "/home/ada/project/.rules/no-eval.md", description: DESCRIPTION }],
      matches: [
        {
          rule: "no-eval",
          source: "tool",
          toolName: "edit",
          argument: "added",
          filePath: "src/calc.js",
          excerpt: "return eval(",
          start: 20,
          end: 25,
        },
      ],
      attempt: 1,
      discardedTokens: 38,
    },
    {
      type: "message_end",
      message: message([{ type: "text", text: "I will let the language do the work." }], {
        stopReason: "aborted",
        abortReason: "ttsr",
        cutBy: ["no-eval"],
        errorMessage: "Error: aborted",
      }),
    },
  ],
  retry: [
    { type: "ttsr_retry", rules: ["no-eval"], attempt: 2, contextMode: "discard" },
    { type: "message_start", role: "assistant", attempt: 2 },
    ...textDeltas("I use the parser instead."),
  ],
  rest: [
    ...argDeltas("c2", "edit", '{"path":"src/calc.js","edits":[{"old":"return 0;","new":"return parse(expr);"}]}'),
    {
      type: "message_end",
      message: message(
        [
          { type: "text", text: "I use the parser instead." },
          { type: "toolCall", id: "c2", name: "edit", arguments: { path: "src/calc.js" } },
        ],
        { stopReason: "toolUse" },
      ),
    },
    { type: "tool_execution_start", toolCallId: "c2", toolName: "edit", arguments: { path: "src/calc.js" } },
    {
      type: "tool_execution_end",
      toolCallId: "c2",
      toolName: "edit",
      result: { content: [{ type: "text", text: "Edited src/calc.js" }], isError: false },
      details: {
        path: "src/calc.js",
        diff: "--- a/src/calc.js\n+++ b/src/calc.js\n@@ -10,3 +10,3 @@\n export function calc(expr) {\n-  return 0;\n+  return parse(expr);\n }\n",
      },
    },
    { type: "turn_end", turn: 1, message: message([]) },
    { type: "turn_start", turn: 2 },
    { type: "message_start", role: "assistant", attempt: 1 },
    ...textDeltas("Done: `calc` parses now."),
    { type: "message_end", message: message([{ type: "text", text: "Done: `calc` parses now." }]) },
    { type: "turn_end", turn: 2, message: message([]) },
    { type: "agent_end", status: "ok", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  ],
};
