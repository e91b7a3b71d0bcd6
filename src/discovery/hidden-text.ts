/** Characters that a reader of a rule file cannot see and a model can: the way instructions are smuggled into rules. */
import type { RuleDiagnostic } from "../capability/rule.js";

/** Format characters, default ignorables (tags, variation selectors, fillers), and control characters but tab and line end. */
const HIDDEN =
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
/** How an emoji is drawn, and emoji joined: no news where they follow one. They are dropped like the rest. */
const EMOJI_PARTS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9])(?:\ufe0f?\u200d(?=\p{Extended_Pictographic})|\ufe0f)/gu;

/** At most so many lines and code points are named in one message. */
const NAMED = 8;

/**
 * @param text lines ended by `\n`, no byte order mark
 * @returns the text without hidden characters; lines stay where they were
 */
export function stripHidden(text: string, path: string): { text: string; diagnostics: RuleDiagnostic[] } {
  if (text.search(HIDDEN) < 0) return { text, diagnostics: [] };
  const plain = text.replaceAll(EMOJI_PARTS, "");
  const diagnostics: RuleDiagnostic[] = [];
  const lines = plain.split("\n");
  const found: { line: number; points: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const points = new Set<string>();
    for (const [character] of line.matchAll(HIDDEN)) points.add(codePointName(character));
    if (points.size > 0) found.push({ line: index + 1, points: [...points] });
  }
  for (const { line, points } of found.slice(0, NAMED)) {
    diagnostics.push({
      severity: "warning",
      code: "hidden-text",
      message: `Hidden characters (${listed(points)}) were removed, since a model reads what nobody sees in an editor.`,
      path,
      line,
    });
  }
  if (found.length > NAMED) {
    const rest = found.slice(NAMED).map((entry) => String(entry.line));
    diagnostics.push({
      severity: "warning",
      code: "hidden-text",
      message: `Hidden characters were removed from ${rest.length} more lines: ${listed(rest)}.`,
      path,
    });
  }
  return { text: lines.map((line) => line.replaceAll(HIDDEN, "")).join("\n"), diagnostics };
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
