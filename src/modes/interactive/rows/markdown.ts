/** Markdown → rows: headings, lists, emphasis, code, fences, quotes and plain tables. Everything in it is foreign and cleaned first. */
import { Lexer, type Token, type Tokens } from "marked";
import type { Style, Theme } from "../theme.js";
import { clean } from "./clean.js";
import { cells, fit, indent, wrapExact, wrapProse } from "./width.js";

interface Frame {
  width: number;
  theme: Theme;
  /** Laid over everything: used for what has been rewound. */
  over: Style;
}

/** @returns rows of at most `width` cells, without a blank row at either end */
export function markdownRows(text: string, width: number, theme: Theme, over: Style = theme.plain): string[] {
  const frame: Frame = { width: Math.max(4, width), theme, over };
  return trimBlank(blocks(new Lexer({ gfm: true }).lex(clean(text)), frame));
}

/** Whole lines of a fence. */
export function codeRows(lines: readonly string[], width: number, theme: Theme, over: Style = theme.code): string[] {
  // Without colour, code is told from prose by its indent.
  const shift = theme.colors ? 0 : 2;
  const rows = lines.flatMap((line) => wrapExact(clean(line), Math.max(4, width - shift)));
  return rows.map((row) => (row.trim() === "" ? "" : " ".repeat(shift) + over(row)));
}

function blocks(tokens: readonly Token[], frame: Frame): string[] {
  const rows: string[] = [];
  let gap = false;
  for (const token of tokens) {
    if (token.type === "space") {
      gap = rows.length > 0;
      continue;
    }
    const added = block(token, frame);
    if (added.length === 0) continue;
    if (gap || (rows.length > 0 && (token.type === "heading" || token.type === "code"))) rows.push("");
    rows.push(...added);
    gap = token.type === "code";
  }
  return rows;
}

function block(token: Token, frame: Frame): string[] {
  const { theme, width } = frame;
  switch (token.type) {
    case "heading":
      return wrapProse(frame.over(theme.heading(plainInline(token as Tokens.Heading))), width);
    case "code":
      return codeRows(
        (token as Tokens.Code).text.split("\n"),
        width,
        theme,
        frame.over === theme.plain ? theme.code : frame.over,
      );
    case "list":
      return list(token as Tokens.List, frame);
    case "blockquote": {
      const inner = blocks((token as Tokens.Blockquote).tokens, { ...frame, width: Math.max(4, width - 2) });
      return inner.map((row) => `${theme.dim("▏")} ${row}`);
    }
    case "table":
      return table(token as Tokens.Table, frame);
    case "hr":
      return [theme.dim("─".repeat(Math.min(24, width)))];
    case "def":
      return [];
    default: {
      const inner = "tokens" in token && token.tokens ? inline(token.tokens, frame) : frame.over(token.raw.trimEnd());
      return inner.split("\n").flatMap((line) => wrapProse(line, width));
    }
  }
}

function list(token: Tokens.List, frame: Frame): string[] {
  const start = typeof token.start === "number" ? token.start : 1;
  return token.items.flatMap((item, i) => {
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const mark = `${token.ordered ? `${start + i}.` : "-"} ${box}`;
    const inner = { ...frame, width: Math.max(4, frame.width - mark.length) };
    const rows = item.tokens
      .filter((part) => part.type !== "space" && part.type !== "checkbox")
      .flatMap((part) => block(part, inner));
    return indent(rows.length > 0 ? rows : [""], mark.length, frame.theme.dim(mark));
  });
}

/** Columns side by side where they fit, else one row per cell. */
function table(token: Tokens.Table, frame: Frame): string[] {
  const { theme, width } = frame;
  const texts = [token.header, ...token.rows].map((row) => row.map((cell) => plainInline(cell)));
  const columns = token.header.map((_, i) => Math.max(1, ...texts.map((row) => cells(row[i] ?? ""))));
  const gaps = 2 * (columns.length - 1);
  shrink(columns, width - gaps);
  if (columns.some((size) => size < 4) && columns.reduce((sum, size) => sum + size, gaps) > width) {
    return texts
      .slice(1)
      .flatMap((row) => row.map((cell, i) => frame.over(fit(`${texts[0]?.[i] ?? ""}: ${cell}`, width))));
  }
  const line = (row: readonly string[], style: Style): string =>
    row
      .map((cell, i) => {
        const size = columns[i] ?? 1;
        const text = fit(cell, size);
        return style(i === row.length - 1 ? text : text + " ".repeat(Math.max(0, size - cells(text))));
      })
      .join("  ")
      .trimEnd();
  const rule = theme.dim(columns.map((size) => "─".repeat(size)).join("  "));
  const [head, ...body] = texts;
  return [line(head ?? [], (text) => frame.over(theme.bold(text))), rule, ...body.map((row) => line(row, frame.over))];
}

/** Takes cells from the widest columns until the sum fits; no column goes below 4. */
function shrink(columns: number[], room: number): void {
  for (let sum = columns.reduce((a, b) => a + b, 0); sum > room; sum--) {
    const widest = columns.indexOf(Math.max(...columns));
    const size = columns[widest];
    if (size === undefined || size <= 4) return;
    columns[widest] = size - 1;
  }
}

function inline(tokens: readonly Token[], frame: Frame): string {
  return tokens.map((token) => span(token, frame)).join("");
}

function span(token: Token, frame: Frame): string {
  const { theme, over } = frame;
  const inner = (): string =>
    "tokens" in token && token.tokens ? inline(token.tokens, frame) : over(textOfToken(token));
  switch (token.type) {
    case "strong":
      return theme.bold(inner());
    case "em":
      return theme.italic(inner());
    case "del":
      return theme.strike(inner());
    case "codespan": {
      const text = (token as Tokens.Codespan).text;
      return over === theme.plain ? (theme.colors ? theme.code(text) : `\`${text}\``) : over(text);
    }
    case "br":
      return "\n";
    case "link": {
      const { href, text } = token as Tokens.Link;
      const shown = theme.underline(inner());
      return href === text || href === `mailto:${text}` || href.startsWith("#")
        ? shown
        : `${shown} ${theme.dim(`(${href})`)}`;
    }
    case "image":
      return theme.dim(`[image ${(token as Tokens.Image).text || (token as Tokens.Image).href}]`);
    default:
      return inner();
  }
}

function textOfToken(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function plainInline(cell: { tokens?: Token[]; text: string }): string {
  return (cell.tokens ?? []).map((token) => plainSpan(token)).join("") || cell.text;
}

function plainSpan(token: Token): string {
  return "tokens" in token && token.tokens ? token.tokens.map(plainSpan).join("") : textOfToken(token);
}

function trimBlank(rows: string[]): string[] {
  let from = 0;
  let to = rows.length;
  while (from < to && rows[from] === "") from++;
  while (to > from && rows[to - 1] === "") to--;
  return rows.slice(from, to);
}
