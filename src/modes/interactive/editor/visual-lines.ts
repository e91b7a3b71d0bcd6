/** Where the characters of a text stand on the screen: rows of cells, and the way from an offset to a row and back. */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export interface VisualLine {
  /** Offset of its first character, UTF-16 units. */
  start: number;
  /** Offset behind its last one; a line end is not part of it. */
  end: number;
  text: string;
}

/** @returns at least one line; a text that ends with a line end has an empty last one */
export function visualLines(text: string, width: number): VisualLine[] {
  const lines: VisualLine[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    wrapLine(line, offset, width, lines);
    offset += line.length + 1;
  }
  return lines;
}

function wrapLine(line: string, offset: number, width: number, lines: VisualLine[]): void {
  let from = 0;
  let at = 0;
  let used = 0;
  /** Behind the last space of the row. */
  let soft = -1;
  const give = (end: number): void => {
    lines.push({ start: offset + from, end: offset + end, text: line.slice(from, end) });
  };
  for (const { segment } of graphemes.segment(line)) {
    const size = stringWidth(segment);
    if (used + size > width && at > from) {
      const end = soft > from && segment !== " " ? soft : at;
      give(end);
      from = end;
      used = stringWidth(line.slice(from, at));
      soft = -1;
    }
    at += segment.length;
    used += size;
    if (segment === " ") soft = at;
  }
  give(line.length);
}

export interface Place {
  row: number;
  /** Cells. */
  column: number;
}

export function placeOf(lines: readonly VisualLine[], offset: number): Place {
  for (let row = lines.length - 1; row >= 0; row--) {
    const line = lines[row];
    if (line && offset >= line.start) return { row, column: stringWidth(line.text.slice(0, offset - line.start)) };
  }
  return { row: 0, column: 0 };
}

/** @returns the offset nearest to a column of a row */
export function offsetOf(lines: readonly VisualLine[], row: number, column: number): number {
  const line = lines[Math.max(0, Math.min(lines.length - 1, row))];
  if (!line) return 0;
  let used = 0;
  let at = line.start;
  for (const { segment } of graphemes.segment(line.text)) {
    const size = stringWidth(segment);
    if (used + size > column) break;
    used += size;
    at += segment.length;
  }
  return at;
}
