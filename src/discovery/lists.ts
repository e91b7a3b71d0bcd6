const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Splits a comma list as people write it: `*.ts, "*.{js,jsx}", src/(a,b)`. Commas inside brackets or quotes part nothing; quotes around
 * an entry are taken off. An unclosed bracket or quote is an ordinary character.
 */
export function splitList(text: string): string[] {
  const entries: string[] = [];
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === undefined || c === ",") {
      const entry = unquote(text.slice(start, i).trim());
      if (entry !== "") entries.push(entry);
      start = i + 1;
    } else {
      i = closingOf(text, i);
    }
  }
  return entries;
}

/** @returns where the bracket or quote that opens at `at` closes; `at` where it opens none, or none closes it */
function closingOf(text: string, at: number): number {
  const open = text[at] ?? "";
  if (open === '"' || open === "'") {
    // A quote inside a word is an apostrophe.
    if (/[^\s,[({]/.test(text[at - 1] ?? " ")) return at;
    const end = text.indexOf(open, at + 1);
    return end < 0 ? at : end;
  }
  const close = PAIRS[open];
  if (close === undefined) return at;
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return at;
}

/**
 * Takes quotes off the way their author meant it: in a double-quoted text only `\\` and `\"` are escapes, so that `"\d+"` is the pattern
 * `\d+` (strict YAML refuses it).
 */
export function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== "'") || text.at(-1) !== quote) return text;
  const inner = text.slice(1, -1);
  return quote === '"' ? inner.replaceAll(/\\([\\"])/g, "$1") : inner.replaceAll("''", "'");
}
