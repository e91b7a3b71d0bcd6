/** Patterns that YAML makes something else of than their author meant. */
import type { Fields } from "./fields.js";
import { splitList } from "./lists.js";

/** In double quotes YAML makes a backspace of `\b`. No trigger looks for one. */
export function asWritten(text: string, key: string, line: number, fields: Fields): string {
  if (!text.includes("\b")) return text;
  const message = `"${key}" has "\\b" in double quotes, where YAML makes a backspace of it; it was read as a word boundary.`;
  fields.report("warning", "backspace", message, line, "Put patterns in single quotes.");
  return text.replaceAll("\b", "\\b");
}

/** YAML that is valid and says something else than its author meant. */
export function reportTraps(key: string, fields: Fields): void {
  const entry = fields.entry(key);
  const source = fields.source(fields.line(key));
  const inline = source.slice(source.indexOf(":") + 1).trim();
  if (!entry) {
    if (inline.startsWith("#") && source.startsWith(key)) {
      const message = `What stands behind "#" is a comment to YAML, so "${key}" has no pattern.`;
      fields.report("warning", "comment", message, fields.line(key), "Put the pattern in single quotes.");
    }
    return;
  }
  if (Array.isArray(entry.value) && /^\[[^\s"',]+\]$/.test(inline)) {
    const message = `"${key}: ${inline}" is a YAML list, so the pattern is ${JSON.stringify(entry.value[0] ?? "")}, not a character class.`;
    fields.report(
      "warning",
      "list-or-class",
      message,
      entry.line,
      `If a character class was meant: ${key}: '${inline}'`,
    );
  } else if (typeof entry.value === "string" && /^[|>]/.test(inline) && entry.value.endsWith("\n")) {
    const message = `"${key}: ${inline}" ends the pattern with a line end, so it only fires where the line ends too; patterns are never trimmed.`;
    fields.report("warning", "block-scalar", message, entry.line, `Write ${key}: ${inline[0]}- or one line in quotes.`);
  } else if (typeof entry.value === "string" && inline === "" && /^-[^\s-]/.test(entry.value)) {
    const message = `"${key}" is one pattern, "${shortened(entry.value)}", since an entry of a list needs a blank behind its dash.`;
    fields.report("warning", "dash", message, entry.line, "Write - '…', one pattern a line.");
  } else if (typeof entry.value === "string" && /^[^"'|>]/.test(inline) && /,\s/.test(outsideBrackets(inline))) {
    const message = `"${key}" is one pattern with its comma: "${shortened(entry.value)}".`;
    fields.report(
      "warning",
      "comma",
      message,
      entry.line,
      "For several write a list, one a line; else put it in quotes.",
    );
  } else if (typeof entry.value === "string" && /^[^"'|>].*\s#/.test(inline)) {
    fields.report(
      "warning",
      "comment",
      `What stands behind "#" is a comment to YAML; the pattern is "${entry.value}".`,
      entry.line,
      "Put the pattern in single quotes.",
    );
  }
}

function outsideBrackets(text: string): string {
  return splitList(text).length > 1 ? text : "";
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
