import { sentMessages } from "../agent/history.js";
import type { Message } from "../agent/messages.js";

/**
 * TTSR-5.1. Asked anew for every request, so whatever takes messages out of a branch need not tell anybody.
 * @param messages the branch
 * @returns the names of the rules whose text stands whole in what is sent of it
 */
export function visibleRules(messages: readonly Message[]): Set<string> {
  const names = new Set<string>();
  for (const message of sentMessages(messages)) {
    if (message.role === "assistant") continue;
    for (const name of message.rules ?? []) if (!message.again?.includes(name)) names.add(name);
  }
  return names;
}
