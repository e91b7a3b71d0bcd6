/** What of a log is the conversation: the messages to send, and what the stream rules must know again (TTSR-8.1, 8.2). */
import type { Message, ThinkingLevel } from "../agent/messages.js";
import type { InjectedRule } from "../ttsr/types.js";
import type { SessionEntry, TtsrInjectionEntry } from "./session-entries.js";
import type { SessionTree } from "./session-tree.js";

export interface SessionContext {
  /** From the first to the last of the branch, without attempts that are never sent. */
  messages: Message[];
  /** The id in the log of each of `messages`. */
  entryIds: string[];
  injectedTtsrRules: InjectedRule[];
  /** An interrupt that a crash kept from the model: to be delivered once, or cancelled. */
  pendingInterrupt?: TtsrInjectionEntry;
  /** The last one that was chosen or that answered. */
  model?: { provider: string; model: string };
  /** As it was chosen last. */
  thinking?: ThinkingLevel;
}

/** @returns the conversation at the tree's leaf; messages are the log's own, not copies */
export function buildContext(tree: SessionTree): SessionContext {
  const branch = tree.branch();
  const context: SessionContext = { messages: [], entryIds: [], injectedTtsrRules: injectedRules(tree, branch) };
  for (const entry of branch) {
    if (entry.type === "message" && !tree.isSideBranch(entry)) {
      context.messages.push(entry.message);
      context.entryIds.push(entry.id);
      if (entry.message.role === "assistant") context.model = modelIn(entry.message);
    } else if (entry.type === "model_change") {
      context.model = modelIn(entry);
      if (entry.thinking !== undefined) context.thinking = entry.thinking;
    }
  }
  const pending = pendingInterrupt(tree, branch);
  if (pending) context.pendingInterrupt = pending;
  return context;
}

function modelIn({ provider, model }: { provider: string; model: string }): { provider: string; model: string } {
  return { provider, model };
}

/**
 * @param branch from the first entry to the leaf
 * @returns each rule that was put before the model in this branch, once, with the turns since the last time; in order of that time
 */
export function injectedRules(tree: SessionTree, branch: readonly SessionEntry[]): InjectedRule[] {
  /** By name: the hash, and the turns that had ended when the rule was injected. */
  const injected = new Map<string, { hash: string; at: number }>();
  const told = (name: string, hash: string, at: number): void => {
    injected.delete(name);
    injected.set(name, { hash, at });
  };
  let turns = 0;
  for (const entry of branch) {
    if (endsTurn(entry, tree)) turns++;
    if (entry.type === "ttsr_injection" && !tree.isCancelled(entry)) {
      // A bare name says nothing of an age, so it counts as just injected.
      for (const { name, hash } of entry.rules) told(name, hash, hash === "" ? Number.POSITIVE_INFINITY : turns);
    } else if (entry.type === "message" && entry.message.role !== "assistant") {
      const { message } = entry;
      // A result belongs to the turn whose call it answers.
      const at = message.role === "toolResult" ? turns - 1 : turns;
      const known = message.role === "user" && message.synthetic === "ttsr-interrupt";
      // An interrupt has an entry of its own, a reminder has not.
      for (const name of message.rules ?? []) if (!known || !injected.has(name)) told(name, "", at);
    }
  }
  return [...injected].map(([name, { hash, at }]) => ({ name, hash, turnsAgo: Math.max(0, turns - at) }));
}

/** A turn is an answer that ended otherwise than by a rule (TTSR-5.2). */
function endsTurn(entry: SessionEntry, tree: SessionTree): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  return entry.message.abortReason !== "ttsr" && !tree.isCut(entry);
}

/** Only the end of the branch can wait for an interrupt: where the conversation has gone on, there is none to deliver any more. */
function pendingInterrupt(tree: SessionTree, branch: readonly SessionEntry[]): TtsrInjectionEntry | undefined {
  for (const entry of [...branch].reverse()) {
    if (entry.type === "message" && !tree.isCut(entry)) return undefined;
    if (entry.type !== "ttsr_injection" || entry.interruptMessageId === undefined) continue;
    if (!tree.isCancelled(entry) && !tree.has(entry.interruptMessageId)) return entry;
  }
  return undefined;
}
