/** What a run has left in the files although a rule forbids it: one row a line, the gravest colour that its rule asks for. */
import type { AuditHit } from "../../../agent/events.js";
import type { Style, Theme } from "../theme.js";
import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit, fitEnd, GUTTER } from "./width.js";

const SHOWN = 5;

export function auditRows(hits: readonly AuditHit[], { columns, theme, keys }: RowContext): string[] {
  const width = contentWidth(columns);
  const one = hits.length === 1;
  const title = one ? "1 line left behind breaks a rule" : `${hits.length} lines left behind break rules`;
  const mend = keys.mend === "" ? "" : `${keys.mend}: have the model mend ${one ? "it" : "them"}`;
  const beside = mend === "" || theme.spoken ? "" : ` · ${mend}`;
  const rows = [
    `${theme.warning(theme.marks.rule)}${theme.warning(theme.bold(fit(title, width)))}${theme.dim(fit(beside, width - title.length))}`,
  ];
  for (const hit of hits.slice(0, SHOWN)) rows.push(hitRow(hit, width - 2, theme));
  const more = hits.length - SHOWN;
  if (more > 0) rows.push(`    ${theme.dim(`… ${more} more`)}`);
  if (mend !== "" && theme.spoken) rows.push(`  ${fit(mend, width)}`);
  return rows;
}

function hitRow({ rule, path, line, excerpt, severity }: AuditHit, width: number, theme: Theme): string {
  const indent = " ".repeat(GUTTER + 2);
  const name = cleanLine(rule);
  const text = cleanLine(excerpt.trim());
  if (theme.spoken) return indent + fit(`${severity}: ${name}, ${cleanLine(path)} line ${line}: ${text}`, width);
  const style = styleOf(severity, theme);
  const shownName = fit(name, Math.floor(width / 3));
  const place = fitEnd(`${cleanLine(path)}:${line}`, Math.floor(width / 2) - 2);
  const rest = width - cells(shownName) - cells(place) - 4;
  return `${indent}${style(shownName)}  ${place}${rest < 4 ? "" : `  ${theme.dim(fit(text, rest))}`}`;
}

function styleOf(severity: AuditHit["severity"], theme: Theme): Style {
  return { info: theme.dim, warning: theme.warning, error: theme.error }[severity];
}
