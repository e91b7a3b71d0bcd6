import type { Command } from "./command.js";

export const retry: Command = {
  name: "retry",
  summary: "ask the model again, from where it stopped",
  async run({ session, say }) {
    if (session.state.running) {
      say("The model is at work; Esc stops it first.", "warning");
      return;
    }
    await session.retry();
  },
};
