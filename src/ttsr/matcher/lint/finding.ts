import type { Diagnostic } from "../types.js";

/** A diagnostic before it is known whose it is. */
export type Finding = Omit<Diagnostic, "ruleId" | "index">;
