import type { Command } from "./command.js";

export const newSession: Command = {
  name: "new",
  summary: "start a new conversation",
  async run({ session, say }) {
    await session.newSession();
    say("New conversation.");
  },
};
