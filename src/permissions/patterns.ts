/** `--allow` and `--deny` patterns: `tool` or `tool(pattern)`, where `*` stands for any text. */
import { UserError } from "../platform/errors.js";
import { compileWildcard } from "../platform/wildcard.js";

type Test = (text: string) => boolean;

export interface PermissionPattern {
  /** As written. */
  source: string;
  tool: Test;
  /** undefined: the tool whatever it does. */
  argument: Test | undefined;
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
  const ignoreCase = flag === "--deny";
  const argument = found[2] === undefined ? undefined : wildcard(found[2].trim(), ignoreCase);
  return { source, tool: wildcard(found[1], ignoreCase), argument, absolute: /^[/~]/.test(found[2]?.trim() ?? "") };
}

/**
 * @param subjects what the call is about: its command, or the files it touches, each in all the spellings that name it
 * @returns whether the pattern covers the whole call; for allowing
 */
export function covers(pattern: PermissionPattern, tool: string, subjects: readonly (readonly string[])[]): boolean {
  const { argument } = pattern;
  if (!pattern.tool(tool)) return false;
  if (argument === undefined) return true;
  return subjects.length > 0 && subjects.every((spellings) => spellings.some((name) => argument(name)));
}

/** @returns whether the pattern fits any part of the call; for denying */
export function touches(pattern: PermissionPattern, tool: string, subjects: readonly (readonly string[])[]): boolean {
  const { argument } = pattern;
  if (!pattern.tool(tool)) return false;
  if (argument === undefined) return true;
  return subjects.some((spellings) => spellings.some((name) => argument(name.normalize("NFC"))));
}

function wildcard(text: string, ignoreCase: boolean): Test {
  return compileWildcard(text.normalize("NFC"), { ignoreCase, folders: true });
}
