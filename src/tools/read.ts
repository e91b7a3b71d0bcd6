import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat, readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as v from "valibot";
import type { Tool, ToolResult } from "../agent/ports.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { chunksOf, HASHED_BYTES, openRegular, statHash } from "../platform/files.js";
import { errorCode } from "../platform/paths.js";
import { bomLength, encodingOf } from "../platform/text-codec.js";
import { countSchema, errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import { HEAD_BYTES, kindOfHead, sizeText } from "./file-kind.js";
import { listFolder, showName } from "./listing.js";
import description from "./read.md";
import { Leave, pathProblem, resolveTarget, subjectPaths, type Target } from "./target.js";
import { TextWindow } from "./text-window.js";

const MAX_LINES = 2000;
const MAX_BYTES = 50 * 1024;
const MAX_LINE = 2000;
/** What providers take at most for one image, before base64. */
const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024;
/** A line that goes on for longer than this is given up. */
const MAX_LINE_SCAN = 64 * 1024 * 1024;

export const readArguments = v.strictObject({
  path: pathSchema,
  offset: v.optional(countSchema),
  limit: v.optional(countSchema),
});
type ReadArguments = v.InferOutput<typeof readArguments>;

export function createReadTool(deps: ToolDeps): Tool<ReadArguments> {
  const leave = new Leave<ReadArguments>();
  return {
    name: "read",
    description: description.trim(),
    readOnly: true,
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1 },
        offset: { type: "integer", minimum: 1, description: "First line" },
        limit: { type: "integer", minimum: 1, description: "Lines" },
      },
      required: ["path"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(readArguments, args),
    async describe(args, { cwd }) {
      const target = leave.asked(args, await resolveTarget(args.path, cwd, deps.workspace));
      return { kind: "read", title: `Read ${showName(target.shown)}`, paths: subjectPaths(target) };
    },
    async execute(args, { cwd, signal }) {
      let shown = args.path;
      try {
        const target = leave.check(args, await resolveTarget(args.path, cwd, deps.workspace));
        shown = target.shown;
        if ((await lstat(target.real)).isDirectory()) return textResult(await listFolder(target.real));
        const { file, stats } = await openRegular(target.real);
        try {
          return await readFile(file, stats, target, args, deps, signal);
        } finally {
          await file.close();
        }
      } catch (error) {
        if (signal.aborted) return errorResult("Interrupted.");
        const hint = errorCode(error) === "ENOENT" ? await similarName(args.path, cwd, deps) : "";
        return errorResult(pathProblem(shown, error) + hint);
      }
    },
  };
}

async function readFile(
  file: FileHandle,
  stats: Stats,
  target: Target,
  args: ReadArguments,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const start = head.subarray(0, bytesRead);
  const encoding = encodingOf(start);
  const wide = encoding === "utf-16le" || encoding === "utf-16be";
  const kind = kindOfHead(start);
  if (kind?.mediaType !== undefined && stats.size <= MAX_IMAGE_BYTES) {
    const data = (await file.readFile()).toString("base64");
    return { content: [{ type: "image", mediaType: kind.mediaType, data }], isError: false };
  }
  if (kind) {
    const why = kind.mediaType === undefined ? "not shown" : "too large to show";
    return textResult(`"${target.shown}" is ${kind.name} of ${sizeText(stats.size)}; ${why}.`);
  }

  const offset = args.offset ?? 1;
  const limit = Math.min(args.limit ?? MAX_LINES, MAX_LINES);
  const window = new TextWindow({ offset, limit, bytes: MAX_BYTES, lineLength: MAX_LINE });
  const decoder = new TextDecoder(wide ? encoding : "utf-8", { ignoreBOM: true });
  const hash = stats.size <= HASHED_BYTES ? createHash("sha256") : undefined;
  hash?.update(start.subarray(0, bomLength(encoding)));
  let atEnd = true;
  for await (const chunk of chunksOf(file, bomLength(encoding), signal)) {
    hash?.update(chunk);
    window.push(decoder.decode(chunk, { stream: true }));
    // Small files are read to their end: for the hash, and to know how many lines there are.
    if (!hash && (window.full || window.dropped > MAX_LINE_SCAN)) {
      atEnd = false;
      break;
    }
  }
  window.push(decoder.decode());
  window.finish();

  const last = offset + window.lines.length - 1;
  const complete = atEnd && offset === 1 && last === window.count;
  deps.seen.note(target.real, hash?.digest("hex") ?? statHash(stats), complete && !window.cut);
  if (window.count === 0) return textResult("(empty file)");
  if (window.lines.length === 0) {
    return errorResult(`"${target.shown}" has only ${window.count} lines; offset ${offset} is past its end.`);
  }
  const notes: string[] = [];
  if (!complete) {
    const of = atEnd ? `of ${window.count}` : `of a file of ${sizeText(stats.size)}`;
    const more = atEnd && last >= window.count ? "" : ` Go on with offset=${last + 1}.`;
    notes.push(`[Lines ${offset}-${last} ${of}.${more}]`);
  }
  const text = window.lines.join("\n");
  if (text.includes("\ufffd")) notes.push("[Bytes that are no valid text are shown as \ufffd.]");
  return textResult([text, ...notes].join("\n"));
}

/** @returns a sentence naming the file that was probably meant, or nothing */
async function similarName(path: string, cwd: string, deps: ToolDeps): Promise<string> {
  const { given, inside } = await resolveTarget(path, cwd, deps.workspace);
  if (!inside) return "";
  try {
    const near = didYouMean(basename(given), await readdir(dirname(given)));
    return near === undefined ? "" : ` Did you mean "${showName(near)}"?`;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}
