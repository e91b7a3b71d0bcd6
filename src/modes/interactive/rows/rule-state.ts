/** What a rule would do now, in words (TTSR-10.3). */
import type { RuleStatus } from "../session-port.js";

export function ruleStateText({ muted, state, pause, reason }: RuleStatus): string {
  if (muted) return "muted";
  if (pause?.kind === "quiet") return `quiet since turn ${pause.sinceTurn}`;
  if (pause?.kind === "warming-up") return `warming up ${pause.seen}/${pause.of}`;
  if (pause?.kind === "spent") return "budget spent";
  if (pause?.kind === "allowed-once") return "lets one through";
  if (state === "broken") return `broken: ${reason ?? "it cannot be read"}`;
  if (state === "shadowed") return `shadowed ${reason ?? ""}`.trim();
  return state;
}
