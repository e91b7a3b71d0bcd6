import * as v from "valibot";
import type { PermissionSubject, Tool, ToolResult } from "../agent/ports.js";
import { encodeText } from "../platform/text-codec.js";
import { errorResult, pathSchema, textResult, validateWith } from "./arguments.js";
import type { ToolDeps } from "./deps.js";
import { toLf } from "./edit-source.js";
import { type FileOnDisk, loadFile, saveFile } from "./file-text.js";
import { showName } from "./listing.js";
import { placeholderIn } from "./placeholder.js";
import { Leave, pathProblem, refusedLink, resolveTarget, subjectPaths, type Target } from "./target.js";
import { countChanges, unifiedDiff } from "./unified-diff.js";
import description from "./write.md";

export const writeArguments = v.strictObject({ path: pathSchema, content: v.string() });
type WriteArguments = v.InferOutput<typeof writeArguments>;

/** Characters of the diff that go into an error. */
const MAX_DIFF_SHOWN = 4000;

type Outcome =
  | { ok: false; message: string }
  | {
      ok: true;
      bytes: Buffer;
      diff: string;
      notes: string[] /** Of the file that is replaced. */;
      hash: string | undefined;
    };

export function createWriteTool(deps: ToolDeps): Tool<WriteArguments> {
  const leave = new Leave<WriteArguments>();
  const hopeless = new WeakMap<WriteArguments, string>();
  /** Which content was there when leave was asked for. */
  const asked = new WeakMap<WriteArguments, { hash: string | undefined }>();
  return {
    name: "write",
    description: description.trim(),
    readOnly: false,
    authored: [{ kind: "file", argument: "content" }],
    pathArgument: "path",
    parameters: {
      type: "object",
      properties: { path: { type: "string", minLength: 1 }, content: { type: "string" } },
      required: ["path", "content"],
      additionalProperties: false,
    },
    validate: (args) => validateWith(writeArguments, args),
    async describe(args, { cwd }): Promise<PermissionSubject> {
      const target = leave.asked(args, await resolveTarget(args.path, cwd, deps.workspace));
      const outcome = await outcomeOf(target, args.content, deps);
      const subject = { title: `Write ${showName(target.shown)}`, paths: subjectPaths(target) };
      if (outcome.ok) {
        asked.set(args, { hash: outcome.hash });
        return { kind: "edit", ...subject, diff: outcome.diff };
      }
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
        const outcome = await outcomeOf(target, args.content, deps);
        if (!outcome.ok) return errorResult(outcome.message);
        const before = asked.get(args);
        if (before && before.hash !== outcome.hash) {
          return errorResult(`"${shown}" changed while the user was asked. Nothing was written; read it again.`);
        }
        if (signal.aborted) return errorResult("Interrupted; nothing was written.");
        deps.seen.note(target.real, await saveFile(target, deps.workspace, outcome.bytes), true);
        const { added, removed } = countChanges(outcome.diff);
        const verb = outcome.hash === undefined ? "Created" : "Wrote";
        const text = [`${verb} ${showName(shown)} (+${added} -${removed} lines).`, ...outcome.notes].join("\n");
        return textResult(text, { details: { diff: outcome.diff, path: target.real } });
      } catch (error) {
        return errorResult(pathProblem(shown, error));
      }
    },
  };
}

async function outcomeOf(target: Target, content: string, deps: ToolDeps): Promise<Outcome> {
  const { shown, real } = target;
  try {
    const refused = await refusedLink(target, deps.workspace);
    if (refused !== undefined) return { ok: false, message: refused };
    const file = await loadFile(real);
    const old = file?.decoded.ok ? file.decoded.text : undefined;
    const header = showName(shown);
    if (!file) {
      const diff = await unifiedDiff(header, undefined, content);
      return { ok: true, bytes: Buffer.from(content), diff, notes: [], hash: undefined };
    }
    const { bytes, notes } = inItsManner(content, file);
    const seen = deps.seen.get(real);
    const diff = await unifiedDiff(header, old ?? "", content);
    if (seen && seen.hash !== file.hash) {
      const cut = diff.length > MAX_DIFF_SHOWN ? `${diff.slice(0, MAX_DIFF_SHOWN)}\n…` : diff;
      const message = `"${shown}" has changed since you read it. Nothing was written; read it again. Your text against the present file:\n${cut}`;
      return { ok: false, message };
    }
    if (bytes.length < file.bytes.length && seen?.whole !== true) {
      const how = seen ? "you have seen only a part of it" : "you have not read it";
      const message = `"${shown}" exists, and ${how}: a shorter text would lose what you do not know. Nothing was written; read the file first, or use edit.`;
      return { ok: false, message };
    }
    const placeholder = placeholderIn(content, old ?? "");
    if (placeholder !== undefined) {
      const message = `content holds the placeholder "${placeholder}" in place of real text. Nothing was written; write the text out, or use edit.`;
      return { ok: false, message };
    }
    return { ok: true, bytes, diff, notes, hash: file.hash };
  } catch (error) {
    return { ok: false, message: pathProblem(shown, error) };
  }
}

/** The new text in the encoding of the old one, and with its line ends where those were all CRLF. */
function inItsManner(content: string, file: FileOnDisk): { bytes: Buffer; notes: string[] } {
  if (!file.decoded.ok) return { bytes: Buffer.from(content), notes: [] };
  const { text, encoding } = file.decoded;
  const notes: string[] = [];
  let fresh = content.startsWith("\ufeff") && encoding !== "utf-8" ? content.slice(1) : content;
  if (/\r\n/.test(text) && !/(?<!\r)\n/.test(text) && !fresh.includes("\r")) {
    fresh = toLf(fresh).replaceAll("\n", "\r\n");
    notes.push("[Its CRLF line ends were kept.]");
  }
  if (encoding !== "utf-8") notes.push(`[Its encoding was kept: ${encoding}.]`);
  return { bytes: encodeText(fresh, encoding), notes };
}
