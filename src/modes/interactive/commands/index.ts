import type { Command } from "./command.js";
import { help } from "./help.js";
import { model } from "./model.js";
import { newSession } from "./new.js";
import { quit } from "./quit.js";
import { retry } from "./retry.js";
import { rules } from "./rules.js";

export type { Command, CommandContext } from "./command.js";

/** In the order in which they are offered. */
export const COMMANDS: readonly Command[] = [help, rules, newSession, retry, model, quit];
