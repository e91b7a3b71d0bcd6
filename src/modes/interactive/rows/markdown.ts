/** Markdown → rows: headings, lists, emphasis, links, code, fences, quotes, tables. Everything in it is foreign and cleaned first. */
import { Lexer, type Token, type Tokens } from "marked";
import type { Style, Theme } from "../theme.js";
import { clean } from "./clean.js";
import { codeRows } from "./code.js";
import { linked } from "./link.js";
import { tableRows } from "./table.js";
import { indent, wrapProse } from "./width.js";

interface Frame {
  width: number;
  theme: Theme;
  /** Laid over everything: used for what has been rewound. */
  over: Style;
}

/**
 * @param lead styled words that the first line goes on from, in the same row
 * @returns rows of at most `width` cells, without a blank row at either end
 */
export function markdownRows(
  text: string,
  width: number,
  theme: Theme,
  over: Style = theme.plain,
  lead = "",
): string[] {
  const frame: Frame = { width: Math.max(4, width), theme, over };
  const cleaned = clean(text);
  if (lead === "") return trimBlank(blocks(new Lexer({ gfm: true }).lex(cleaned), frame));
  // In the middle of a line nothing but spans can begin.
  const end = cleaned.indexOf("\n");
  const first = end === -1 ? cleaned : cleaned.slice(0, end);
  const spans = inline(Lexer.lexInline(first, { gfm: true }), frame);
  const rest = end === -1 ? [] : blocks(new Lexer({ gfm: true }).lex(cleaned.slice(end + 1)), frame);
  return [...wrapProse(`${lead} ${spans}`, frame.width), ...trimBlank(rest)];
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
      return wrapProse(theme.heading(inline((token as Tokens.Heading).tokens, frame)), width);
    case "code": {
      const { text, lang } = token as Tokens.Code;
      const look = frame.over === theme.plain ? { lang: languageOf(lang) } : { over: frame.over };
      return codeRows(text.split("\n"), width, theme, look).rows;
    }
    case "list":
      return list(token as Tokens.List, frame);
    case "blockquote": {
      const inner = blocks((token as Tokens.Blockquote).tokens, { ...frame, width: Math.max(4, width - 2) });
      return theme.spoken ? ["Quote:", ...inner] : inner.map((row) => `${theme.dim("▏")} ${row}`.trimEnd());
    }
    case "table":
      return table(token as Tokens.Table, frame);
    case "hr":
      return theme.spoken ? [] : [theme.dim("─".repeat(Math.min(24, width)))];
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

function table(token: Tokens.Table, frame: Frame): string[] {
  const { theme, width } = frame;
  const texts = (row: readonly Tokens.TableCell[]): string[] => row.map((cell) => inline(cell.tokens, frame));
  return tableRows(texts(token.header), token.rows.map(texts), {
    width,
    align: token.align,
    bold: theme.bold,
    dim: theme.spoken ? () => "" : theme.dim,
  });
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
      return linked(theme.underline(inner()), text, href, theme);
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

/** "ts" of "ts title=a.ts". */
function languageOf(info: string | undefined): string {
  return (info ?? "").trim().split(/\s/, 1)[0] ?? "";
}

function trimBlank(rows: string[]): string[] {
  let from = 0;
  let to = rows.length;
  while (from < to && rows[from] === "") from++;
  while (to > from && rows[to - 1] === "") to--;
  return rows.slice(from, to);
}
