import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import picomatch from "picomatch";
import * as v from "valibot";
import type { Tool } from "../agent/ports.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import description from "./glob.md";
import { showName } from "./listing.js";
import { bundledRipgrep, runRipgrep } from "./ripgrep.js";
import { Leave, pathProblem, resolveTarget, subjectPaths } from "./target.js";
import { walk } from "./walk.js";

const MAX_FILES = 200;
/** Of so many files the times are looked up; a longer list stays as it came. */
const SORTED_FILES = 5000;
/** Files of a tree that are looked at. */
const MAX_LOOKED_AT = 200_000;

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
      return { kind: "read", title: `Find files in ${target.shown}`, paths: subjectPaths(target) };
    },
    async execute(args, { cwd, signal }) {
      let shown = args.path ?? ".";
      try {
        const target = leave.check(args, await resolveTarget(shown, cwd, deps.workspace));
        shown = target.shown;
        const all = await filesBelow(target.real, deps, signal);
        if (signal.aborted) return errorResult("Interrupted.");
        const fits = picomatch(args.pattern, { dot: true, basename: !args.pattern.includes("/") });
        const found = await newestFirst(
          all.filter((name) => fits(name)),
          target.real,
        );
        if (found.length === 0) return textResult("No file matches.");
        const names = found.slice(0, MAX_FILES).map((name) => showName(relative(cwd, resolve(target.real, name))));
        const note = found.length > MAX_FILES ? [`[${found.length} files; the first ${MAX_FILES} are shown.]`] : [];
        return textResult([...names, ...note].join("\n"));
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

/** @returns paths relative to `folder` with `/`; as many as were found in time */
async function filesBelow(folder: string, deps: ToolDeps, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const program = await (deps.ripgrep ?? bundledRipgrep)();
  if (program === undefined) {
    for await (const path of walk(folder, signal)) files.push(relative(folder, path));
    return files;
  }
  await runRipgrep({
    program,
    options: ["--files", "--null"],
    root: folder,
    cwd: folder,
    separator: "\0",
    signal,
    deps,
    onPiece(path) {
      files.push(relative(folder, path));
      return files.length < MAX_LOOKED_AT;
    },
  });
  return files;
}

async function newestFirst(names: string[], folder: string): Promise<string[]> {
  if (names.length > SORTED_FILES) return names.sort();
  const timed = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(resolve(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  return timed.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}
