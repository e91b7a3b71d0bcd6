import type { Command } from "./command.js";

export const rulesCommand: Command = {
  name: "/rules",
  summary: "every rule, its hits, and what it cut",
  argument: "[words]",
  run({ openRules }, argument) {
    openRules(argument);
  },
};
