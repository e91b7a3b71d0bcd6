/**
 * Patterns in which `*` stands for any text. They come from files of others and are tried on what a model writes, so their cost grows with
 * the text alone, which that of a regular expression with several stars does not.
 */

const STAR = Symbol("any text");
/** Nothing, or any text that ends with a slash. */
const FOLDERS = Symbol("any folders");
type Token = string | typeof STAR | typeof FOLDERS;

export interface WildcardOptions {
  /** Letter case does not count, code unit by code unit. */
  ignoreCase?: boolean;
  /** `**` with a slash may stand for no folder at all. */
  folders?: boolean;
}

/** @returns whether a whole text fits the pattern */
export function compileWildcard(
  pattern: string,
  { ignoreCase = false, folders = false }: WildcardOptions = {},
): (text: string) => boolean {
  const fold = ignoreCase ? foldCase : (text: string) => text;
  const tokens = tokensOf(fold(pattern), folders);
  if (tokens.includes(FOLDERS)) return (text) => fits(tokens, fold(text));
  const pieces = fold(pattern).split(/\*+/);
  return (text) => hasInOrder(pieces, fold(text));
}

function tokensOf(pattern: string, folders: boolean): Token[] {
  return (pattern.match(/\*\*\/|\*+|[^*]/gs) ?? []).flatMap((token): Token[] => {
    if (token === "**/") return folders ? [FOLDERS] : [STAR, "/"];
    return [token.startsWith("*") ? STAR : token];
  });
}

/** What may be found early may be taken early: what follows has the more room. */
function hasInOrder([first = "", ...others]: readonly string[], text: string): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end && text.endsWith(last);
}

/** All places of the pattern that the text so far may have led to, at once. */
function fits(tokens: readonly Token[], text: string): boolean {
  /** What is to come next. */
  let next = new Set<number>();
  /** Folders that have begun. */
  let begun = new Set<number>();
  const enter = (places: Set<number>, at: number): void => {
    let place = at;
    places.add(place);
    while (tokens[place] === STAR || tokens[place] === FOLDERS) places.add(++place);
  };
  enter(next, 0);
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    const then = new Set<number>();
    const inside = new Set<number>();
    for (const place of next) {
      const token = tokens[place];
      if (token === STAR) enter(then, place);
      else if (token === FOLDERS) inside.add(place);
      else if (token === unit) enter(then, place + 1);
    }
    for (const place of begun) inside.add(place);
    if (unit === "/") for (const place of inside) enter(then, place + 1);
    next = then;
    begun = inside;
    if (next.size + begun.size === 0) return false;
  }
  return next.has(tokens.length);
}

/** As regular expressions without `u` do: as many units as before. */
function foldCase(text: string): string {
  const upper = text.toUpperCase();
  if (upper.length === text.length && /^[\0-\x7f]*$/.test(text)) return upper;
  let folded = "";
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] ?? "";
    const big = unit.toUpperCase();
    folded += big.length !== 1 || (unit > "\x7f" && big <= "\x7f") ? unit : big;
  }
  return folded;
}
