/** The slash commands. Each is one file of the same shape; adding one is adding it to this list. */
import type { Command } from "./command.js";
import { contextCommand } from "./context.js";
import { copyCommand } from "./copy.js";
import { diffCommand } from "./diff.js";
import { doctorCommand } from "./doctor.js";
import { exportCommand } from "./export.js";
import { helpCommand } from "./help.js";
import { modelCommand } from "./model.js";
import { muteCommand } from "./mute.js";
import { nameCommand } from "./name.js";
import { newCommand } from "./new.js";
import { permissionsCommand } from "./permissions.js";
import { quitCommand } from "./quit.js";
import { resumeCommand } from "./resume.js";
import { retryCommand } from "./retry.js";
import { rulesCommand } from "./rules.js";
import { settingsCommand } from "./settings.js";
import { thinkingCommand } from "./thinking.js";
import { usageCommand } from "./usage.js";

export const COMMANDS: readonly Command[] = [
  helpCommand,
  modelCommand,
  thinkingCommand,
  rulesCommand,
  muteCommand,
  contextCommand,
  usageCommand,
  newCommand,
  resumeCommand,
  nameCommand,
  retryCommand,
  exportCommand,
  copyCommand,
  diffCommand,
  permissionsCommand,
  settingsCommand,
  doctorCommand,
  quitCommand,
];

/** @returns the command that a text is, and what stands behind its name */
export function commandOf(text: string): { command: Command; argument: string } | undefined {
  const [, name, behind = ""] = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  const command = COMMANDS.find((each) => each.name === name);
  const argument = behind.trim();
  // "/new ideas are welcome" is a prompt.
  return command && (argument === "" || command.argument !== undefined) ? { command, argument } : undefined;
}
