/** `--allow` and `--deny` patterns: `tool` or `tool(pattern)`, where `*` stands for any text. */
import { UserError } from "../platform/errors.js";

export interface PermissionPattern {
  /** As written. */
  source: string;
  tool: RegExp;
  /** undefined: the tool whatever it does. */
  argument: RegExp | undefined;
}

/** Signs with which one command line runs more than the one command that it seems to be. */
const SHELL_SIGNS = /[;&|<>$`\n\r(){}!\\#*?[\]~"']/;

/**
 * @param flag where the pattern was written, for the error
 * @throws UserError (exit 2) for a pattern that cannot be read
 */
export function parsePattern(source: string, flag: string): PermissionPattern {
  const found = /^([A-Za-z0-9_.*:/-]+)(?:\((.+)\))?$/s.exec(source.trim());
  if (!found?.[1]) {
    throw new UserError(
      "bad-pattern",
      `${flag} "${source}" cannot be read; write a tool, or a tool with a pattern, as in bash(npm test*).`,
      2,
    );
  }
  return { source, tool: wildcard(found[1]), argument: found[2] === undefined ? undefined : wildcard(found[2].trim()) };
}

/**
 * @param values what the call is about: its command, or the paths it touches (absolute and relative)
 * @param strict for allowing: every value must match, and a command must be one plain command, since commands are not parsed here
 */
export function matches(pattern: PermissionPattern, tool: string, values: readonly string[], strict: boolean): boolean {
  if (!pattern.tool.test(tool)) return false;
  const { argument } = pattern;
  if (argument === undefined) return true;
  if (values.length === 0) return false;
  return strict ? values.every((value) => argument.test(value)) : values.some((value) => argument.test(value));
}

/** @returns whether the line is one command without any sign that the shell acts on */
export function isPlainCommand(command: string): boolean {
  return !SHELL_SIGNS.test(command.trim());
}

function wildcard(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$+.()|[\]{}?]/g, "\\$&").replaceAll(/\*+/g, "[^]*");
  return new RegExp(`^${escaped}$`);
}
