/** A table → rows: columns side by side, cells broken within their column, or one row a cell where there is no room for that. */
import type { Style } from "../theme.js";
import { cells, indent, wrapProse } from "./width.js";

/** Fewer cells in a column than this break words into letters. */
const NARROW = 8;
const GAP = 2;

export interface TableLook {
  width: number;
  align: readonly ("left" | "right" | "center" | null)[];
  /** Of the head. */
  bold: Style;
  /** Of the rule under it. */
  dim: Style;
}

/**
 * @param head styled cells
 * @param body rows of styled cells, each as long as the head
 */
export function tableRows(head: readonly string[], body: readonly (readonly string[])[], look: TableLook): string[] {
  const all = [head, ...body];
  const wanted = head.map((_, i) => Math.max(1, ...all.map((row) => cells(row[i] ?? ""))));
  const room = look.width - GAP * (head.length - 1);
  const sizes = shrink(wanted, room);
  if (sizes === undefined) return stacked(head, body, look);
  const line = (row: readonly string[], style?: Style): string[] => {
    const parts = sizes.map((size, i) => wrapProse(row[i] ?? "", size).map((part) => (style ? style(part) : part)));
    const height = Math.max(...parts.map((part) => part.length));
    return Array.from({ length: height }, (_, y) =>
      parts
        .map((part, i) => place(part[y] ?? "", sizes[i] ?? 1, look.align[i] ?? "left"))
        .join(" ".repeat(GAP))
        .trimEnd(),
    );
  };
  const isTall = body.some((row) => row.some((cell, i) => cells(cell) > (sizes[i] ?? 0)));
  const rows = body.flatMap((row, i) => (isTall && i > 0 ? ["", ...line(row)] : line(row)));
  return [...line(head, look.bold), look.dim(sizes.map((size) => "─".repeat(size)).join(" ".repeat(GAP))), ...rows];
}

function place(text: string, size: number, align: "left" | "right" | "center"): string {
  const free = Math.max(0, size - cells(text));
  const before = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(free - before);
}

/** @returns widths that fit, taken from the widest columns; undefined where columns would become too narrow to read */
function shrink(wanted: readonly number[], room: number): number[] | undefined {
  const sizes = [...wanted];
  for (let sum = sizes.reduce((a, b) => a + b, 0); sum > room; sum--) {
    const widest = sizes.indexOf(Math.max(...sizes));
    const size = sizes[widest];
    if (size === undefined || size <= NARROW) return undefined;
    sizes[widest] = size - 1;
  }
  return sizes;
}

/** One row a cell, each with the name of its column; nothing is left out. */
function stacked(head: readonly string[], body: readonly (readonly string[])[], look: TableLook): string[] {
  return body.flatMap((row, y) => {
    const rows = row.flatMap((cell, i) => {
      const name = head[i] ?? "";
      const shown = wrapProse(`${look.bold(`${name}:`)} ${cell}`, look.width - 2);
      return indent(shown, 2, i === 0 ? "- " : "  ");
    });
    return y > 0 ? ["", ...rows] : rows;
  });
}
