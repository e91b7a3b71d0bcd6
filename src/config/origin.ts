import type { Written } from "./layers.js";

/** @returns where a value was written, as a user reads it: "/home/me/settings.yml:3", "environment TTSR_AGENT_MODEL", "--set", "default" */
export function placeOf({ origin, parts }: Pick<Written, "origin" | "parts">): string {
  if (parts) return parts.map(placeOf).join(", ");
  if (origin.file !== undefined) return `${origin.file}${origin.line === undefined ? "" : `:${origin.line}`}`;
  if (origin.from === "flag") return "--set";
  return origin.variable === undefined ? origin.from : `${origin.from} ${origin.variable}`;
}
