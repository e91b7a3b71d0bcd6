/** What a line of markdown is, by itself. */

export const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
export const INNER_FENCE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
export const LIST = /^( {0,3})(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;
/** Lines that a cut in their middle would turn into something else. */
const WHOLE_LINES = /^(?: {0,3}>| {4}|\t)/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** `lines`: quotes and indented code, where only whole lines can be cut off. */
export type Prose = "paragraph" | "lines" | "list" | "heading" | "table";

export function kindOf(line: string): Prose {
  if (HEADING.test(line)) return "heading";
  if (WHOLE_LINES.test(line)) return "lines";
  return LIST.test(line) ? "list" : "paragraph";
}

/** Whether no code span, strong emphasis or link text is open at the end of a text. */
export function isBalanced(text: string): boolean {
  const count = (part: string): number => text.split(part).length - 1;
  return (
    count("`") % 2 === 0 &&
    count("*") % 2 === 0 &&
    count("**") % 2 === 0 &&
    count("~~") % 2 === 0 &&
    count("[") === count("]")
  );
}

export function isTableRule(line: string): boolean {
  return line.includes("|") && TABLE_RULE.test(line);
}

/** Whether a line is running text, by its beginning. */
export function isRunning(line: string): boolean {
  return kindOf(line) === "paragraph" && !FENCE.test(line) && !line.trimStart().startsWith("|");
}

export function unindent(line: string, columns: number): string {
  let at = 0;
  while (at < columns && line.charAt(at) === " ") at++;
  return line.slice(at);
}

export function isBareFence(line: string): boolean {
  return /^\s*(?:`+|~+)[^\S\n]*$/.test(line);
}

/** What stands between the two halves of a line that was cut. */
export type Joint = "" | " ";

/** Characters of scripts that are written without spaces. */
const WIDE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
const WIDE_STOP = /[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]/;
/** Of words without end, which are data. */
const DATA = /[\w+/=-]/;

/**
 * @param anywhere whether the line is so long that it is cut inside a word, too
 * @returns undefined where a line should not be cut between these two characters
 */
export function jointOf(before: string, after: string, anywhere: boolean): Joint | undefined {
  if (before === " ") return /\s/.test(after) ? undefined : " ";
  if (WIDE_STOP.test(before) && WIDE.test(after)) return "";
  if (!anywhere) return undefined;
  const both = (kind: RegExp): boolean => kind.test(before) && kind.test(after);
  return both(WIDE) || both(DATA) ? "" : undefined;
}
