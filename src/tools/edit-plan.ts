/** Works out what a list of edits makes of a text. All are matched on the original, and applied together or not at all. */
import { explainAmbiguous, explainMissing } from "./edit-explain.js";
import { type Found, findOld, type Hit, type Level } from "./edit-match.js";
import { Source, toLf } from "./edit-source.js";
import { placeholderIn } from "./placeholder.js";

export interface Edit {
  old: string;
  new: string;
  all?: boolean | undefined;
}

export type EditPlan =
  | { ok: true; text: string /** 1-based, in the new text, one a replacement. */; lines: number[]; levels: Level[] }
  | { ok: false; message: string };

/** How two lists of lines correspond: runs that stay, and runs of old lines with the new ones in their place. */
export type AlignLines = (before: string[], after: string[]) => LineRun[];

export interface LineRun {
  same: boolean;
  before: number;
  after: number;
}

interface Replacement extends Hit {
  edit: number;
  text: string;
}

/** @param changed the file is not what the model saw last: only literal matches count */
export function planEdits(raw: string, edits: readonly Edit[], changed: boolean, align: AlignLines): EditPlan {
  const source = new Source(raw);
  const replacements: Replacement[] = [];
  const levels: Level[] = [];
  for (const [i, edit] of edits.entries()) {
    const where = edits.length > 1 ? `edits[${i}]: ` : "";
    const fault = faultOf(edit);
    if (fault !== undefined) return { ok: false, message: where + fault };
    const found = findOld(source, edit.old, changed, edit.all === true ? "after" : "overlapping");
    if (!found) return { ok: false, message: where + explainMissing(source, edit.old, changed) };
    const hits = edit.all === true ? apart(found.hits) : found.hits;
    if (hits.length > 1 && edit.all !== true) {
      const lines = hits.map((hit) => source.lineAt(hit.start) + 1);
      return { ok: false, message: where + explainAmbiguous(lines) };
    }
    for (const hit of hits) {
      const text = replacementFor(source, hit, edit, align);
      if (text === undefined) return { ok: false, message: where + explainMissing(source, edit.old, changed) };
      replacements.push({ ...hit, edit: i, text });
    }
    levels.push(found.level);
  }
  return join(source, replacements, levels);
}

function faultOf(edit: Edit): string | undefined {
  if (edit.old === "") {
    return "old is empty. To insert, put a line that stands there into old, and the same line with the addition into new. For a new file use write.";
  }
  const placeholder = placeholderIn(edit.new, edit.old);
  if (placeholder === undefined) return undefined;
  return `new holds the placeholder "${placeholder}" in place of real text. Write the text out, or make the edit smaller.`;
}

function apart(hits: Found["hits"]): Hit[] {
  const kept: Hit[] = [];
  for (const hit of hits) if (hit.start >= (kept.at(-1)?.end ?? 0)) kept.push(hit);
  return kept;
}

function join(source: Source, replacements: Replacement[], levels: Level[]): EditPlan {
  replacements.sort((a, b) => a.start - b.start);
  const lines: number[] = [];
  let text = "";
  let from = 0;
  let line = 1;
  let end = 0;
  let owner = 0;
  for (const next of replacements) {
    if (next.start < end) {
      return { ok: false, message: `edits[${owner}] and edits[${next.edit}] overlap. Make them one edit.` };
    }
    const before = source.raw.slice(from, source.toRaw(next.start));
    line += newlines(before);
    lines.push(line);
    line += newlines(next.text);
    text += before + next.text;
    from = source.toRaw(next.end);
    end = next.end;
    owner = next.edit;
  }
  return { ok: true, text: text + source.raw.slice(from), lines, levels };
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/**
 * Lines of `old` that come back in `new` keep the file's own bytes; the others get the line end of the line that they replace, or of the one
 * before.
 * @returns undefined where the lines of `new` cannot be shifted as those of `old` are
 */
function replacementFor(source: Source, hit: Hit, edit: Edit, align: AlignLines): string | undefined {
  const old = toLf(edit.old).split("\n");
  const fresh = toLf(edit.new).split("\n");
  const there = source.lf.slice(hit.start, hit.end).split("\n");
  if (there.length < old.length) {
    // The file's last line has no line end although `old` has one: it stays without.
    old.pop();
    if (fresh.length > 1 && fresh.at(-1) === "") fresh.pop();
  }
  const first = source.lineAt(hit.start);
  let text = "";
  let o = 0;
  let n = 0;
  let ending = source.endingNear(first);
  for (const run of align(old, fresh)) {
    for (let i = 0; i < run.after; i++, n++) {
      const inPlaceOf = i < run.before ? o + i : undefined;
      const line = run.same && inPlaceOf !== undefined ? there[inPlaceOf] : shiftLine(fresh[n] ?? "", hit.shift);
      if (line === undefined) return undefined;
      if (inPlaceOf !== undefined) ending = source.lines[first + inPlaceOf]?.ending || ending;
      text += n < fresh.length - 1 ? line + ending : line;
    }
    o += run.before;
  }
  return text;
}

function shiftLine(line: string, shift: Hit["shift"]): string | undefined {
  if (!shift || line.trim() === "") return line;
  if ("add" in shift) return shift.add + line;
  return line.startsWith(shift.remove) ? line.slice(shift.remove.length) : undefined;
}
