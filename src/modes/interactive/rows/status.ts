/** The status line: one row, the important things first; what has no room is left out from the right. */
import type { Activity, UiState } from "../store/state.js";
import type { Theme } from "../theme.js";
import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit, fitEnd } from "./width.js";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function statusRow(state: UiState, { columns, theme }: RowContext): string {
  const width = contentWidth(columns);
  if (state.hint !== undefined) return `  ${theme.warning(fit(state.hint, width))}`;
  const { status } = state;
  const still = theme.spoken || status.activity === "idle" || status.activity === "asking";
  const mark = still ? "  " : `${spinner(status.activity, status.tick, theme)} `;
  const parts = [...activityParts(state, theme), ...sessionParts(state)];
  let line = "";
  for (const part of parts) {
    const next = line === "" ? part : `${line} · ${part}`;
    if (cells(next) > width && line !== "") break;
    line = next;
  }
  return (mark + theme.dim(fit(line, width))).trimEnd();
}

function spinner(activity: Activity, tick: number, theme: Theme): string {
  if (activity === "rewinding") return theme.warning("⟲");
  return theme.accent(theme.motion ? (SPINNER[tick % SPINNER.length] ?? "⠋") : "•");
}

function activityParts({ status }: UiState, theme: Theme): string[] {
  switch (status.activity) {
    case "starting":
      return ["starting"];
    case "working":
      return [status.seconds >= 1 && theme.motion ? `working ${duration(status.seconds)}` : "working", "Esc stops"];
    case "rewinding":
      return ["rewinding", "Esc stops"];
    case "asking":
      return ["waiting for your answer"];
    case "idle":
      return [];
  }
}

function sessionParts({ status, columns }: UiState): string[] {
  const { session, mode, home } = status;
  if (!session) return [];
  const parts = [mode ?? session.permissionMode, cleanLine(`${session.model.provider}/${session.model.model}`)];
  const { contextWindow } = session.model;
  if (session.contextTokens > 0) {
    const used = contextWindow
      ? `${Math.min(100, Math.round((100 * session.contextTokens) / contextWindow))}%`
      : count(session.contextTokens);
    parts.push(`context ${used}`);
  }
  parts.push(rulesPart(session.ttsr));
  parts.push(fitEnd(shortPath(cleanLine(session.cwd), home), Math.max(12, Math.floor(columns / 3))));
  return parts;
}

function rulesPart({ enabled, armed, interrupts }: { enabled: boolean; armed: number; interrupts: number }): string {
  if (!enabled) return "rules off";
  const rules = `${armed} ${armed === 1 ? "rule" : "rules"}`;
  return interrupts === 0 ? rules : `${rules}, ${interrupts} ${interrupts === 1 ? "hit" : "hits"}`;
}

function shortPath(path: string, home: string | undefined): string {
  if (!home || (path !== home && !path.startsWith(`${home}/`))) return path;
  return `~${path.slice(home.length)}`;
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** @returns 950, 1.2k, 34k */
export function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 10_000 ? `${(tokens / 1000).toFixed(1)}k` : `${Math.round(tokens / 1000)}k`;
}
