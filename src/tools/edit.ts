import * as v from "valibot";
import type { PermissionSubject, Tool, ToolResult } from "../agent/ports.js";
import { encodeText } from "../platform/text-codec.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import description from "./edit.md";
import type { Level } from "./edit-match.js";
import { type Edit, planEdits } from "./edit-plan.js";
import { loadFile, mustBeText, saveFile } from "./file-text.js";
import { showName } from "./listing.js";
import { Leave, pathProblem, refusedLink, resolveTarget, subjectPaths, type Target } from "./target.js";
import { countChanges, lineAligner, unifiedDiff } from "./unified-diff.js";

export const editArguments = v.strictObject({
  path: pathSchema,
  edits: v.pipe(
    v.array(v.strictObject({ old: v.string(), new: v.string(), all: v.optional(v.boolean()) })),
    v.minLength(1),
  ),
});
type EditArguments = v.InferOutput<typeof editArguments>;

/** What a call would do. */
type Outcome =
  | { ok: false; message: string }
  | { ok: true; bytes: Buffer | undefined; diff: string; lines: number[]; notes: string[]; whole: boolean };

export function createEditTool(deps: ToolDeps): Tool<EditArguments> {
  const leave = new Leave<EditArguments>();
  /** Calls that nobody was asked about because they could not succeed; they must not succeed later either. */
  const hopeless = new WeakMap<EditArguments, string>();
  return {
    name: "edit",
    description: description.trim(),
    readOnly: false,
    authored: [{ kind: "edits", argument: "edits" }],
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1 },
        edits: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: {
              old: { type: "string" },
              new: { type: "string" },
              all: { type: "boolean", description: "Replace every place" },
            },
            required: ["old", "new"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "edits"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(editArguments, args),
    async describe(args, { cwd }): Promise<PermissionSubject> {
      const target = leave.asked(args, await resolveTarget(args.path, cwd, deps.workspace));
      const outcome = await outcomeOf(target, args.edits, deps);
      const subject = { title: `Edit ${showName(target.shown)}`, paths: subjectPaths(target) };
      if (outcome.ok) return { kind: "edit", ...subject, diff: outcome.diff };
      // All that such a call does is to read the file and say why.
      hopeless.set(args, outcome.message);
      return { kind: "read", ...subject };
    },
    async execute(args, { cwd, signal }): Promise<ToolResult> {
      const known = hopeless.get(args);
      if (known !== undefined) return errorResult(known);
      let shown = args.path;
      try {
        const target = leave.check(args, await resolveTarget(args.path, cwd, deps.workspace));
        shown = target.shown;
        const outcome = await outcomeOf(target, args.edits, deps);
        if (!outcome.ok) return errorResult(outcome.message);
        if (signal.aborted) return errorResult("Interrupted; nothing was changed.");
        if (!outcome.bytes) return textResult(`Nothing to change: old and new are the same in "${shown}".`);
        const hash = await saveFile(target, deps.workspace, outcome.bytes);
        deps.seen.note(target.real, hash, outcome.whole);
        const { added, removed } = countChanges(outcome.diff);
        const at = `line${outcome.lines.length > 1 ? "s" : ""} ${shortList(outcome.lines)}`;
        const text = [`Edited ${showName(shown)} at ${at} (+${added} -${removed}).`, ...outcome.notes].join("\n");
        return textResult(text, { details: { diff: outcome.diff, path: target.real } });
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

async function outcomeOf(target: Target, edits: readonly Edit[], deps: ToolDeps): Promise<Outcome> {
  try {
    const refused = await refusedLink(target, deps.workspace);
    if (refused !== undefined) return { ok: false, message: refused };
    const file = await loadFile(target.real);
    if (!file) return { ok: false, message: `"${target.shown}" does not exist. Use write for a new file.` };
    const { text, encoding } = mustBeText(target.shown, file.decoded);
    const seen = deps.seen.get(target.real);
    const changed = seen !== undefined && seen.hash !== file.hash;
    const plan = planEdits(text, edits, changed, await lineAligner());
    if (!plan.ok) return { ok: false, message: `${plan.message}\nNothing was changed.` };
    return {
      ok: true,
      bytes: plan.text === text ? undefined : encodeText(plan.text, encoding),
      diff: await unifiedDiff(showName(target.shown), text, plan.text),
      lines: plan.lines,
      notes: notesOn(plan.levels, changed),
      whole: !changed && seen?.whole === true,
    };
  } catch (error) {
    return { ok: false, message: pathProblem(target.shown, error) };
  }
}

function notesOn(levels: readonly Level[], changed: boolean): string[] {
  const notes: string[] = [];
  const loose = [...new Set(levels)].filter((level) => level !== "exact" && level !== "line endings");
  if (loose.length > 0) notes.push(`[old did not match exactly: it differed in ${loose.join(" and ")}.]`);
  if (changed) notes.push("[The file had changed elsewhere since you read it.]");
  return notes;
}

function shortList(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(", ");
  return lines.length > 20 ? `${shown} and ${lines.length - 20} more` : shown;
}
