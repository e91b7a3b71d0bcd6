import { readFile, stat } from "node:fs/promises";
import { relative } from "node:path";
import picomatch from "picomatch";
import * as v from "valibot";
import type { Tool, ToolResult } from "../agent/ports.js";
import { reasonOf } from "../platform/errors.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import description from "./grep.md";
import { bundledRipgrep, runRipgrep, SEARCH_MS } from "./ripgrep.js";
import { Leave, pathProblem, resolveTarget, subjectPaths, type Target } from "./target.js";
import { walk } from "./walk.js";

const MAX_HITS = 200;
const MAX_LINE = 300;
/** The own search leaves larger files out. Bytes. */
const OWN_FILE_LIMIT = 2 * 1024 * 1024;

export const grepArguments = v.strictObject({
  pattern: v.pipe(v.string(), v.minLength(1)),
  path: v.optional(pathSchema),
  glob: v.optional(v.pipe(v.string(), v.minLength(1))),
  ignoreCase: v.optional(v.boolean()),
});
type GrepArguments = v.InferOutput<typeof grepArguments>;

export function createGrepTool(deps: ToolDeps): Tool<GrepArguments> {
  const leave = new Leave<GrepArguments>();
  return {
    name: "grep",
    description: description.trim(),
    readOnly: true,
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Default: the working folder" },
        pattern: { type: "string", minLength: 1 },
        glob: { type: "string", minLength: 1 },
        ignoreCase: { type: "boolean" },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(grepArguments, args),
    async describe(args, { cwd }) {
      const target = leave.asked(args, await resolveTarget(args.path ?? ".", cwd, deps.workspace));
      return { kind: "read", title: `Search ${target.shown}`, paths: subjectPaths(target) };
    },
    async execute(args, { cwd, signal }) {
      let shown = args.path ?? ".";
      try {
        const target = leave.check(args, await resolveTarget(shown, cwd, deps.workspace));
        shown = target.shown;
        await stat(target.real);
        const rg = await (deps.ripgrep ?? bundledRipgrep)();
        const run =
          rg === undefined
            ? await ownSearch(args, target, cwd, signal)
            : await search(rg, args, target, cwd, deps, signal);
        return report(run);
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

interface Hits {
  /** `path:line:text`, paths relative to the working folder; one more than is shown where there are more. */
  lines: string[];
  /** One sentence where it did not come to its end. */
  problem?: string;
}

async function search(
  program: string,
  args: GrepArguments,
  target: Target,
  cwd: string,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<Hits> {
  const lines: string[] = [];
  const options = [
    "--line-number",
    "--with-filename",
    "--no-heading",
    `--max-columns=${MAX_LINE}`,
    "--max-columns-preview",
    ...(args.ignoreCase ? ["--ignore-case"] : []),
    ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
    `--regexp=${args.pattern}`,
  ];
  const { result, complaint } = await runRipgrep({
    program,
    options,
    root: target.real,
    cwd,
    separator: "\n",
    signal,
    deps,
    onPiece(line) {
      lines.push(line.startsWith(`${cwd}/`) ? line.slice(cwd.length + 1) : line);
      return lines.length <= MAX_HITS;
    },
  });
  if (signal.aborted) return { lines: [], problem: "Interrupted." };
  if (result.ended === "timeout") return { lines, problem: `Stopped after ${SEARCH_MS / 1000} s; narrow the search.` };
  if (result.ended === "not-started")
    return { lines, problem: `The search could not be started: ${reasonOf(result.error)}.` };
  // 2: something went wrong, such as a pattern that cannot be read.
  return result.exitCode === 2 && lines.length === 0
    ? { lines, problem: complaint.trim() || "The search failed." }
    : { lines };
}

async function ownSearch(args: GrepArguments, target: Target, cwd: string, signal: AbortSignal): Promise<Hits> {
  let pattern: RegExp;
  try {
    pattern = new RegExp(args.pattern, args.ignoreCase ? "i" : "");
  } catch (error) {
    return { lines: [], problem: reasonOf(error) };
  }
  const fits =
    args.glob === undefined ? () => true : picomatch(args.glob, { dot: true, basename: !args.glob.includes("/") });
  const lines: string[] = [];
  for await (const path of (await stat(target.real)).isFile() ? [target.real] : walk(target.real, signal)) {
    const name = relative(cwd, path);
    if (!fits(name) || (await stat(path)).size > OWN_FILE_LIMIT) continue;
    const text = await readFile(path, "utf8");
    if (text.includes("\0")) continue;
    for (const [at, line] of text.split("\n").entries()) {
      if (pattern.test(line)) lines.push(`${name}:${at + 1}:${line.slice(0, MAX_LINE)}`);
      if (lines.length > MAX_HITS) return { lines };
    }
  }
  return { lines };
}

function report({ lines, problem }: Hits): ToolResult {
  if (lines.length === 0) return problem === undefined ? textResult("Nothing found.") : errorResult(problem);
  const notes = problem === undefined ? [] : [`[${problem}]`];
  if (lines.length > MAX_HITS)
    notes.push(`[More than ${MAX_HITS} hits; the first ${MAX_HITS} are shown. Narrow the search.]`);
  return textResult(sanitizeTerminal([...lines.slice(0, MAX_HITS), ...notes].join("\n")));
}
