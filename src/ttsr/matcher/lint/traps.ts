/** Patterns that compile and mean something else than they seem to: habits from other languages, from YAML, and from globs. */
import type { ParsedSource } from "../source.js";
import type { DiagnosticCode } from "../types.js";
import type { Finding } from "./finding.js";

interface Trap {
  readonly code: DiagnosticCode;
  readonly find: RegExp;
  readonly message: string;
  readonly suggestion: string;
}

/** Looked for in the pattern's source, flags taken off. Each expression is linear. */
const TRAPS: readonly Trap[] = [
  {
    code: "p-without-u",
    find: /(?<=(?:^|[^\\])(?:\\\\)*)\\[pP][{CLMNPSZ]/,
    message: "\\p needs the flag u, which rules do not have, so this matches the plain letters.",
    suggestion: "Write the characters as a class, for example [A-Za-z\\u00C0-\\u024F].",
  },
  {
    code: "p-without-u",
    find: /(?<=(?:^|[^\\])(?:\\\\)*)\\u\{/,
    message: "\\u{…} needs the flag u, which rules do not have, so this is a plain u and what follows it.",
    suggestion: "Write four digits without braces, as in \\u00E9, or the character itself.",
  },
  {
    code: "posix-class",
    find: /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/,
    message:
      "A POSIX class such as [:space:] does not exist in JavaScript, so this matches single letters and a bracket.",
    suggestion: "Use \\s, \\d, \\w or a class such as [A-Za-z].",
  },
  {
    code: "foreign-anchor",
    find: /(?<=(?:^|[^\\])(?:\\\\)*)\\[AZz]/,
    message: "\\A, \\Z and \\z are plain letters in JavaScript, no anchors.",
    suggestion: "Use ^ and $ (whole text), or (?m) with them for lines.",
  },
  {
    code: "doubled-backslash",
    find: /(?<!\\)\\\\(?:[bBsSdDwW.](?!\\)|\([^()]*\\\\\)|\[[^[\]]*\\\\\]|\{[^{}]*\\\\\})/,
    message: "Two backslashes match a backslash in the text, so what stands behind them loses its meaning.",
    suggestion: "Write one backslash, and put the pattern into single quotes.",
  },
  {
    code: "literal-slashes",
    find: /^\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[dgimsuvy]*$/,
    message: "The slashes around the pattern are taken as part of it, so it fires only on a text that has them.",
    suggestion: "Write the pattern without them; flags go in front as (?ims).",
  },
  {
    code: "glob-like",
    find: /^(?:(?:[\w.-]+\/)*(?:\*\*\/)?[\w.-]*\*(?:\.[A-Za-z0-9]{1,8}){1,3}|(?=[^*]*[\w.-]\/\*)[\w.-]+(?:\/[\w.*-]*)+)$/,
    message: "This looks like a file glob, but a trigger is a regular expression on text.",
    suggestion: "Put file patterns under `globs`.",
  },
  {
    code: "curly-quotes",
    find: /^[\u2018\u201c\u201e\u00ab].*[\u2019\u201d\u00bb\u201c]$/,
    message: "The curly quotes around the pattern are no quotes to YAML, so it fires only on a text that has them.",
    suggestion: "Write straight single quotes (').",
  },
  {
    code: "open-count",
    find: /(?<=[^\\{])\{(?:,\d+|\s+\d+\s*|\d+\s*,?\s+\d*\s*)\}/,
    message: "A count needs its first number, and no blanks; as it stands the braces are plain characters.",
    suggestion: "Write {0,3} for up to three times.",
  },
  {
    code: "class-operator",
    find: /\[[^\]]*(?:&&|--)\[/,
    message: "Classes cannot be cut or subtracted from here, so this matches single letters and a bracket.",
    suggestion: "Write a look-ahead in front of the class, as in (?![aeiou])[a-z].",
  },
  {
    code: "backspace",
    find: /\[\\b\]/,
    message: "In a class \\b is a backspace, which no text has; the edge of a word has no place in a class.",
    suggestion: "Write \\b without the brackets.",
  },
  {
    code: "json-key",
    find: /"(?:command|file_path|old_str(?:ing)?|new_str(?:ing)?)\\?"(?:\\s[*+]\??| )?:/,
    message: "This looks for a call as it stands in JSON, but a rule sees the value itself, such as the command.",
    suggestion: "Match the value alone, and name the argument in the scope, as in tool:bash.command.",
  },
];

export function lintTraps(pattern: string, { source, offset }: ParsedSource): Finding[] {
  const found: Finding[] = [];
  if (pattern.length > LONGEST) return found;
  for (const { code, find, message, suggestion } of TRAPS) {
    const match = find.exec(source);
    if (!match) continue;
    const start = offset + match.index;
    found.push({ code, severity: "warning", message, span: { start, end: start + match[0].length }, suggestion });
  }
  return found;
}

/** Nobody writes longer ones by hand. */
const LONGEST = 4096;
