/**
 * Front matter, first as strict YAML through gray-matter, then, if that fails, key by key. gray-matter runs JavaScript for `---js` unless
 * every engine is replaced, and without options it caches: a second parse of broken YAML gives `{}`.
 */
import matter from "gray-matter";
import { ReadingRoom } from "../capability/reading-room.js";
import type { RuleDiagnostic } from "../capability/rule.js";
import { reasonOf } from "../platform/errors.js";
import { marksIn, parseYaml, type YamlText } from "../platform/yaml.js";
import { findFences, findSecondBlock } from "./fences.js";
import { type Entry, readLenient } from "./lenient.js";

export interface FrontMatter {
  /** The keys as written. */
  entries: Map<string, Entry>;
  /** What stands below the front matter, without blank lines at its ends. */
  body: string;
  /** The lines of the file, for messages about how something was written. */
  lines: readonly string[];
  diagnostics: RuleDiagnostic[];
  /** One sentence: why nothing of this file may be used. */
  refused?: string;
}

/**
 * @param text lines ended by `\n`, no byte order mark
 * @param path for the diagnostics
 * @param reading shared with the files that are read with it
 */
export function parseFrontMatter(text: string, path: string, reading = new ReadingRoom()): FrontMatter {
  const lines = text.split("\n");
  const fences = findFences(lines);
  if (fences.kind === "none") return { entries: new Map(), body: text.trim(), lines, diagnostics: [] };
  if (fences.kind === "refused") return refusal(lines, fences.line, fences.message, path);

  const diagnostics: RuleDiagnostic[] = [];
  if (!fences.closed) {
    diagnostics.push({
      severity: "warning",
      code: "no-end-fence",
      message: `The front matter has no closing "---"; it was taken to end with line ${fences.end}.`,
      path,
      line: fences.end,
      suggestion: `Add a line "---" after line ${fences.end}.`,
    });
  }
  const first = readBlock(lines.slice(1, fences.end), 2, path, reading);
  if ("refused" in first) return refusal(lines, first.line, first.refused, path);
  diagnostics.push(...first.diagnostics);
  const entries = first.entries;

  let body = fences.body;
  const second = fences.closed ? findSecondBlock(lines, fences.body) : undefined;
  if (second) {
    const more = readBlock(lines.slice(second.start, second.end), second.start + 1, path, reading);
    if ("refused" in more) return refusal(lines, more.line, more.refused, path);
    diagnostics.push(...more.diagnostics);
    for (const [key, entry] of more.entries)
      if (!entries.has(key) || isEmpty(entries.get(key))) entries.set(key, entry);
    diagnostics.push({
      severity: "warning",
      code: "two-blocks",
      message:
        "There are two blocks of front matter; they were read as one, and where both have a key the first one counts.",
      path,
      line: second.start,
    });
    body = second.end + 1;
  }
  return { entries, body: lines.slice(body).join("\n").trim(), lines, diagnostics };
}

function isEmpty(entry: Entry | undefined): boolean {
  return entry === undefined || entry.value === null || entry.value === undefined || entry.value === "";
}

type Block = { entries: Map<string, Entry>; diagnostics: RuleDiagnostic[] } | { refused: string; line: number };

const NO_ROOM =
  "There is more front matter in all rules together than is read, so this file was left out; make it shorter.";
/** What it takes to read one key on its own. */
const MARKS_A_KEY = 10;

function readBlock(lines: readonly string[], firstLine: number, path: string, reading: ReadingRoom): Block {
  const marks = marksIn(lines.join("\n"));
  if (!reading.takes(marks)) return { refused: NO_ROOM, line: firstLine };
  const strict = readStrict(lines, firstLine);
  const limit = strict.problems.find((problem) => problem.kind === "limit");
  if (limit)
    return {
      refused: `The front matter is built too deep or too large to be read (${limit.message}).`,
      line: limit.line,
    };
  if (!strict.data) {
    if (!reading.takes(marks + MARKS_A_KEY * lines.length)) return { refused: NO_ROOM, line: firstLine };
    return readLenient(lines, firstLine, path);
  }
  const { lineOf } = strict;
  const entries = new Map<string, Entry>();
  // Object.entries sees own keys only, and the map has no prototype to change: `__proto__` is an unknown key like any other.
  for (const [key, value] of Object.entries(strict.data)) {
    const line = lineOf([key]) ?? firstLine;
    entries.set(key, {
      value,
      line,
      ...(Array.isArray(value) ? { itemLines: value.map((_, i) => lineOf([key, i]) ?? line) } : {}),
    });
  }
  const diagnostics = strict.problems.map((problem): RuleDiagnostic => {
    const key = /^([^\s:]+)[ \t]*:/.exec(lines[problem.line - firstLine] ?? "")?.[1] ?? "";
    return {
      severity: "warning",
      code: "duplicate-key",
      message: `The key "${key}" stands twice; this one counts.`,
      path,
      line: problem.line,
    };
  });
  return { entries, diagnostics };
}

type Strict = Pick<YamlText, "problems" | "lineOf"> & { data: Record<string, unknown> | undefined };

/** `data` is undefined where the block is not exactly one YAML mapping. */
function readStrict(lines: readonly string[], firstLine: number): Strict {
  const source = lines.join("\n");
  const read: { yaml: YamlText } = { yaml: { value: undefined, problems: [], lineOf: () => undefined } };
  const engines = {
    ...refusingEngines(),
    yaml: {
      parse(block: string): object {
        // gray-matter hands over the block with the line end behind the opening fence.
        read.yaml = parseYaml(block.replace(/^\n/, ""), firstLine);
        const { value } = read.yaml;
        return typeof value === "object" && value !== null && !Array.isArray(value) ? value : [];
      },
      stringify: refuse,
    },
  };
  try {
    const file = matter(`---\n${source}\n---\n`, { engines, language: "yaml", delimiters: "---" });
    const { problems, lineOf } = read.yaml;
    const whole = file.matter.replace(/^\n/, "") === source;
    const data: unknown = file.data;
    const usable = whole && !Array.isArray(data) && typeof data === "object" && data !== null;
    return { problems, lineOf, data: usable ? (data as Record<string, unknown>) : undefined };
  } catch (error) {
    return {
      problems: [{ kind: "syntax", line: firstLine, message: reasonOf(error) }],
      lineOf: () => undefined,
      data: undefined,
    };
  }
}

function refuse(): never {
  throw new Error("Front matter is YAML; no other engine is run.");
}

/** Every engine that gray-matter brings or knows by another name, made to throw. */
function refusingEngines(): Record<string, { parse: () => never; stringify: () => never }> {
  const known: object = Reflect.get(matter, "engines");
  const names = [...Object.keys(known), "javascript", "js", "json", "coffee", "coffeescript", "cson", "toml", "yml"];
  return Object.fromEntries(names.map((name) => [name, { parse: refuse, stringify: refuse }]));
}

function refusal(lines: readonly string[], line: number, message: string, path: string): FrontMatter {
  return {
    entries: new Map(),
    body: "",
    lines,
    refused: message,
    diagnostics: [{ severity: "error", code: "front-matter", message, path, line }],
  };
}
