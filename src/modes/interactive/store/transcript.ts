/**
 * The transcript as a reducer of session events: what is printed once and for all comes out at the front, in order; what still grows stays
 * in `view`. Knows neither React nor the terminal.
 */
import type { AgentEvent } from "../../../agent/events.js";
import type { AssistantMessage, Message } from "../../../agent/messages.js";
import { textOf } from "../../../agent/messages.js";
import { type Entry, FixedEntry, TextEntry, ThinkingEntry, ToolEntry, targetOfArguments } from "./entries.js";
import { gapBetween, type Piece, type PieceBody, type TtsrNotice } from "./pieces.js";

export interface ViewPiece {
  piece: Piece;
  final: boolean;
  /** May stay a little longer, because a rule could still take it back. */
  held: boolean;
}

/** Things that were shown shortened and can be had whole. Kept few: they hold whole outputs. */
const EXPANDABLES = 10;
const EXPANDS: ReadonlySet<PieceBody["kind"]> = new Set(["tool", "thinking", "ttsr", "user", "audit"]);

export class Transcript {
  #entries: Entry[] = [];
  /** Blocks of the attempt that is streaming, by content index. */
  readonly #streaming = new Map<number, Entry>();
  #attempt: Entry[] = [];
  /** A rule has cut the attempt, and the next one has not begun. */
  #cut = false;
  readonly #tools = new Map<string, ToolEntry>();
  #lastPrinted: PieceBody | undefined;
  /** The first of the present attempt that was printed: what is printed cannot be drawn dimmed any more. */
  #printedOfAttempt: PieceBody | undefined;
  readonly #made = new WeakMap<PieceBody, Piece>();
  readonly #expandables: PieceBody[] = [];

  /** Puts a finished piece at the end. */
  add(body: PieceBody): void {
    this.#entries.push(new FixedEntry(body));
  }

  /** Puts a finished piece in front of the calls that wait or run, so that it is printed now and not when they have ended. */
  addAhead(body: PieceBody): void {
    const at = this.#attempt.length > 0 ? -1 : this.#entries.findIndex((entry) => entry.open !== undefined);
    this.#entries.splice(at === -1 ? this.#entries.length : at, 0, new FixedEntry(body));
  }

  /** Works in the deltas that have arrived. */
  settle(): void {
    for (const entry of this.#entries) entry.settle();
  }

  /** Everything not printed yet, in order. Settled state only. */
  view(): ViewPiece[] {
    const out: ViewPiece[] = [];
    let before = this.#lastPrinted;
    for (const entry of this.#entries) {
      for (const body of entry.ready) {
        out.push({ piece: this.#piece(body, before, entry), final: true, held: entry.held });
        before = body;
      }
      if (entry.open) {
        out.push({ piece: this.#piece(entry.open, before, entry), final: false, held: entry.held });
        before = entry.open;
      }
    }
    return out;
  }

  /** The first piece of the view has been printed. */
  shift(): void {
    for (let i = 0; i < this.#entries.length; i++) {
      const entry = this.#entries[i];
      const body = entry?.ready.shift();
      if (body === undefined) continue;
      this.#lastPrinted = body;
      if (entry && this.#attempt.includes(entry)) this.#printedOfAttempt ??= body;
      this.#noteExpandable(body);
      break;
    }
    while (this.#entries[0] && this.#entries[0].ready.length === 0 && !this.#isOpen(this.#entries[0]))
      this.#entries.shift();
  }

  /** @returns the newest thing that was shown shortened; each is given once, so that the next is further back */
  takeExpandable(): PieceBody | undefined {
    return this.#expandables.pop();
  }

  /** Opens or closes the notice that is still on the screen. @returns false when there is none */
  toggleNotice(): boolean {
    for (const entry of this.#entries) {
      const body = entry.ready[0];
      if (body?.kind !== "ttsr") continue;
      entry.ready[0] = { ...body, expanded: !body.expanded };
      return true;
    }
    return false;
  }

  apply(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        for (const text of event.prompts ?? []) this.add({ kind: "user", text });
        return;
      case "message_start":
        if (event.role === "assistant") this.#startAttempt();
        return;
      case "message_update":
        this.#delta(event);
        return;
      case "message_end":
        if (event.message.role === "assistant") this.#endMessage(event.message);
        return;
      case "tool_execution_start":
        this.#tool(event.toolCallId, event.toolName).update({
          phase: "running",
          target: targetOfArguments(event.arguments),
        });
        return;
      case "tool_execution_update":
        this.#tool(event.toolCallId, event.toolName).update({ phase: "running", output: event.text });
        return;
      case "tool_execution_end":
        this.#endTool(event);
        return;
      case "turn_end":
        this.#closeTools();
        return;
      case "ttsr_triggered":
        this.#interrupt(event);
        return;
      case "ttsr_suppressed":
        this.#suppressed(event);
        return;
      case "retry":
        if (this.#attempt.length > 0 || this.#printedOfAttempt) this.#rewind([]);
        this.add({ kind: "note", level: "quiet", text: retryText(event) });
        return;
      case "notice":
        this.add({ kind: "note", level: event.level, text: event.message });
        return;
      case "error":
        this.add({
          kind: "error",
          text: event.message,
          ...(event.requestId === undefined ? {} : { requestId: event.requestId }),
        });
        return;
      case "agent_end":
        this.#closeAttempt();
        this.#release();
        this.#closeTools();
        if (event.status === "aborted") this.add({ kind: "note", level: "quiet", text: "Stopped." });
        return;
      case "ttsr_audit":
        this.add({ kind: "audit", hits: event.hits });
        return;
      case "agent_start":
      case "ttsr_retry":
        return;
    }
  }

  /** Shows a conversation that was begun earlier: its last messages. */
  replay(messages: readonly Message[], limit = 30): void {
    const shown = messages.slice(-limit);
    const left = messages.length - shown.length;
    if (left > 0) this.add({ kind: "note", level: "quiet", text: `${left} earlier messages are not shown.` });
    for (const message of shown) {
      if (message.role === "user") {
        if (message.synthetic === "user-command")
          this.add({ kind: "note", level: "quiet", text: commandOf(textOf(message)) });
        else if (!message.synthetic) this.add({ kind: "user", text: textOf(message) });
      } else if (message.role === "assistant") {
        if (message.abortReason === "ttsr") continue;
        this.#startAttempt();
        this.#fill(message);
        this.#endMessage(message);
      } else {
        const { toolCallId, toolName, content, isError, denied } = message;
        const end = { toolCallId, toolName, result: { content, isError }, ...(denied ? { denied } : {}) };
        this.#endTool({ type: "tool_execution_end", ...end });
      }
    }
    this.#closeAttempt();
    this.#closeTools();
  }

  #fill(message: AssistantMessage): void {
    message.content.forEach((block, contentIndex) => {
      if (block.type === "text") {
        this.#delta({ type: "message_update", contentIndex, delta: { kind: "text", text: block.text } });
      }
    });
  }

  #piece(body: PieceBody, before: PieceBody | undefined, entry: Entry): Piece {
    const gap = gapBetween(before, body);
    const made = this.#made.get(body);
    if (made && made.gap === gap && made.rewound === entry.rewound) return made;
    const piece: Piece = { body, gap, rewound: entry.rewound };
    this.#made.set(body, piece);
    return piece;
  }

  #isOpen(entry: Entry): boolean {
    return entry.open !== undefined || this.#attempt.includes(entry);
  }

  #startAttempt(): void {
    this.#closeAttempt();
    this.#printedOfAttempt = undefined;
    this.#cut = false;
  }

  #delta({ contentIndex, delta }: Extract<AgentEvent, { type: "message_update" }>): void {
    if (delta.kind === "tool_args") {
      const entry = this.#tool(delta.toolCallId, delta.toolName ?? "tool");
      if (!this.#attempt.includes(entry)) this.#attempt.push(entry);
      entry.push(delta.text);
      return;
    }
    const present = this.#streaming.get(contentIndex);
    if (present instanceof TextEntry || present instanceof ThinkingEntry) {
      present.push(delta.text);
      return;
    }
    // A new block: the ones before it in the message are over, unless the provider mixes them.
    const entry = delta.kind === "text" ? new TextEntry() : new ThinkingEntry();
    for (const other of this.#streaming.values()) if (other instanceof ThinkingEntry) other.close();
    entry.push(delta.text);
    this.#streaming.set(contentIndex, entry);
    this.#attempt.push(entry);
    this.#entries.push(entry);
  }

  #endMessage(message: AssistantMessage): void {
    // What a rule cut off was closed when it happened; it is no failure and there is nothing to add.
    if (this.#cut || message.abortReason === "ttsr") return;
    // Whether it is tried again, and this one dropped, or was the last is told next.
    if (message.stopReason === "error") return;
    if (message.stopReason !== "aborted") {
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        const entry = this.#tool(block.id, block.name);
        entry.settle();
        entry.update({ phase: "waiting", target: targetOfArguments(block.arguments) });
        this.#attempt = this.#attempt.filter((other) => other !== entry);
        entry.held = false;
      }
    }
    this.#closeAttempt();
    this.#release();
  }

  /** The attempt streams no more: what it left is final and may be printed. */
  #closeAttempt(): void {
    for (const entry of this.#attempt) {
      entry.close();
      entry.held = false;
    }
    this.#attempt = [];
    this.#streaming.clear();
  }

  /** The notice of an interrupt stays on the screen while the retry runs, and not longer. */
  #release(): void {
    for (const entry of this.#entries) if (entry instanceof FixedEntry) entry.held = false;
  }

  #tool(id: string, name: string): ToolEntry {
    const known = this.#tools.get(id);
    if (known) return known;
    for (const other of this.#streaming.values()) other.close();
    const entry = new ToolEntry(id, name);
    this.#tools.set(id, entry);
    this.#entries.push(entry);
    return entry;
  }

  #endTool(event: Extract<AgentEvent, { type: "tool_execution_end" }>): void {
    const { result, details, denied } = event;
    let text = "";
    for (const part of result.content) text += part.type === "text" ? part.text : `[image ${part.mediaType}]`;
    const entry = this.#tool(event.toolCallId, event.toolName);
    entry.held = false;
    entry.finish({
      phase: "done",
      result: {
        text,
        isError: result.isError,
        ...(details?.diff === undefined ? {} : { diff: details.diff }),
        ...(details?.exitCode === undefined ? {} : { exitCode: details.exitCode }),
      },
      ...(denied ? { denied } : {}),
    });
    this.#tools.delete(event.toolCallId);
  }

  #closeTools(): void {
    for (const entry of this.#tools.values()) {
      entry.close();
      entry.held = false;
    }
    this.#tools.clear();
  }

  /** Nothing of the present attempt is part of the conversation. @param rules that cut it; none: a fault of the provider */
  #rewind(rules: readonly string[]): void {
    for (const entry of this.#attempt) {
      if (entry instanceof ToolEntry) {
        entry.freeze();
        this.#tools.delete(entry.view.id);
      } else {
        entry.close();
      }
      entry.rewound = true;
      entry.held = false;
    }
    // Calls that were whole already when a late check cut their message.
    for (const entry of this.#tools.values()) {
      if (entry.view.phase !== "waiting") continue;
      entry.freeze();
      entry.rewound = true;
      this.#tools.delete(entry.view.id);
    }
    this.#attempt = [];
    this.#streaming.clear();
    for (const entry of this.#entries) entry.held = false;
    const from = this.#printedOfAttempt && labelOf(this.#printedOfAttempt);
    this.add({ kind: "rewound", rules, ...(from === undefined ? {} : { from }) });
  }

  #interrupt(event: Extract<AgentEvent, { type: "ttsr_triggered" }>): void {
    this.#rewind(event.rules.map((rule) => rule.name));
    this.#cut = true;
    const notice: TtsrNotice = {
      rules: event.rules,
      matches: event.matches,
      discardedTokens: event.discardedTokens,
      attempt: event.attempt,
    };
    this.#entries.push(new FixedEntry({ kind: "ttsr", notice, expanded: false }, true));
  }

  #suppressed({ rule, reason, action }: Extract<AgentEvent, { type: "ttsr_suppressed" }>): void {
    // Of a blocked call its own row tells.
    if (action !== "reminder" || reason === "muted") return;
    const why = reason === "budget" ? "has used up its interrupts" : "may not interrupt here";
    this.add({ kind: "note", level: "quiet", text: `⟲ ${rule} ${why}; the model is reminded instead.` });
  }

  #noteExpandable(body: PieceBody): void {
    if (!EXPANDS.has(body.kind)) return;
    this.#expandables.push(body);
    if (this.#expandables.length > EXPANDABLES) this.#expandables.shift();
  }
}

/** How a piece begins, so that it is found again further up. */
function labelOf(body: PieceBody): string {
  if (body.kind === "tool") return `${body.tool.name} ${body.tool.target}`;
  if (body.kind !== "block") return body.kind;
  return (body.block.kind === "code" ? body.block.lines.join("\n") : body.block.text).trim();
}

/** The command itself, of what the model was told about it. */
function commandOf(text: string): string {
  return /^\$ .*$/m.exec(text)?.[0] ?? "$";
}

function retryText(event: Extract<AgentEvent, { type: "retry" }>): string {
  const seconds = Math.max(1, Math.round(event.delayMs / 1000));
  return `${event.message} Trying again in ${seconds} s (${event.attempt} of ${event.maxAttempts}).`;
}
