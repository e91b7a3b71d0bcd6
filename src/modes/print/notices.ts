/** What a headless run says on stderr (TTSR-10.4). One line each, nothing of it on stdout. */
import type { AgentEvent, MatchView } from "../../agent/events.js";
import { sanitizeTerminal } from "../../platform/sanitize-terminal.js";

/**
 * @param verbose `-v`: also what was chosen, and every tool call
 * @returns the line, without its end, or undefined where the event is nobody's business
 */
export function noticeOf(event: AgentEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case "tool_execution_start":
      return verbose
        ? sanitizeTerminal(`${event.toolName} ${JSON.stringify(event.arguments).slice(0, 200)}`)
        : undefined;
    case "ttsr_triggered":
      return event.rules.map(({ name }) => `rule ⟲ ${name}  ${placesOf(name, event.matches)}`).join("\n");
    case "ttsr_suppressed":
      if (event.action === "none") return undefined;
      return `rule · ${event.rule} (${event.action})  ${placeOf(event.match)}`;
    case "ttsr_audit":
      return event.hits
        .map(({ rule, path, line, excerpt }) => sanitizeTerminal(`rule ✗ ${rule}  ${path}:${line}: ${excerpt.trim()}`))
        .join("\n");
    case "retry":
      return sanitizeTerminal(
        `${event.message} Trying again in ${(event.delayMs / 1000).toFixed(1)} s (${event.attempt} of ${event.maxAttempts}).`,
      );
    case "notice":
      return event.level === "warning" || verbose ? sanitizeTerminal(event.message) : undefined;
    case "tool_execution_end":
      return event.denied ? `denied: ${event.toolName}: ${sanitizeTerminal(event.denied.reason)}` : undefined;
    default:
      return undefined;
  }
}

/** Every place of one rule: two files of a patch, two calls of an answer. */
function placesOf(rule: string, matches: readonly MatchView[]): string {
  return [...new Set(matches.filter((match) => match.rule === rule).map(placeOf))].join("; ");
}

function placeOf(match: MatchView): string {
  const where = match.filePath ?? match.toolName ?? match.source;
  return sanitizeTerminal(`${where}: …${match.excerpt.trim()}`).replaceAll("\n", " ");
}
