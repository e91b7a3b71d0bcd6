/** Levels of arrays and objects in one piece of JSON. Whatever walks a value (writing the log, say) recurses, and thousands overflow its stack. */
export const MAX_DEPTH = 500;

/** @returns whether the text, taken as JSON, nests deeper than anything that is meant; linear, never throws */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at + 1);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return false;
}

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return text.length;
}
