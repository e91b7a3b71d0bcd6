import type { AuditHit } from "../agent/events.js";
import template from "../prompts/audit-fix.md";

/** Characters of a line that are quoted. */
const EXCERPT = 200;

/** @returns what asks the model to mend what the last look of a run has found; for `prompt()` */
export function auditPrompt(hits: readonly AuditHit[]): string {
  const lines = hits.map(({ rule, path, line, excerpt }) => {
    const quoted = excerpt.trim().replaceAll(/\s+/g, " ").slice(0, EXCERPT);
    return `- ${path}:${line}: rule ${rule}: ${quoted}`;
  });
  return template.trim().replace("{{hits}}", () => lines.join("\n"));
}
