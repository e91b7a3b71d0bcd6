const OPENING = "([{";
const CLOSING = ")]}";

/**
 * Splits a comma list as people write it: `*.ts, "*.{js,jsx}", src/(a,b)`. Commas inside brackets or quotes part nothing; quotes around
 * an entry are taken off. An unclosed bracket or quote is an ordinary character.
 */
export function splitList(text: string): string[] {
  const entries: string[] = [];
  const closes = closingOf(text);
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === undefined || c === ",") {
      const entry = unquote(text.slice(start, i).trim());
      if (entry !== "") entries.push(entry);
      start = i + 1;
    } else {
      i = c === '"' || c === "'" ? quoteEnd(text, i) : (closes.get(i) ?? i);
    }
  }
  return entries;
}

/** @returns from where a bracket opens to where it closes; those that none closes are not in it */
function closingOf(text: string): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: number[][] = [[], [], []];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? "";
    open[OPENING.indexOf(c)]?.push(i);
    const opened = open[CLOSING.indexOf(c)]?.pop();
    if (opened !== undefined) closes.set(opened, i);
  }
  return closes;
}

/** @returns where the quote that opens at `at` closes; `at` where it opens none, or none closes it */
function quoteEnd(text: string, at: number): number {
  // A quote inside a word is an apostrophe.
  if (/[^\s,[({]/.test(text[at - 1] ?? " ")) return at;
  const end = text.indexOf(text[at] ?? "", at + 1);
  return end < 0 ? at : end;
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
