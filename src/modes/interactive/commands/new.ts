import type { Command } from "./command.js";

export const newCommand: Command = {
  name: "/new",
  summary: "begin a new conversation",
  run({ session, say, run }) {
    run(session.newSession().then(() => say("A new conversation. The one before is kept.")));
  },
};
