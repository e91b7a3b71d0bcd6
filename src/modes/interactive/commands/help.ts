import type { Command } from "./command.js";

const FIXED = [
  ["Enter", "send; while it works: queue"],
  ["Esc", "close what is open, else stop"],
  ["Ctrl+C", "stop, else clear, else (twice) quit"],
  ["Ctrl+D", "quit, when nothing is written"],
  ["@", "a file of the project"],
  ["!command", "run it yourself; its output goes with your next words"],
  ["Up on an empty line", "take a queued prompt back"],
] as const;

/** Of one action; the rest is for terminals that have not these. */
const SHOWN_KEYS = 2;

export const helpCommand: Command = {
  name: "/help",
  summary: "keys and commands",
  run({ read, commands, bindings }) {
    const keys = [
      ...FIXED,
      ...bindings.list().map(({ keys: each, about }) => [each.slice(0, SHOWN_KEYS).join(", ") || "–", about] as const),
    ];
    const rows = commands.map(
      ({ name, argument, summary }) => [argument ? `${name} ${argument}` : name, summary] as const,
    );
    read("Help", [
      ...columns(rows),
      "",
      ...columns(keys),
      "",
      "keybindings.yml in the config folder changes the keys: action: key",
    ]);
  },
};

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const longest = Math.min(28, Math.max(...rows.map(([first]) => first.length)));
  return rows.map(([first, second]) => `${first.padEnd(longest)}  ${second}`);
}
