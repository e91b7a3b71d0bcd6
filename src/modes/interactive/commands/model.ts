import type { Command } from "./command.js";

export const modelCommand: Command = {
  name: "/model",
  summary: "which model answers",
  run({ session, say }) {
    const { model, thinking } = session.state;
    const window =
      model.contextWindow === undefined ? "" : `, ${Math.round(model.contextWindow / 1000)}k tokens of context`;
    say(
      `${model.provider}/${model.model}, thinking ${thinking}${window}. Choose another with --model; \`ttsr-agent models\` lists them.`,
    );
  },
};
