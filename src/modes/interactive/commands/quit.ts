import type { Command } from "./command.js";

export const quitCommand: Command = {
  name: "/quit",
  summary: "end the program",
  run({ quit }) {
    quit();
  },
};
