import type { Rule } from "./rule.js";

/** Bytes of a rule's body that are put before the model at most (`rules.md`, limits). */
export const MAX_INJECTED_BYTES = 8 * 1024;

/** @returns the rule's body as a model gets to read it: cut, with a mark, where it is too long */
export function injectedBody(rule: Rule): string {
  const text = rule.content.trim();
  if (Buffer.byteLength(text) <= MAX_INJECTED_BYTES) return text;
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_INJECTED_BYTES)).replace(/\uFFFD+$/, "");
  return `${cut}\n[the rule is longer; its first ${MAX_INJECTED_BYTES} bytes are shown]`;
}
