/**
 * YAML as this program reads it, from files that nobody has vouched for: core schema (no dates, no octal, no merge keys, no code), with
 * the line of every value, and with limits that are checked before the parser sees the text. The parser recurses: a deep document
 * overflows the stack inside a regular expression, which ends the process where no `catch` helps (60,000 open brackets), and a chain of
 * explicit keys takes minutes (30,000 times `? `).
 */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
} from "yaml";
import { reasonOf } from "./errors.js";

const MAX_LINES = 2_000;
/** Open brackets at once, whatever stands in quotes. The parser holds 256 and more without harm. */
const MAX_BRACKETS = 256;
/** Columns of white space before a line's first character: block collections nest by column. */
const MAX_INDENT = 200;
/** `- - - x` on one line. */
const MAX_INDICATORS = 64;
const MAX_EXPLICIT_KEYS = 64;
/** How often one anchor's content may be used, all told. */
const MAX_ALIASES = 50;
const MAX_ALIAS_NODES = 100;

export interface YamlProblem {
  /** "limit": the text was built to cost much; reading it any other way is no use. */
  kind: "syntax" | "limit" | "duplicate-key";
  /** 1-based. */
  line: number;
  /** One sentence without the place. */
  message: string;
}

export interface YamlText {
  /** Plain data, aliases resolved; undefined where a problem of the kinds "syntax" and "limit" stood in the way. */
  value: unknown;
  /** A key that stands twice is a problem, but its last value is in `value`. */
  problems: YamlProblem[];
  /** @returns the 1-based line on which the value at this path starts (a key's line for `null`), or that of its nearest known parent */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/** @returns what a parser may take for more than text: what it costs goes with their number, and a little with that of all characters */
export function marksIn(text: string): number {
  let marks = text.length >> 5;
  for (let i = 0; i < text.length; i++) if (MARKS.has(text.charCodeAt(i))) marks++;
  // Each alias stands for what its anchor holds.
  return ANCHOR.test(text) ? marks * text.split("*").length : marks;
}

const ANCHOR = /(?:^|[\s,[{])&[^\s&]/;
const MARKS = new Set([...",:-[]{}?&*!|>'\"#%@`\n"].map((mark) => mark.charCodeAt(0)));

/** @returns the first limit that this text breaks */
function overLimit(lines: readonly string[]): YamlProblem | undefined {
  const limit = (index: number, message: string): YamlProblem => ({ kind: "limit", line: index + 1, message });
  if (lines.length > MAX_LINES) return limit(MAX_LINES, `more than ${MAX_LINES} lines`);
  let open = 0;
  let explicit = 0;
  for (const [index, line] of lines.entries()) {
    if (line.length - line.trimStart().length > MAX_INDENT)
      return limit(index, `indented by more than ${MAX_INDENT} columns`);
    let indicators = 0;
    for (let i = 0; i < line.length; i++) {
      const c = line[i];
      if (c === "[" || c === "{") {
        if (++open > MAX_BRACKETS) return limit(index, `nested deeper than ${MAX_BRACKETS} brackets`);
      } else if (c === "]" || c === "}") {
        open = Math.max(0, open - 1);
      } else if (
        (c === "-" || c === "?" || c === ":") &&
        isBlank(line[i + 1]) &&
        (i === 0 || c === ":" || isBlank(line[i - 1]))
      ) {
        if (c === "?" && ++explicit > MAX_EXPLICIT_KEYS)
          return limit(index, `more than ${MAX_EXPLICIT_KEYS} explicit keys ("? ")`);
        if (++indicators > MAX_INDICATORS)
          return limit(index, `more than ${MAX_INDICATORS} nested entries on one line`);
      }
    }
  }
  return undefined;
}

function isBlank(c: string | undefined): boolean {
  return c === undefined || c === " " || c === "\t";
}

/**
 * @param text without a byte order mark, lines ended by `\n`
 * @param firstLine the 1-based line of the file on which `text` starts
 */
export function parseYaml(text: string, firstLine = 1): YamlText {
  const failed = (problems: YamlProblem[]): YamlText => ({ value: undefined, problems, lineOf: () => undefined });
  const over = overLimit(text.split("\n"));
  if (over) return failed([{ ...over, line: over.line + firstLine - 1 }]);

  const counter = new LineCounter();
  const at = (offset: number): number => Math.max(1, counter.linePos(offset).line) + firstLine - 1;
  const problems: YamlProblem[] = [];
  try {
    const doc: Document.Parsed = parseDocument(text, {
      schema: "core",
      lineCounter: counter,
      prettyErrors: false,
      logLevel: "silent",
      // The parser would compare each key with all before it; see below.
      uniqueKeys: false,
    });
    for (const error of [...doc.errors, ...doc.warnings]) {
      const kind = error.code === "RESOURCE_EXHAUSTION" ? "limit" : "syntax";
      problems.push({ kind, line: at(error.pos[0]), message: reasonOf(error) });
    }
    let aliases = 0;
    // `*.ts` is an alias to YAML; told here, with its line, and not by the conversion below.
    visit(doc, {
      Map(_, map) {
        const known = new Set<unknown>();
        for (const { key } of map.items) {
          if (!isScalar(key)) continue;
          if (known.has(key.value))
            problems.push({ kind: "duplicate-key", line: at(key.range?.[0] ?? 0), message: "Map keys must be unique" });
          known.add(key.value);
        }
      },
      Alias(_, alias, path) {
        // Each look-up walks the document.
        if (++aliases > MAX_ALIAS_NODES) {
          problems.push({
            kind: "limit",
            line: at(alias.range?.[0] ?? 0),
            message: `more than ${MAX_ALIAS_NODES} aliases`,
          });
          return visit.BREAK;
        }
        const meant = alias.resolve(doc);
        if (meant !== undefined && path.includes(meant)) {
          // Whoever walks through such a value never comes to its end.
          problems.push({
            kind: "limit",
            line: at(alias.range?.[0] ?? 0),
            message: `the alias "*${alias.source}" stands within what it means`,
          });
          return visit.BREAK;
        }
        if (meant !== undefined) return undefined;
        problems.push({
          kind: "syntax",
          line: at(alias.range?.[0] ?? 0),
          message: `"*${alias.source}" is an alias, and nothing has that name`,
        });
        return undefined;
      },
    });
    if (problems.some((problem) => problem.kind !== "duplicate-key")) return failed(problems);
    const value: unknown = doc.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, problems, lineOf: (path) => lineIn(doc.contents, path, at) };
  } catch (error) {
    // The alias cap throws a ReferenceError, an overflowing stack a RangeError: both only happen to texts that want them.
    const aliases = error instanceof ReferenceError && /alias/i.test(error.message);
    const message = aliases ? "its aliases stand for more than they may" : reasonOf(error);
    return failed([{ kind: "limit", line: firstLine, message }]);
  }
}

function lineIn(
  root: ParsedNode | null,
  path: readonly (string | number)[],
  at: (offset: number) => number,
): number | undefined {
  let node: unknown = root;
  let line: number | undefined = isNode(root) && root.range ? at(root.range[0]) : undefined;
  for (const step of path) {
    if (isAlias(node)) return line;
    let next: unknown;
    if (isMap(node)) {
      // The last of two equal keys is the one whose value counts.
      const pair = node.items.findLast(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (pair && isScalar(pair.key) && pair.key.range) line = at(pair.key.range[0]);
      next = pair?.value;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (isNode(next) && next.range) line = at(next.range[0]);
    }
    if (next === undefined) return line;
    node = next;
  }
  return line;
}
