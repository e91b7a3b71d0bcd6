/** What the loop needs from the rest of the house. It drives these ports and knows nobody behind them by name. */
import type { ModelError } from "./errors.js";
import type {
  AssistantMessage,
  ImageBlock,
  Json,
  Message,
  StopReason,
  TextBlock,
  ThinkingLevel,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
  WireId,
} from "./messages.js";

// ---- time ----

/** Time, injected. Milliseconds. */
export interface Clock {
  /** Monotonic; only differences mean something. */
  now(): number;
  /** Wall clock, for timestamps in files. */
  date(): Date;
  /** @returns a function that cancels the timer */
  after(ms: number, run: () => void): () => void;
}

// ---- models ----

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Json;
}

/** One request. `messages` has passed `history.ts`: every call has its result, roles are in a legal order. */
export interface ModelRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  thinking: ThinkingLevel;
  /** Stable for a conversation, so that providers can find their cache again. */
  conversationId?: string;
}

/**
 * What a stream is made of. `index` is the position of the block in the finished message's `content`; blocks are numbered 0, 1, 2 …
 * in the order in which they start; several may be open at once.
 *
 * Promises of every wire:
 * - the joined `args_delta`s of a call are its whole argument text, even where the provider sends it in one piece at the end;
 * - exactly one `finish` or `error` ends the stream, and `finish` only after the wire's own terminal event;
 * - nothing after `finish`, `error`, or the abort of the signal.
 */
export type StreamPart =
  | { type: "start"; responseId?: string; model?: string }
  | { type: "text_start"; index: number }
  | { type: "text_delta"; index: number; text: string }
  | { type: "thinking_start"; index: number; redacted?: boolean }
  | { type: "thinking_delta"; index: number; text: string }
  | { type: "signature"; index: number; signature: string }
  | { type: "call_start"; index: number; id: string; name: string }
  | { type: "args_delta"; index: number; text: string }
  | { type: "replay"; index: number; data: Json }
  | { type: "opaque"; index: number; data: Json }
  | { type: "block_end"; index: number }
  | { type: "usage"; usage: Usage }
  | { type: "warning"; message: string }
  | {
      type: "finish";
      reason: Exclude<StopReason, "aborted" | "error">;
      rawReason: string;
      usage: Usage;
      pause?: boolean;
    }
  | { type: "error"; error: ModelError };

/** A model that can be asked. Implemented in `models/`, one wire each. */
export interface ModelStream {
  readonly provider: string;
  readonly model: string;
  readonly wire: WireId;
  /** Tokens; undefined when nobody told us. */
  readonly contextWindow: number | undefined;
  /**
   * Sends one request. Parts come in the groups in which they arrived. Failures are an `error` part, never a rejection. After
   * `signal` aborts, the socket is closed and the iteration ends without a further part.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly StreamPart[]>;
}

// ---- tools ----

/** An argument that the model writes itself, as opposed to one that only names something. Watched by stream rules (TTSR-2.4). */
export type Authored =
  /** A string argument taken as it is, named by its key. */
  | { kind: "text"; argument: string }
  /** A whole file; lines that stand in the file on disk are carried over, not authored. */
  | { kind: "file"; argument: string }
  /** A list of `{old, new}` replacements: lanes `added` and `removed`. */
  | { kind: "edits"; argument: string }
  /** A patch as text, of one file or of several, whose paths stand in it: lanes `added` and `removed`, each of its own file. */
  | { kind: "patch"; argument: string };

/** What the user is asked about, when a tool call needs leave. */
export interface PermissionSubject {
  kind: "read" | "edit" | "command" | "other";
  /** One line: what will be done. */
  title: string;
  /** Absolute paths that would be read or changed. */
  paths: string[];
  command?: string;
  /** Unified diff of what would change. */
  diff?: string;
}

export interface ToolContext {
  /** Absolute. */
  cwd: string;
  signal: AbortSignal;
  toolCallId: string;
  /** Progress for the user: the newest output, cleaned of control sequences. */
  update(text: string): void;
}

export interface ToolResult {
  content: (TextBlock | ImageBlock)[];
  isError: boolean;
  /** For the faces: a unified diff, counts. The model does not see it. */
  details?: { diff?: string; path?: string; exitCode?: number };
}

export type Validated<A> = { ok: true; value: A } | { ok: false; message: string };

export interface Tool<A = unknown> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
  /** Read-only tools run side by side and need no leave inside the workspace. */
  readonly readOnly: boolean;
  /** The tool of ours whose work it does under another name: rules that name that one watch it as well. */
  readonly like?: string;
  /** undefined: every string argument is watched, named by its dotted path. */
  readonly authored?: readonly Authored[];
  /** The argument that names the file, where there is one. */
  readonly pathArgument?: string;
  validate(args: Record<string, unknown>): Validated<A>;
  /** What to ask the user. May read files; must change nothing. */
  describe(args: A, context: { cwd: string; signal: AbortSignal }): Promise<PermissionSubject>;
  /** Runs to its end or until `signal` aborts. Failures are results with `isError`, never rejections. */
  execute(args: A, context: ToolContext): Promise<ToolResult>;
}

export type GateDecision =
  | { allow: true }
  | { allow: false; by: "user" | "policy" | "rule"; reason: string; endRun?: boolean };

/** Decides before a tool runs. Implemented by `permissions/`. */
export interface ToolGate {
  decide(tool: Tool, subject: PermissionSubject, call: ToolCallBlock, signal: AbortSignal): Promise<GateDecision>;
}

// ---- the guard of the stream ----

export type GuardVerdict = "pass" | "cut";

/** What only the model's server should ever see, a control token of its chat template, stands in its prose: a fault of the provider (C76). */
export interface Leak {
  token: string;
}

/**
 * Watches what the model writes. The loop calls it synchronously, before the delta's event is emitted. A `cut` verdict means that the
 * guard has already aborted the run: the loop handles nothing more of this attempt.
 */
export interface StreamGuard {
  /**
   * A new attempt begins: every lane is dropped.
   * @param goesOn false once the attempt is over or its run was aborted: nothing that is found later may act
   * @param leakEnds whether the loop gives the attempt up at a leak: then what stands behind one breaks no rule
   */
  open(goesOn: () => boolean, leakEnds: boolean): void;
  inspect(part: StreamPart): GuardVerdict | Leak;
  /**
   * The message has ended whole. Resolves when every check on it is answered; no tool starts before.
   * @param signal aborted: resolves at once
   */
  close(message: AssistantMessage, signal: AbortSignal): Promise<GuardVerdict>;
  /** A rule past its budget forbids this call. `text`: its error result, for the model; `reason`: one sentence, for people. */
  blocked(call: ToolCallBlock): { text: string; reason: string } | undefined;
  /** The last word on a result before the model sees it: reminders are put in front. */
  amend(result: ToolResultMessage): ToolResultMessage;
  /** A turn has ended (a cut attempt is none). */
  turnEnded(): void;
}
