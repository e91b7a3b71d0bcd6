/** The notice of an interrupt: which rule, where, what was cut, what it is about. A matter of course, not a failure. */
import type { MatchView } from "../../../agent/events.js";
import type { TtsrNotice } from "../store/pieces.js";
import type { Theme } from "../theme.js";
import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapProse } from "./width.js";

const DESCRIPTION_ROWS = 2;
/** Matches shown of one batch. */
const SHOWN_MATCHES = 3;

export function ttsrRows(notice: TtsrNotice, expanded: boolean, context: RowContext): string[] {
  const { columns, theme, keys } = context;
  const choices = keys.choices === "" ? "" : `${keys.choices}: choices`;
  const width = contentWidth(columns);
  const names = notice.rules.map((rule) => cleanLine(rule.name)).join(", ");
  const places = new Set(notice.matches.map(placeOf));
  const facts = [...places, tokensOf(notice), choices].filter((fact) => fact !== "");
  const title = fit(names, width);
  const rest = width - title.length - 3;
  const facing = facts.length > 0 && rest >= 12 ? theme.dim(` · ${fit(facts.join(" · "), rest)}`) : "";
  const rows = [`${theme.warning(theme.marks.rule)}${theme.warning(theme.bold(title))}${facing}`];
  if (facing === "" && facts.length > 0) rows.push(`  ${theme.dim(fit(facts.join(" · "), width))}`);
  const excerpts = notice.matches.slice(0, expanded ? notice.matches.length : SHOWN_MATCHES).flatMap((match) => {
    const excerpt = excerptRow(match, width - 2, theme);
    // The title has room for few of them.
    return expanded && places.size > 1 ? [theme.dim(fitEnd(placeOf(match), width - 2)), excerpt] : [excerpt];
  });
  rows.push(...indent(excerpts, GUTTER + 2, " ".repeat(GUTTER + 2)));
  rows.push(...descriptionRows(notice, expanded, context));
  return rows;
}

/** "edit src/calc.js", "text", "bash". */
function placeOf(match: MatchView): string {
  const place =
    match.source === "tool" ? cleanLine(match.toolName ?? "tool") : match.source === "thinking" ? "thinking" : "answer";
  return match.filePath === undefined ? place : `${place} ${cleanLine(match.filePath)}`;
}

function tokensOf(notice: TtsrNotice): string {
  if (notice.discardedTokens <= 0) return "";
  return `${notice.discardedTokens} ${notice.discardedTokens === 1 ? "token" : "tokens"} cut`;
}

/** The excerpt ends where the match settled, so the match is its end. */
export function excerptRow(match: MatchView, width: number, theme: Theme): string {
  const length = Math.max(1, Math.min(match.excerpt.length, match.end - match.start));
  const hit = cleanLine(match.excerpt.slice(match.excerpt.length - length));
  const before = match.excerpt.slice(0, match.excerpt.length - length);
  const marked = theme.spoken ? `matched: ${hit}` : theme.colors ? hit : `»${hit}«`;
  const shownHit = fit(marked, width);
  const room = width - cells(shownHit);
  const lead = fitEnd(cleanLead(before), Math.max(0, room));
  return theme.dim(lead) + theme.match(shownHit);
}

/** Keeps the space between the text before the match and the match. */
function cleanLead(text: string): string {
  const line = cleanLine(text);
  return line !== "" && /\s$/.test(text) ? `${line} ` : line;
}

function descriptionRows(notice: TtsrNotice, expanded: boolean, { columns, theme, keys }: RowContext): string[] {
  const texts = notice.rules.map((rule) => cleanLine(rule.description)).filter((text) => text !== "");
  const width = proseWidth(columns);
  const rows = texts.flatMap((text) => wrapProse(text, width));
  if (expanded || rows.length <= DESCRIPTION_ROWS) return indent(rows.map(theme.dim), GUTTER, "  ");
  const more = keys.expand === "" ? "…" : `… (${keys.expand})`;
  const [last = ""] = wrapProse(rows[DESCRIPTION_ROWS - 1] ?? "", Math.max(1, width - more.length - 1));
  const shown = [...rows.slice(0, DESCRIPTION_ROWS - 1), `${last} ${more}`];
  return indent(shown.map(theme.dim), GUTTER, "  ");
}
