import type { Command } from "./command.js";
import { leave } from "./leave.js";

export const newCommand: Command = {
  name: "/new",
  summary: "begin a new conversation",
  run(context) {
    const { session, say } = context;
    leave(context, async () => {
      const { id, messages, state } = session;
      const kept = messages.length > 0 && state.file !== undefined;
      await session.newSession();
      say(`A new conversation.${kept ? ` The one before is kept: /resume ${id}` : ""}`);
    });
  },
};
