/** Front matter that is no YAML, read key by key the way its author meant it. */
import type { RuleDiagnostic } from "../capability/rule.js";
import { parseYaml } from "../platform/yaml.js";
import { KEY_LINE } from "./fences.js";
import { KNOWN_KEYS } from "./keys.js";
import { splitList, unquote } from "./lists.js";

export interface Entry {
  value: unknown;
  /** 1-based line of the key, and of each entry where the value is a list. */
  line: number;
  itemLines?: number[];
}

/** A key whose colon is none to YAML: an equals sign, a full-width colon, or no plain blank behind it. */
const SLIPPED_KEY = /^([A-Za-z_][\w.-]*)[ \t\u00a0]*(?:[:\uff1a]|=)[ \t\u00a0\u3000]*((?:.*[^ \t])?)[ \t]*$/;

interface Chunk {
  key: string;
  line: number;
  /** What stands behind the colon. */
  inline: string;
  /** Lines below the key, with their indentation. */
  below: string[];
}

/**
 * @param lines the lines between the fences
 * @param firstLine 1-based line of the file of `lines[0]`
 * @returns one entry a key; every repair is a warning with file, line and key
 */
export function readLenient(
  lines: readonly string[],
  firstLine: number,
  path: string,
): { entries: Map<string, Entry>; diagnostics: RuleDiagnostic[] } {
  const diagnostics: RuleDiagnostic[] = [];
  const warn = (line: number, code: string, message: string, suggestion?: string): void => {
    diagnostics.push({
      severity: "warning",
      code,
      message,
      path,
      line,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  };
  const entries = new Map<string, Entry>();
  const stray = (line: number, text: string): void =>
    warn(line, "unreadable-line", `This line of the front matter belongs to no key and was left out: "${text}".`);
  const slip = (line: number, key: string): void => {
    const message = `"${key}" was read as a key, though YAML wants a colon and a plain blank behind it.`;
    warn(line, "repaired", message, `Write "${key}: …".`);
  };
  for (const chunk of chunksIn(lines, firstLine, stray, slip)) {
    if (entries.has(chunk.key))
      warn(chunk.line, "duplicate-key", `The key "${chunk.key}" stands twice; this one counts.`);
    entries.set(chunk.key, readChunk(chunk, warn));
  }
  return { entries, diagnostics };
}

function chunksIn(
  lines: readonly string[],
  firstLine: number,
  stray: (line: number, text: string) => void,
  slip: (line: number, key: string) => void,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [index, line] of lines.entries()) {
    const [, key, inline] = KEY_LINE.exec(line) ?? slippedKey(line);
    if (key !== undefined && !KEY_LINE.test(line)) slip(firstLine + index, key);
    const last = chunks.at(-1);
    if (key !== undefined) chunks.push({ key, line: firstLine + index, inline: inline ?? "", below: [] });
    else if (last) last.below.push(line);
    else if (line.trim() !== "" && !line.startsWith("#")) stray(firstLine + index, line.trim().slice(0, 60));
  }
  return chunks;
}

function slippedKey(line: string): string[] {
  const found = SLIPPED_KEY.exec(line);
  return found && KNOWN_KEYS.has(found[1] ?? "") ? found : [];
}

function readChunk(
  chunk: Chunk,
  warn: (line: number, code: string, message: string, suggestion?: string) => void,
): Entry {
  const { key, line, inline } = chunk;
  const tabbed = chunk.below.some((text) => /^[ ]*\t/.test(text));
  const below = chunk.below.map((text) => text.replace(/^[ \t]+/, (blanks) => blanks.replaceAll("\t", "  ")));
  const strict = parseYaml([`${key}: ${inline}`, ...below].join("\n"), line);
  if (strict.problems.length === 0 && isRecord(strict.value) && Object.keys(strict.value).join() === key) {
    if (tabbed)
      warn(
        line,
        "repaired",
        `"${key}" is indented with tabs, which YAML forbids; they were read as spaces.`,
        "Indent with spaces.",
      );
    const value = strict.value[key];
    return {
      value,
      line,
      ...(Array.isArray(value) ? { itemLines: value.map((_, i) => strict.lineOf([key, i]) ?? line) } : {}),
    };
  }
  if (strict.problems[0]?.kind === "limit") {
    warn(line, "yaml-limit", `"${key}" was left out: ${strict.problems[0].message}.`);
    return { value: undefined, line };
  }
  const reason = strict.problems[0]?.message ?? "it is no single value";
  return repaired(chunk, below, (value, itemLines) => {
    warn(
      line,
      "repaired",
      `"${key}" is not valid YAML (${firstSentence(reason)}); read as ${shown(value)}.`,
      "Put the value in single quotes.",
    );
    return { value, line, ...(itemLines ? { itemLines } : {}) };
  });
}

function repaired(
  chunk: Chunk,
  below: readonly string[],
  made: (value: unknown, itemLines?: number[]) => Entry,
): Entry {
  const inline = withoutComment(chunk.inline);
  const rest = below.filter((text) => text.trim() !== "" && !text.trimStart().startsWith("#"));
  if (inline === "" && rest.length > 0 && rest.every((text) => /^\s*-(?:\s|$)/.test(text))) {
    const items: string[] = [];
    const itemLines: number[] = [];
    for (const [index, text] of below.entries()) {
      const [, item] = /^\s*-\s+(.*)$/.exec(text) ?? [];
      if (item === undefined) continue;
      items.push(unquote(withoutComment(item)));
      itemLines.push(chunk.line + 1 + index);
    }
    return made(items, itemLines);
  }
  // A mapping below a key cannot be guessed at.
  if (inline === "" && rest.length > 0 && rest.some((text) => KEY_LINE.test(text.trim()))) return made(undefined);
  if (/^[|>][+-]?\d?$/.test(inline)) return made(dedented(below));
  const flow = /^\[(.*)\]$/s.exec([inline, ...rest.map((text) => text.trim())].join(" "));
  if (flow && inline.startsWith("[")) {
    const items = splitList(flow[1] ?? "");
    return made(
      items,
      items.map(() => chunk.line),
    );
  }
  return made(unquoteWhole([inline, ...rest.map((text) => text.trim())].join(" ").trim()));
}

/** Takes the quotes off only where they belong together: `"text","thinking"` stays as it is, for the list that it is. */
function unquoteWhole(text: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(text) || /^'(?:[^']|'')*'$/s.test(text) ? unquote(text) : text;
}

/** YAML's comment: a `#` after a blank, outside quotes. */
function withoutComment(text: string): string {
  return /^["']/.test(text) ? text.replace(/(["'])\s+#[^"']*$/, "$1") : text.replace(/(?:^|\s)#.*$/, "").trimEnd();
}

function dedented(lines: readonly string[]): string {
  const margin = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  return `${lines
    .map((line) => line.slice(margin))
    .join("\n")
    .trimEnd()}\n`;
}

function firstSentence(message: string): string {
  const [first = message] = message.split(/(?<=[^.])(?:\.\s|\n)/);
  return first.replace(/\.$/, "").slice(0, 120);
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing: it could not be guessed";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
