/** What may stand at the cursor: a command at the start, a file after `@`. */
import type { Command } from "../commands/command.js";
import { cleanLine } from "../rows/clean.js";
import { fuzzy } from "./fuzzy.js";

export interface Candidate {
  name: string;
  summary: string;
}

export interface Completion {
  /** The part of the text that a candidate takes the place of. */
  from: number;
  to: number;
  items: readonly Candidate[];
  /** What a candidate puts in. */
  insert(item: Candidate): string;
  /** Enter sends it as well. */
  sends: boolean;
}

interface CompletionDeps {
  commands: readonly Command[];
  /** Relative paths; empty while they are not known. */
  files: readonly string[];
}

export function completionAt(
  text: string,
  cursor: number,
  { commands, files }: CompletionDeps,
): Completion | undefined {
  const before = text.slice(0, cursor);
  if (/^\/\S*$/.test(before) && cursor === text.length) {
    const begun = commands.filter(({ name }) => name.startsWith(before));
    const items = begun.length > 0 ? begun : fuzzy(before.slice(1), commands, ({ name }) => name.slice(1));
    const insert = ({ name }: Candidate): string => name;
    // What was not begun may be a slip: it is put in, and the next Enter runs it.
    return items.length === 0 ? undefined : { from: 0, to: cursor, items, insert, sends: begun.length > 0 };
  }
  const token = /(?:^|\s)(@(?:"[^"\n]*|[^\s"]*))$/.exec(before)?.[1];
  if (token === undefined) return undefined;
  const query = token.replace(/^@"?/, "");
  const items = fuzzy(query, files, (path) => path).map((path) => ({ name: path, summary: "" }));
  if (items.length === 0) return undefined;
  const insert = ({ name }: Candidate): string => `@${/\s/.test(name) ? `"${name}"` : name} `;
  return { from: cursor - token.length, to: cursor, items, insert, sends: false };
}

/** Candidates as they may be drawn: names of files are foreign. */
export function shown(items: readonly Candidate[]): Candidate[] {
  return items.map(({ name, summary }) => ({ name: cleanLine(name), summary }));
}
