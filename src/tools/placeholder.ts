/** Text that stands for other text: a model that writes it would delete what it stands for. */

const COMMENT = /^\s*(?:\{\s*)?(?:\/\/|#|--|;|%|\/\*+|<!--)\s*(.*?)\s*(?:\*\/\s*\}?|-->)?\s*$/;
/** No placeholder is longer, and the pattern above is not for long lines. */
const MAX_LINE = 160;
const DOTS = /^(?:\.\.\.|…)/;
const ENDS_IN_DOTS = /(?:\.\.\.|…)$/;
const STANDS_FOR =
  /\b(?:rest|remaining|remainder|existing|unchanged|omitted)\b|\b(?:same|as) (?:as )?(?:before|above)\b|\bother (?:code|methods?|functions?|imports?|tests?|cases?)\b|\bcode (?:goes )?here\b|^(?:more )?code$/i;
const REST_OF =
  /^(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:code|file|function|method|class|module|component|implementation|content)\b/i;

/**
 * @param known text that may hold such a line itself; what stands there already is no placeholder
 * @returns the first line of `text` that is one, trimmed and short enough to quote
 */
export function placeholderIn(text: string, known: string): string | undefined {
  for (const line of text.split("\n")) {
    const comment = line.length > MAX_LINE ? undefined : COMMENT.exec(line)?.[1];
    if (comment === undefined || comment === "") continue;
    const words = comment.replace(DOTS, "").replace(ENDS_IN_DOTS, "").trim();
    const dotted = DOTS.test(comment) && (words === "" || STANDS_FOR.test(words));
    const trailing = ENDS_IN_DOTS.test(comment) && /^(?:the )?(?:rest|existing|unchanged|remaining)\b/i.test(words);
    if ((dotted || trailing || REST_OF.test(comment)) && !known.includes(line.trim())) return line.trim();
  }
  return undefined;
}
