import type { Command } from "./command.js";

export const model: Command = {
  name: "model",
  summary: "which model answers",
  run({ session, say }) {
    const { model: present, thinking } = session.state;
    const window = present.contextWindow === undefined ? "" : `, context ${present.contextWindow} tokens`;
    say(`${present.provider}/${present.model}${window}, thinking ${thinking}. Choose another one with --model at start.`, "info");
  },
};
