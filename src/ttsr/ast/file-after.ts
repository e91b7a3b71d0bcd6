/** The file as it would be after a call, from what the model wrote and what is on disk. */
import type { Json, ToolCallBlock } from "../../agent/messages.js";
import type { Tool } from "../../agent/ports.js";
import { type Edit, planEdits } from "../../tools/edit-plan.js";
import { lineAligner } from "../../tools/unified-diff.js";

export interface FileAfter {
  /** As the model wrote it. */
  path: string;
  /** The lane that the text would belong to. */
  argument: string;
  before: string | undefined;
  after: string;
}

/**
 * @param baseline the text on disk, by the path as the model wrote it
 * @returns undefined where the call writes no file, or could not succeed
 */
export async function fileAfter(
  call: ToolCallBlock,
  tool: Tool,
  baseline: (path: string) => string | undefined,
): Promise<FileAfter | undefined> {
  const path = tool.pathArgument === undefined ? undefined : call.arguments[tool.pathArgument];
  if (typeof path !== "string") return undefined;
  for (const { kind, argument } of tool.authored ?? []) {
    const value = call.arguments[argument];
    if (kind === "file" && typeof value === "string") return { path, argument, before: baseline(path), after: value };
    if (kind === "edits") {
      const before = baseline(path);
      const edits = editsOf(value as Json | undefined);
      if (before === undefined || edits.length === 0) continue;
      const plan = planEdits(before, edits, false, await lineAligner());
      if (plan.ok) return { path, argument: "added", before, after: plan.text };
    }
  }
  return undefined;
}

function editsOf(value: Json | undefined): Edit[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: Json): Edit[] => {
    if (typeof each !== "object" || each === null || Array.isArray(each)) return [];
    const { old, new: now, all } = each as { readonly [key: string]: Json };
    return typeof old === "string" && typeof now === "string" ? [{ old, new: now, all: all === true }] : [];
  });
}
