/** The slash commands. Each is one file of the same shape; adding one is adding it to this list. */
import { didYouMean } from "../../../platform/did-you-mean.js";
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

/**
 * @returns the command that a text is meant as, and what stands behind its name; `refusal`, one sentence, where there is no such command or
 * it takes nothing; undefined for a prompt, such as one that begins with a path
 */
export function commandOf(text: string): { command: Command; argument: string } | { refusal: string } | undefined {
  const [, name, behind = ""] = /^(\/[a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const command = COMMANDS.find((each) => each.name === name);
  const argument = behind.trim();
  if (!command) {
    const near = didYouMean(
      name,
      COMMANDS.map((each) => each.name),
    );
    const advice = near ? `did you mean ${near}?` : "/help lists them.";
    return { refusal: `There is no command ${name}; ${advice} A space before it sends it as it is.` };
  }
  if (argument !== "" && command.argument === undefined) {
    return { refusal: `${name} takes no argument. A space before it sends it as it is.` };
  }
  return { command, argument };
}
