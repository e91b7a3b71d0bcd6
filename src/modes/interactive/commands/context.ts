import { type Message, textOf } from "../../../agent/messages.js";
import { count } from "../rows/status.js";
import type { Command } from "./command.js";

/** Of English text and code; tokenizers differ by a fifth. */
const CHARACTERS_A_TOKEN = 4;

export const contextCommand: Command = {
  name: "/context",
  summary: "what fills the context",
  run({ session, say }) {
    const { contextTokens, model } = session.state;
    const { contextWindow } = model;
    const share =
      contextWindow === undefined
        ? ""
        : ` of ${count(contextWindow)} (${Math.round((100 * contextTokens) / contextWindow)}%)`;
    const sums = { "your words": 0, "your commands": 0, answers: 0, "tool results": 0, rules: 0 };
    for (const message of session.messages) sums[kindOf(message)] += lengthOf(message);
    const lines = Object.entries(sums).map(
      ([kind, characters]) => `${kind.padEnd(13)}  about ${count(Math.round(characters / CHARACTERS_A_TOKEN))}`,
    );
    const filled =
      contextTokens === 0 ? "Nothing was sent yet." : `The last request filled ${count(contextTokens)} tokens${share}.`;
    say(`${filled} In this conversation:\n${lines.join("\n")}`);
  },
};

function kindOf(message: Message): "your words" | "your commands" | "answers" | "tool results" | "rules" {
  if (message.role === "assistant") return "answers";
  if (message.role === "toolResult") return "tool results";
  if (message.synthetic === "user-command") return "your commands";
  return message.synthetic ? "rules" : "your words";
}

function lengthOf(message: Message): number {
  return message.role === "assistant" ? JSON.stringify(message.content).length : textOf(message).length;
}
