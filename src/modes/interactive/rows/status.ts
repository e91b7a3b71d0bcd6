/** The status line: one row; where there is no room for all of it, what matters least is left out. */
import type { Activity, UiState } from "../store/state.js";
import type { Style, Theme } from "../theme.js";
import { cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { cells, contentWidth, fit, fitEnd } from "./width.js";

const SEPARATOR = " · ";

interface Part {
  text: string;
  /** The higher, the sooner it is left out. */
  rank: number;
  style?: Style;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function statusRow(state: UiState, { columns, theme }: RowContext): string {
  const width = contentWidth(columns);
  if (state.hint !== undefined) return `  ${theme.warning(fit(state.hint, width))}`;
  const { status } = state;
  const still = theme.spoken || status.activity === "idle" || status.activity === "asking";
  const mark = still ? "  " : `${spinner(status.activity, status.tick, theme)} `;
  const parts = fitting([...activityParts(state, theme), ...sessionParts(state, theme)], width);
  const line = parts.map(({ text, style }) => (style ?? theme.dim)(fit(text, width))).join(theme.dim(SEPARATOR));
  return (mark + line).trimEnd();
}

/** The parts that have room side by side: the least important go first. */
function fitting(parts: readonly Part[], width: number): readonly Part[] {
  const needed = parts.reduce((sum, { text }) => sum + cells(text) + SEPARATOR.length, -SEPARATOR.length);
  if (needed <= width || parts.length <= 1) return parts;
  const least = Math.max(...parts.map(({ rank }) => rank));
  return fitting(
    parts.filter(({ rank }) => rank !== least),
    width,
  );
}

function spinner(activity: Activity, tick: number, theme: Theme): string {
  if (activity === "rewinding") return theme.warning("⟲");
  return theme.accent(theme.motion ? (SPINNER[tick % SPINNER.length] ?? "⠋") : "•");
}

function activityParts({ status }: UiState, theme: Theme): Part[] {
  const stops: Part = { text: "Esc stops", rank: 4 };
  switch (status.activity) {
    case "starting":
      return [{ text: "starting", rank: 0 }];
    case "working": {
      const text = status.seconds >= 1 && theme.motion ? `working ${duration(status.seconds)}` : "working";
      return [{ text, rank: 0 }, stops];
    }
    case "rewinding":
      return [{ text: "rewinding", rank: 0 }, stops];
    case "asking":
      return [{ text: "waiting for your answer", rank: 0 }];
    case "idle":
      return [];
  }
}

function sessionParts({ status, columns }: UiState, theme: Theme): Part[] {
  const { session, home } = status;
  if (!session) return [];
  const mode = status.mode ?? session.permissionMode;
  const model = cleanLine(`${session.model.provider}/${session.model.model}`);
  const parts: Part[] = [
    { text: mode, rank: 1, ...(mode === "yolo" ? { style: theme.warning } : {}) },
    { text: model, rank: 3 },
  ];
  const { contextWindow } = session.model;
  if (session.contextTokens > 0) {
    const used = contextWindow
      ? `${Math.min(100, Math.round((100 * session.contextTokens) / contextWindow))}%`
      : count(session.contextTokens);
    parts.push({ text: `context ${used}`, rank: 5 });
  }
  parts.push({ text: rulesPart(session.ttsr), rank: 2 });
  const path = fitEnd(shortPath(cleanLine(session.cwd), home), Math.max(12, Math.floor(columns / 3)));
  parts.push({ text: path, rank: 6 });
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
