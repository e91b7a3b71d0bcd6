/** What the author of a trigger should know: patterns that compile and mean something else than they seem to. */
import type { ParsedSource } from "./source.js";
import type { Diagnostic, DiagnosticCode } from "./types.js";

type Finding = Omit<Diagnostic, "ruleId" | "index">;

interface Trap {
  code: DiagnosticCode;
  find: RegExp;
  message: string;
  suggestion: string;
}

/** Looked for in the pattern's source, flags taken off. */
const TRAPS: readonly Trap[] = [
  {
    code: "p-without-u",
    find: /(?<!\\)(?:\\\\)*\\[pP]\{/,
    message: '\\p{…} needs the flag u, which rules do not have; it matches the literal text "p{".',
    suggestion: "Write the characters as a class, for example [A-Za-z\\u00C0-\\u024F].",
  },
  {
    code: "posix-class",
    find: /\[\[:[a-z]+:\]/,
    message: "POSIX classes do not exist in ECMAScript; this matches single letters and a bracket.",
    suggestion: "Use \\s, \\d, \\w or a class such as [A-Za-z].",
  },
  {
    code: "foreign-anchor",
    find: /(?<!\\)(?:\\\\)*\\[AZz]/,
    message: "\\A, \\Z and \\z are letters in ECMAScript, not anchors.",
    suggestion: "Use ^ and $ (whole text), or (?m) with them for lines.",
  },
  {
    code: "doubled-backslash",
    find: /\\\\[bBsSdDwW.(){}[\]](?!\\)/,
    message: "A doubled backslash matches a backslash itself; the class or anchor behind it is lost.",
    suggestion: "Write one backslash, and put the pattern into single quotes.",
  },
  {
    code: "literal-slashes",
    find: /^\/.+\/[a-z]*$/,
    message: "The slashes around the pattern are taken literally.",
    suggestion: "Write the pattern without them; flags go in front as (?ims).",
  },
  {
    code: "glob-like",
    find: /^(?:[\w.-]+\/)*(?:\*\*\/)?[\w.-]*\*\.[A-Za-z0-9]{1,5}$/,
    message: "This looks like a file glob, but a trigger is a regular expression on text.",
    suggestion: "Put file patterns under `globs`.",
  },
];

/** Unlike enough that whatever matches each of them, on its own, matches nearly any text. */
const PROBES = ["a", "Z", "0", " ", "-", "\u00E9", "}"];

/**
 * @param holdsAtOnce whether the settled form holds on the empty text
 * @param original the pattern as it is run on whole texts
 */
export function lint(pattern: string, parsed: ParsedSource, holdsAtOnce: boolean, original: RegExp): Finding[] {
  const findings: Finding[] = [];
  const whole = { start: 0, end: pattern.length };
  const holds = (text: string): boolean => {
    original.lastIndex = 0;
    return original.test(text);
  };
  const everything = PROBES.every(holds);
  if (holdsAtOnce || (everything && holds(""))) {
    findings.push({
      code: "matches-empty",
      severity: "error",
      message: "This trigger matches the empty string, so it would fire on every stream.",
      span: whole,
    });
  } else if (everything) {
    findings.push({
      code: "matches-everything",
      severity: "warning",
      message: "This trigger matches nearly any text.",
      span: whole,
    });
  } else if (holds("")) {
    findings.push({
      code: "matches-empty",
      severity: "warning",
      message: "This trigger fires on a text that ends empty.",
      span: whole,
    });
  }
  for (const trap of TRAPS) {
    const found = trap.find.exec(parsed.source);
    if (!found) continue;
    const start = parsed.offset + found.index;
    const span = { start, end: start + found[0].length };
    findings.push({ code: trap.code, severity: "warning", message: trap.message, span, suggestion: trap.suggestion });
  }
  return findings;
}
