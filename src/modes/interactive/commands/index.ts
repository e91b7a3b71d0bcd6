/** The slash commands. Each is one file of the same shape; adding one is adding it to this list. */
import type { Command } from "./command.js";
import { helpCommand } from "./help.js";
import { modelCommand } from "./model.js";
import { newCommand } from "./new.js";
import { quitCommand } from "./quit.js";
import { retryCommand } from "./retry.js";
import { rulesCommand } from "./rules.js";

export const COMMANDS: readonly Command[] = [
  helpCommand,
  modelCommand,
  newCommand,
  quitCommand,
  retryCommand,
  rulesCommand,
];

/** @returns the command that a text names, with nothing behind it */
export function commandOf(text: string): Command | undefined {
  return COMMANDS.find((command) => command.name === text.trim());
}

/** @returns the commands that a text may still become; [] where it is no command */
export function completionsOf(text: string): readonly Command[] {
  if (!/^\/\S*$/.test(text)) return [];
  return COMMANDS.filter((command) => command.name.startsWith(text));
}
