/** Names of tools where users write them: a slip there must not pass in silence, for what it was to forbid would be free. */
import type { Tool } from "../agent/ports.js";
import { placeOf } from "../config/origin.js";
import type { LoadedSettings } from "../config/settings.js";
import { parsePattern } from "../permissions/patterns.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";
import type { Notice } from "./notice.js";

type Direction = "allow" | "deny";

/** Tools of MCP servers come and go with their servers, so any of them may be named. */
const MCP = /^mcp/i;

/**
 * `--tools`: only these.
 * @param names undefined: all
 * @throws UserError (exit 2) for a name that is no tool
 */
export function chooseTools(all: readonly Tool[], names: readonly string[] | undefined): Tool[] {
  if (names === undefined) return [...all];
  const known = all.map((tool) => tool.name);
  for (const name of names) {
    if (!known.includes(name)) throw new UserError("bad-flag", `--tools names ${noTool(name, known)}`, 2);
  }
  return all.filter((tool) => names.includes(tool.name));
}

/**
 * Patterns that were given for this run.
 * @throws UserError (exit 2) for one that cannot be read or fits no tool
 */
export function checkFlagPatterns(
  given: Readonly<Partial<Record<Direction, readonly string[]>>>,
  all: readonly Tool[],
): void {
  for (const direction of ["allow", "deny"] as const) {
    for (const source of given[direction] ?? []) {
      const slip = slipIn(source, direction, all);
      if (slip !== undefined) throw new UserError("bad-flag", `--${direction} names ${slip}`, 2);
    }
  }
}

/**
 * Patterns of the settings: these outlive tools, so one that fits none is only remarked on.
 * @returns a notice for each, with the place where it stands
 * @throws UserError (exit 2), with the place, for one that cannot be read
 */
export function checkSettingPatterns(loaded: LoadedSettings, all: readonly Tool[]): Notice[] {
  const notices: Notice[] = [];
  for (const direction of ["allow", "deny"] as const) {
    const key = `permission.${direction}`;
    const written = loaded.getWithOrigin(key);
    for (const part of written.parts ?? [written]) {
      for (const source of Array.isArray(part.value) ? part.value.map(String) : []) {
        const slip = readable(`${placeOf(part)}: ${key}`, () => slipIn(source, direction, all));
        if (slip === undefined) continue;
        const message = `${placeOf(part)}: ${key} names ${slip}`;
        notices.push({ type: "notice", level: "warning", code: "unknown-tool", message });
      }
    }
  }
  return notices;
}

/** @returns what is wrong with the tool that a pattern names, if anything */
function slipIn(source: string, direction: Direction, all: readonly Tool[]): string | undefined {
  const { tool } = parsePattern(source, `--${direction}`);
  const known = all.map(({ name }) => name);
  const named = source.trim().split("(", 1)[0] ?? "";
  return MCP.test(named) || known.some((name) => tool(name)) ? undefined : noTool(named, known);
}

/** A pattern that cannot be read is told with the place that it stands in, not with a flag that nobody gave. */
function readable<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.code, error.message.replace(/^--\w+/, place), error.exitCode, { cause: error });
  }
}

function noTool(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  const advice = near === undefined ? `the tools are ${known.join(", ")}.` : `did you mean ${near}?`;
  return `"${name}", which is no tool; ${advice}`;
}
