/** Everything that must be right before the program can be of use, each told in one line with what to do. */
import { loadBindings } from "../../modes/interactive/term/bindings.js";
import { reasonOf } from "../../platform/errors.js";
import { sanitizeTerminal } from "../../platform/sanitize-terminal.js";
import { type Check, fail, ok } from "./check.js";
import type { CheckContext } from "./context.js";
import { checkFolders, checkNode, checkPrograms } from "./machine.js";
import { checkModels } from "./models.js";
import { checkRules } from "./rules.js";
import { checkTerminal } from "./terminal.js";

export { checkContext } from "./context.js";

const CHECKS: readonly ((context: CheckContext) => Check[] | Promise<Check[]>)[] = [
  checkNode,
  checkTerminal,
  checkBindings,
  checkFolders,
  checkModels,
  checkRules,
  checkPrograms,
];

/** Never throws for what it finds. */
export async function runChecks(context: CheckContext): Promise<Check[]> {
  return (await Promise.all(CHECKS.map((check) => check(context)))).flat();
}

/** Lines for people; what to do stands below what was found. */
export function checkLines(checks: readonly Check[]): string[] {
  const longest = Math.max(...checks.map(({ name }) => name.length));
  const row = (status: string, name: string, text: string): string => {
    const line = `${status.padEnd(4)}  ${name.padEnd(longest)}  ${text}`;
    return sanitizeTerminal(line).replaceAll(/\s*\n\s*/g, " ");
  };
  return checks.flatMap(({ name, status, message, advice }) => {
    return advice === undefined ? [row(status, name, message)] : [row(status, name, message), row("", "", advice)];
  });
}

function checkBindings({ dirs }: CheckContext): Check[] {
  try {
    loadBindings(dirs.config);
    return [ok("keybindings", "readable")];
  } catch (error) {
    return [fail("keybindings", reasonOf(error), "Mend that line, or remove the file.")];
  }
}
