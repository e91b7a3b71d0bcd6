import type { Diagnostic } from "../types.js";

/** A diagnostic before it is known whose it is. */
export type Finding = Omit<Diagnostic, "ruleId" | "index">;

/** `12,345`. By hand, since `toLocaleString` takes 10 ms and more when it is first called. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
