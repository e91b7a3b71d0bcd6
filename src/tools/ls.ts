import { stat } from "node:fs/promises";
import * as v from "valibot";
import type { Tool } from "../agent/ports.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import { listFolder, showName } from "./listing.js";
import description from "./ls.md";
import { Leave, pathProblem, resolveTarget, subjectPaths } from "./target.js";

export const lsArguments = v.strictObject({ path: v.optional(pathSchema) });
type LsArguments = v.InferOutput<typeof lsArguments>;

export function createLsTool(deps: ToolDeps): Tool<LsArguments> {
  const leave = new Leave<LsArguments>();
  return {
    name: "ls",
    description: description.trim(),
    readOnly: true,
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: { path: { type: "string", minLength: 1, description: "Default: the working folder" } },
      required: [],
      additionalProperties: false,
    },
    validate: (args) => validateWith(lsArguments, args),
    async describe(args, { cwd }) {
      const target = leave.asked(args, await resolveTarget(args.path ?? ".", cwd, deps.workspace));
      return { kind: "read", title: `List ${showName(target.shown)}`, paths: subjectPaths(target) };
    },
    async execute(args, { cwd }) {
      let shown = args.path ?? ".";
      try {
        const target = leave.check(args, await resolveTarget(shown, cwd, deps.workspace));
        shown = target.shown;
        if (!(await stat(target.real)).isDirectory()) return errorResult(`"${shown}" is not a folder; use read.`);
        return textResult(await listFolder(target.real));
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}
