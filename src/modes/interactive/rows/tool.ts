/** A tool call on the screen: one line for the call, a few for what it writes or prints. */
import type { ToolView } from "../store/pieces.js";
import type { Style, Theme } from "../theme.js";
import { clean, cleanLine } from "./clean.js";
import type { RowContext } from "./context.js";
import { countDiff, diffRows } from "./diff.js";
import { cells, contentWidth, fit, GUTTER, indent, tail, wrapExact, wrapProse } from "./width.js";

/** Rows shown of a growing argument or of running output. */
const LIVE_ROWS = 5;
const DIFF_ROWS = 16;
/** Of finished output: the first and the last rows. */
const HEAD_ROWS = 3;
const TAIL_ROWS = 4;
/** Tools whose result is for the model; the user sees how much it was. */
const COUNT_ONLY = new Set(["read", "grep", "glob", "ls"]);

export function toolRows(tool: ToolView, context: RowContext, rewound: boolean): string[] {
  const { columns, theme } = context;
  const width = contentWidth(columns);
  const over = rewound ? theme.dim : theme.plain;
  const body = bodyRows(tool, width - 2, context, rewound);
  return [headerRow(tool, width, theme, over), ...indent(body, GUTTER + 2, " ".repeat(GUTTER + 2))];
}

function headerRow(tool: ToolView, width: number, theme: Theme, over: Style): string {
  const name = fit(cleanLine(tool.name), width);
  const left = width - cells(name);
  // Where there is no room for both, what it is about matters more than how much it was.
  const suffix = left - 12 >= suffixOf(tool).length ? suffixOf(tool) : "";
  const target = fit(cleanLine(tool.target), left - 1 - (suffix === "" ? 0 : suffix.length + 3));
  const mark = (tool.phase === "done" && failed(tool) ? theme.error : theme.dim)(theme.marks.tool);
  const end = suffix === "" ? "" : theme.dim(` · ${suffix}`);
  return `${mark}${over(theme.bold(name))}${target === "" ? "" : ` ${over(target)}`}${end}`;
}

function failed(tool: ToolView): boolean {
  return tool.denied === undefined && (tool.result?.isError === true || (tool.result?.exitCode ?? 0) !== 0);
}

function suffixOf(tool: ToolView): string {
  if (tool.denied) return { user: "denied", policy: "not allowed", rule: "blocked by a rule" }[tool.denied.by];
  if (tool.phase === "dropped") return "not run";
  const { result } = tool;
  if (tool.phase === "writing") return tool.draft && tool.draft.lines > LIVE_ROWS ? `${tool.draft.lines} lines` : "";
  if (!result) return "";
  if (result.exitCode !== undefined && result.exitCode !== 0) return `exit ${result.exitCode}`;
  if (result.isError) return "failed";
  if (result.diff !== undefined) {
    const { added, removed } = countDiff(result.diff);
    return `+${added} −${removed}`;
  }
  if (!COUNT_ONLY.has(tool.name)) return "";
  const lines = result.text.trim() === "" ? 0 : result.text.trimEnd().split("\n").length;
  return lines === 1 ? "1 line" : `${lines} lines`;
}

function bodyRows(tool: ToolView, width: number, context: RowContext, rewound: boolean): string[] {
  const { theme } = context;
  if (tool.denied) return wrapProse(clean(tool.denied.reason), width).slice(0, LIVE_ROWS).map(theme.dim);
  if (tool.phase === "writing" || tool.phase === "dropped") return draftRows(tool, width, theme, rewound);
  if (tool.phase === "running") {
    const rows = tailRows(tool.output ?? "", width);
    return rows.map(theme.dim);
  }
  const { result } = tool;
  if (!result) return [];
  if (result.diff !== undefined && !result.isError)
    return shorten(diffRows(result.diff, width, theme), DIFF_ROWS, 0, context);
  if (COUNT_ONLY.has(tool.name) && !result.isError) return [];
  if (result.text.trim() === "" || (tool.name === "write" && !result.isError)) return [];
  const rows = clean(result.text)
    .trimEnd()
    .split("\n")
    .map((line) => theme.dim(fit(line.trimEnd(), width)));
  return shorten(rows, HEAD_ROWS, TAIL_ROWS, context);
}

/** The end of the text that the model is writing into the call. */
function draftRows(tool: ToolView, width: number, theme: Theme, rewound: boolean): string[] {
  const { draft } = tool;
  if (!draft || cleanLine(draft.tail) === cleanLine(tool.target)) return [];
  const key = draft.path.slice(draft.path.lastIndexOf(".") + 1);
  const isOld = /^(?:old|remove)/i.test(key);
  const style = rewound
    ? theme.dim
    : isOld
      ? theme.removed
      : /^(?:new|content|added)/i.test(key)
        ? theme.added
        : theme.dim;
  const sign = isOld ? "- " : /^new/i.test(key) ? "+ " : "";
  return tailRows(draft.tail, width - sign.length).map((row) => style(sign + row));
}

function tailRows(text: string, width: number): string[] {
  // Only what can be seen is looked at, however much has been printed.
  const lines = clean(text.slice(-LIVE_ROWS * 400))
    .trimEnd()
    .split("\n")
    .slice(-LIVE_ROWS);
  const rows = lines.flatMap((line) => wrapExact(line.trimEnd(), width));
  return rows.length === 1 && rows[0] === "" ? [] : [...tail(rows, LIVE_ROWS)];
}

function shorten(rows: readonly string[], head: number, end: number, { theme, keys }: RowContext): string[] {
  if (rows.length <= head + end + 1) return [...rows];
  const missing = rows.length - head - end;
  return [
    ...rows.slice(0, head),
    theme.dim(`… ${missing} more lines${keys.expand === "" ? "" : ` · ${keys.expand}`}`),
    ...rows.slice(rows.length - end),
  ];
}

/** @returns what Ctrl+O shows of it, where `toolRows` leaves something out */
export function fullText(tool: ToolView): string | undefined {
  const { result } = tool;
  if (!result || tool.denied) return undefined;
  const text = result.diff ?? result.text;
  const limit = result.diff === undefined ? HEAD_ROWS + TAIL_ROWS + 1 : DIFF_ROWS + 1;
  if (COUNT_ONLY.has(tool.name)) return text.trim() === "" ? undefined : result.text;
  return text.trimEnd().split("\n").length > limit ? text : undefined;
}
