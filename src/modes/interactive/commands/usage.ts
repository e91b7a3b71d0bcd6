import { count } from "../rows/status.js";
import type { Command } from "./command.js";

export const usageCommand: Command = {
  name: "/usage",
  summary: "tokens of this session, and what rules cut",
  run({ session, say }) {
    const { usage, ttsr } = session.state;
    const rows: [string, string][] = [
      ["read", count(usage.input)],
      ["from cache", count(usage.cacheRead)],
      ["into cache", count(usage.cacheWrite)],
      ["written", count(usage.output)],
      [
        "cut by rules",
        `about ${count(ttsr.discardedTokens)}, in ${ttsr.interrupts} ${ttsr.interrupts === 1 ? "interrupt" : "interrupts"}`,
      ],
    ];
    say(["Tokens of this session:", ...rows.map(([what, tokens]) => `${what.padEnd(12)}  ${tokens}`)].join("\n"));
  },
};
