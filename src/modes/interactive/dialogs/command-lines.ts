/**
 * A shell command as rows, each command of it on its own, so that none hides behind the first. Only blanks at the breaks are left out; what is
 * quoted, and what cannot be told without a shell, stays as it is.
 */

/** A document in the command is text, not commands. */
const HERE_DOCUMENT = /<<-?\s*["'\\]?\w/;
const SEPARATOR = /^(?:&&|\|\||\|&|;;?|\||&(?![>\d]))/;

/** @returns the rows, in order; their text is the command's */
export function commandLines(command: string): string[] {
  if (HERE_DOCUMENT.test(command)) return command.split("\n");
  const rows: string[] = [];
  let row = "";
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? "";
    if (char === "\\" && quote !== "'") {
      row += char + (command[++at] ?? "");
      continue;
    }
    if (quote !== "") {
      if (char === quote) quote = "";
      row += char;
      continue;
    }
    if (char === "'" || char === '"' || char === "`") quote = char;
    const sign =
      char === "\n" ? "\n" : command[at - 1] === ">" ? undefined : SEPARATOR.exec(command.slice(at, at + 2))?.[0];
    if (sign === undefined) {
      row += char;
      continue;
    }
    rows.push(row.trimEnd());
    row = sign === "\n" ? "" : sign;
    at += sign.length - 1;
  }
  rows.push(row.trimEnd());
  // A separator at the end of a line, or of the whole, belongs to the command before it.
  return rows.reduce<string[]>((kept, next) => {
    const last = kept.at(-1);
    if (last !== undefined && /^[;&|]+$/.test(next)) kept[kept.length - 1] = `${last} ${next}`;
    else kept.push(next);
    return kept;
  }, []);
}
