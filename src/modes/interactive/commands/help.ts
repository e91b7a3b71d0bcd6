import type { Command } from "./command.js";

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; while the model works, queue"],
  ["Alt+Enter, Ctrl+Enter", "while the model works: say it at its next step"],
  ["Ctrl+J, Shift+Enter, \\ Enter", "new line"],
  ["Up, Down", "history"],
  ["Esc", "close what is open, else stop the model"],
  ["Ctrl+C", "stop, then clear, then leave"],
  ["Ctrl+O", "show in full what was shortened"],
  ["Shift+Tab", "permission mode: plan, ask, auto-edit, yolo"],
  ["Ctrl+Z", "suspend"],
];

export const help: Command = {
  name: "help",
  summary: "keys and commands",
  run({ commands, say }) {
    const rows: [string, string][] = [
      ...commands.map(({ name, summary }): [string, string] => [`/${name}`, summary]),
      ...KEYS.map(([keys, what]): [string, string] => [keys, what]),
    ];
    const width = Math.max(...rows.map(([left]) => left.length));
    say(rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join("\n"), "info");
  },
};
