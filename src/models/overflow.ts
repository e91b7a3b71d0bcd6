/** Tells "the conversation is too long for the model" from every other refusal; each vendor words it in its own way. */

const WORDINGS: readonly RegExp[] = [
  /prompt (?:is )?too long/i,
  /input is too long/i,
  /input (?:is )?longer than/i,
  /(?:exceeds?|exceeded|exceeding|over|beyond|larger than|greater than|longer than|overflow(?:s|ed)?) (?:the |this |that |its |our )?(?:model'?s? )?(?:max(?:imum)? |available |allowed |total )?(?:model )?context/i,
  /context[ _-]?(?:length|window|size|limit)[ _-]?(?:is )?(?:exceed|overflow)/i,
  /maximum context length/i,
  /max context length/i,
  /exceeds? context limit|exceed context limit/i,
  /input token count.{0,40}exceeds/i,
  /maximum prompt length/i,
  /prompt (?:token count|tokens?).{0,40}exceed/i,
  /prompt exceeds max(?:imum)? length/i,
  /reduce the (?:length|size) of (?:the|your) (?:messages|prompt|input)/i,
  /reduce (?:the|your) prompt/i,
  /exceed(?:s|ed)? (?:the )?model (?:token|input|context) limit/i,
  /exceeded model token limit/i,
  /too many (?:input )?tokens(?! per)/i,
  /token limit exceeded/i,
  /longer than the (?:model's context length|maximum model length)/i,
  /model's context length is only/i,
  /tokens`? \+ `?max_new_tokens`? must be/i,
  /range of input length should be/i,
  /total tokens of (?:the )?(?:image and text|messages?|input).{0,40}exceed/i,
  /request body too large for .{0,60} model/i,
  /input (?:length|tokens?).{0,40}exceeds? (?:the )?max/i,
  /exceeds? (?:the )?max(?:imum)? (?:allowed )?(?:input|content) (?:length|tokens)/i,
  /string too long\. expected a string with maximum length/i,
  /n_ctx|n_keep.{0,20}n_ctx/i,
  /request_too_large|request exceeds the maximum size/i,
];

const CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "model_context_window_exceeded",
  "tokens_limit_reached",
  "exceed_context_size_error",
  "string_above_max_length",
  "request_too_large",
  "1261",
]);

/** Limits per time use the same words ("too many tokens per minute") and heal by waiting, not by compaction. */
const PER_TIME =
  /per[ _-](?:minute|min|hour|day|second|sec)\b|\b[TR]P[MD]\b|rate[ _-]?limit|too many requests|throttl|quota/i;

/** @returns whether a refusal with this code and text means that the request does not fit the model's context window */
export function isContextOverflow(code: string | undefined, text: string): boolean {
  if (code !== undefined && CODES.has(code)) return true;
  return !PER_TIME.test(text) && WORDINGS.some((wording) => wording.test(text));
}
