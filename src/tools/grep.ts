import { stat } from "node:fs/promises";
import * as v from "valibot";
import type { Tool, ToolResult } from "../agent/ports.js";
import { reasonOf } from "../platform/errors.js";
import { realpathDeepest } from "../platform/paths.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import { kindOf } from "./file-kind.js";
import description from "./grep.md";
import { showName } from "./listing.js";
import { ownSearch } from "./own-search.js";
import { bundledRipgrep, runRipgrep, SEARCH_MS } from "./ripgrep.js";
import { fileFilter, type Hits, hitLine, MAX_HITS, type Search } from "./search-hits.js";
import { Leave, pathProblem, resolveTarget, subjectPaths } from "./target.js";

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
      return {
        kind: "read",
        title: `Search ${showName(target.shown)} for ${showName(args.pattern)}`,
        paths: subjectPaths(target),
      };
    },
    async execute(args, { cwd, signal }) {
      let shown = args.path ?? ".";
      try {
        const target = leave.check(args, await resolveTarget(shown, cwd, deps.workspace));
        shown = target.shown;
        // Of what is neither a folder nor a file, this one tells what it is.
        if (!(await stat(target.real)).isDirectory()) {
          const kind = await kindOf(target.real);
          if (kind !== undefined) return errorResult(`"${shown}" is ${kind.name}; it was not searched.`);
        }
        const wanted: Search = {
          pattern: args.pattern,
          ignoreCase: args.ignoreCase === true,
          glob: args.glob,
          root: target.real,
          cwd: await realpathDeepest(cwd),
          hidden: (path) => deps.hidden?.(path) === true,
          signal,
        };
        const program = await (deps.ripgrep ?? bundledRipgrep)();
        const run = program === undefined ? await ownSearch(wanted) : await search(program, wanted, deps);
        if (signal.aborted) return errorResult("Interrupted.");
        return report(run);
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

/** What ripgrep says of a file that turned out to be binary half-way; such a line has no file name with a NUL after it. */
const BINARY = /: (?:binary file matches|WARNING: stopped searching binary file after match) \(found .*\)$/;
/** A simple glob over file names, which ripgrep may apply itself: as a file type, since its own globs switch off what git ignores. */
const SIMPLE_GLOB = /^[\w.*?-]+$/;
/** Bytes of a line that ripgrep hands over. */
const MAX_COLUMNS = 2000;

async function search(program: string, wanted: Search, deps: ToolDeps): Promise<Hits> {
  const { pattern, glob, root, cwd, signal } = wanted;
  const lines: string[] = [];
  const fits = fileFilter(wanted);
  const options = [
    "--line-number",
    "--with-filename",
    "--no-heading",
    "--null",
    "--crlf",
    "--engine=auto",
    `--max-columns=${MAX_COLUMNS}`,
    "--max-columns-preview",
    ...(wanted.ignoreCase ? ["--ignore-case"] : []),
    ...(glob !== undefined && SIMPLE_GLOB.test(glob) ? [`--type-add=wanted:${glob}`, "--type=wanted"] : []),
    `--regexp=${pattern}`,
  ];
  // A file name may hold line ends: it reaches to the NUL.
  let name = "";
  const { result, complaint } = await runRipgrep({
    program,
    options,
    root,
    cwd,
    separator: "\n",
    signal,
    deps,
    onPiece(piece) {
      const nul = piece.indexOf("\0");
      if (nul < 0) {
        name = BINARY.test(piece) ? "" : `${name}${piece}\n`;
        return true;
      }
      const path = name + piece.slice(0, nul);
      name = "";
      const [, number, text] = /^(\d+):(.*)$/s.exec(piece.slice(nul + 1)) ?? [];
      if (number !== undefined && text !== undefined && fits(path) && !wanted.hidden(path)) {
        lines.push(hitLine(cwd, path, Number(number), text));
      }
      return lines.length <= MAX_HITS;
    },
  });
  if (result.ended === "timeout") return { lines, problem: `Stopped after ${SEARCH_MS / 1000} s; narrow the search.` };
  if (result.ended === "not-started") {
    return { lines, problem: `The search could not be started: ${reasonOf(result.error)}.` };
  }
  return result.exitCode === 2 ? { lines, problem: problemIn(complaint) } : { lines };
}

/** @returns ripgrep's complaint in one sentence */
function problemIn(complaint: string): string {
  const faults = [...complaint.matchAll(/^(?:error: |PCRE2: )(.*)$/gm)].map((found) => found[1] ?? "");
  const fault = faults.find((words) => !words.startsWith("look-around") && !words.startsWith("backreferences"));
  if (fault !== undefined) return `The pattern cannot be read: ${fault}.`;
  return `Not everything could be searched: ${sanitizeTerminal(complaint.trim().split("\n", 1)[0] || "no reason given")}.`;
}

function report({ lines, problem }: Hits): ToolResult {
  if (lines.length === 0) return problem === undefined ? textResult("Nothing found.") : errorResult(problem);
  const notes = problem === undefined ? [] : [`[${problem}]`];
  if (lines.length > MAX_HITS)
    notes.push(`[More than ${MAX_HITS} hits; the first ${MAX_HITS} are shown. Narrow the search.]`);
  return textResult([...lines.slice(0, MAX_HITS), ...notes].join("\n"));
}
