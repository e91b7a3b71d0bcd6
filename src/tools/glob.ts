import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import * as v from "valibot";
import type { Tool } from "../agent/ports.js";
import { displayPath, realpathDeepest } from "../platform/paths.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import { compileGlob } from "./bounded-glob.js";
import type { ToolDeps } from "./deps.js";
import { filesBelow } from "./files-below.js";
import description from "./glob.md";
import { showName } from "./listing.js";
import { Leave, pathProblem, resolveTarget, subjectPaths } from "./target.js";

const MAX_FILES = 200;
/** Of so many files the times are looked up; a longer list stays as it came. */
const SORTED_FILES = 5000;

export const globArguments = v.strictObject({
  pattern: v.pipe(v.string(), v.minLength(1)),
  path: v.optional(pathSchema),
});
type GlobArguments = v.InferOutput<typeof globArguments>;

export function createGlobTool(deps: ToolDeps): Tool<GlobArguments> {
  const leave = new Leave<GlobArguments>();
  return {
    name: "glob",
    description: description.trim(),
    readOnly: true,
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Default: the working folder" },
        pattern: { type: "string", minLength: 1 },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(globArguments, args),
    async describe(args, { cwd }) {
      const target = leave.asked(args, await resolveTarget(args.path ?? ".", cwd, deps.workspace));
      return {
        kind: "read",
        title: `Find ${showName(args.pattern)} in ${showName(target.shown)}`,
        paths: subjectPaths(target),
      };
    },
    async execute(args, { cwd, signal }) {
      let shown = args.path ?? ".";
      try {
        const target = leave.check(args, await resolveTarget(shown, cwd, deps.workspace));
        shown = target.shown;
        if (!(await stat(target.real)).isDirectory()) return errorResult(`"${shown}" is not a folder.`);
        const fits = globMatcher(args.pattern, target.real);
        const { files, note } = await filesBelow(target.real, deps, signal);
        if (signal.aborted) return errorResult("Interrupted.");
        const found = await newestFirst(files.filter((path) => fits(displayPath(target.real, path))));
        const notes = note === undefined ? [] : [`[${note}]`];
        if (found.length === 0) return textResult(["No file matches.", ...notes].join("\n"));
        const base = await realpathDeepest(cwd);
        const names = found.slice(0, MAX_FILES).map((path) => showName(displayPath(base, path)));
        if (found.length > MAX_FILES) notes.unshift(`[${found.length} files; the first ${MAX_FILES} are shown.]`);
        return textResult([...names, ...notes].join("\n"));
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

/** A pattern without a slash is about file names; an absolute one below the folder is taken for what it means. */
function globMatcher(pattern: string, folder: string): (name: string) => boolean {
  const within = isAbsolute(pattern) && pattern.startsWith(`${folder}/`) ? pattern.slice(folder.length + 1) : pattern;
  const fits = compileGlob(within);
  return within.includes("/") ? fits : (name) => fits(name.slice(name.lastIndexOf("/") + 1));
}

async function newestFirst(paths: string[]): Promise<string[]> {
  if (paths.length > SORTED_FILES) return paths.sort();
  const timed = await Promise.all(
    // A file that is gone since counts as old.
    paths.map(async (path) => ({ path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  return timed.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}
