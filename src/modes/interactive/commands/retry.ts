import type { Message } from "../../../agent/messages.js";
import type { Command } from "./command.js";

export const retryCommand: Command = {
  name: "/retry",
  summary: "ask again after a failed or stopped answer",
  run({ session, say, run }) {
    const last = session.messages.at(-1);
    if (session.state.running) say("It is still working; Esc stops it.");
    else if (!last) say("There is nothing to ask again yet.");
    else if (isWholeAnswer(last)) say("The last answer came to its end; say what is to be different.");
    else run(session.retry());
  },
};

/** Behind it a provider has nothing to answer, and many refuse to try. */
function isWholeAnswer(message: Message): boolean {
  return message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";
}
