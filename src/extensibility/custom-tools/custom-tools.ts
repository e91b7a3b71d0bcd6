/** Tools that a program embedding a session brings along. They may listen to what happens to the session. */
import type { Tool } from "../../agent/ports.js";
import type { Rule } from "../../capability/rule.js";
import { notify, type ReportFault } from "../notify.js";

export type SessionNews =
  | { reason: "start" }
  | { reason: "end" }
  | { reason: "ttsr_triggered"; rules: readonly Rule[] };

export interface CustomTool extends Tool {
  onSession?(news: SessionNews): unknown;
}

/** Tells every custom tool, without waiting for one. */
export function tellCustomTools(tools: readonly CustomTool[], news: SessionNews, report: ReportFault): void {
  for (const tool of tools) notify(`tool ${tool.name}`, (told) => tool.onSession?.(told), news, report);
}
