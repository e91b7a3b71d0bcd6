/** The last bit of a text before the point where a match settled, for people and the model (TTSR-6.3). */
const LONGEST = 120;

/** @returns at most 120 units, on one line, without half characters at its edges */
export function excerptOf(before: string): string {
  const shown = before.replace(/[\r\n]+$/, "");
  const line = shown.slice(Math.max(shown.lastIndexOf("\n"), shown.lastIndexOf("\r")) + 1);
  return line.slice(-LONGEST).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
