/** The last bit of a text before the point where a match settled, for people and the model (TTSR-6.3). */
const LONGEST = 120;
/** Units at its end that are looked at: the text may be a whole file, and is asked about at every hit in it. */
const LOOKED_AT = 1_024;

/** @returns at most 120 units, on one line, without half characters at its edges */
export function excerptOf(before: string): string {
  const shown = before.slice(-LOOKED_AT).replace(/[\r\n]+$/, "");
  const line = shown.slice(Math.max(shown.lastIndexOf("\n"), shown.lastIndexOf("\r")) + 1);
  return line.slice(-LONGEST).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

/** @returns the beginning of what stands on one line, with a mark where there is more; at most as long as an excerpt */
export function headOf(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
