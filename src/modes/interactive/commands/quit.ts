import type { Command } from "./command.js";

export const quit: Command = {
  name: "quit",
  summary: "leave",
  run({ quit: leave }) {
    leave();
  },
};
