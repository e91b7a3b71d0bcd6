import type { Command } from "./command.js";

export const retryCommand: Command = {
  name: "/retry",
  summary: "ask again after a failed or stopped answer",
  run({ session, say, run }) {
    if (session.state.running) say("It is still working; Esc stops it.");
    else if (session.messages.length === 0) say("There is nothing to ask again yet.");
    else run(session.retry());
  },
};
