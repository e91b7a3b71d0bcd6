/** `--allow` and `--deny` patterns: `tool` or `tool(pattern)`, where `*` stands for any text. */
import { UserError } from "../platform/errors.js";

export interface PermissionPattern {
  /** As written. */
  source: string;
  tool: RegExp;
  /** undefined: the tool whatever it does. */
  argument: RegExp | undefined;
  /** The argument names a place from the root: only then can it allow what lies outside the workspace. */
  absolute: boolean;
}

/**
 * @param flag where the pattern was written, for the error; denying looks past letter case
 * @throws UserError (exit 2) for a pattern that cannot be read
 */
export function parsePattern(source: string, flag: "--allow" | "--deny"): PermissionPattern {
  const found = /^([A-Za-z0-9_.*:/-]+)(?:\((.+)\))?$/s.exec(source.trim());
  if (!found?.[1]) {
    throw new UserError(
      "bad-pattern",
      `${flag} "${source}" cannot be read; write a tool, or a tool with a pattern, as in bash(npm test*).`,
      2,
    );
  }
  const flags = flag === "--deny" ? "i" : "";
  const argument = found[2] === undefined ? undefined : wildcard(found[2].trim(), flags);
  return { source, tool: wildcard(found[1], flags), argument, absolute: /^[/~]/.test(found[2]?.trim() ?? "") };
}

/**
 * @param subjects what the call is about: its command, or the files it touches, each in all the spellings that name it
 * @returns whether the pattern covers the whole call; for allowing
 */
export function covers(pattern: PermissionPattern, tool: string, subjects: readonly (readonly string[])[]): boolean {
  const { argument } = pattern;
  if (!pattern.tool.test(tool)) return false;
  if (argument === undefined) return true;
  return subjects.length > 0 && subjects.every((spellings) => spellings.some((name) => argument.test(name)));
}

/** @returns whether the pattern fits any part of the call; for denying */
export function touches(pattern: PermissionPattern, tool: string, subjects: readonly (readonly string[])[]): boolean {
  const { argument } = pattern;
  if (!pattern.tool.test(tool)) return false;
  if (argument === undefined) return true;
  return subjects.some((spellings) => spellings.some((name) => argument.test(name.normalize("NFC"))));
}

/** `**` with a slash may stand for no folder at all. */
function wildcard(text: string, flags: string): RegExp {
  const escaped = text
    .normalize("NFC")
    .replaceAll(/[\\^$+.()|[\]{}?]/g, "\\$&")
    .replaceAll(/\*\*\/|\*+/g, (stars) => (stars === "**/" ? "(?:[^]*/)?" : "[^]*"));
  return new RegExp(`^${escaped}$`, flags);
}
