import type { Command } from "./command.js";

const KEYS = `Enter sends · Ctrl+J or \\ Enter: new line · Up: earlier prompts
While it works: Enter queues, Alt+Enter goes in after the present tool, Esc stops
Shift+Tab: what runs without asking · Ctrl+O: show whole · Ctrl+C twice: quit`;

export const helpCommand: Command = {
  name: "/help",
  summary: "keys and commands",
  run({ say, commands }) {
    const longest = Math.max(...commands.map(({ name }) => name.length));
    const lines = commands.map(({ name, summary }) => `${name.padEnd(longest)}  ${summary}`);
    say(`${KEYS}\n\n${lines.join("\n")}`);
  },
};
