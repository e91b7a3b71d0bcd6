/**
 * What a command line does to files, told from its text. Best effort: a command may build a name out of pieces (`'.g''it'` is seen, `'.g'+'it'`
 * in a script is not), get it from a variable or a file, or reach a file without naming it (`find . -delete`, `git checkout .`).
 */
import { homedir } from "node:os";
import { foldPath } from "../platform/paths.js";
import { isProtectedName, mayMeanProtected, type ProtectedFolders } from "./protected-paths.js";

/** Programs that write to the files they are given; `sed` and `perl` only with `-i`. */
const WRITERS =
  /(?:^|[\s;&|(/`])(?:tee|cp|mv|rm|rmdir|unlink|shred|ln|install|truncate|chmod|chown|dd|touch|mkdir|rsync|curl|wget|patch|tar|unzip|(?:sed|perl)(?=.*?\s-(?:[a-zA-Z]*i|-in-place)))(?=\s|$)/;
/** Programs that only look at the files they are given, as long as no option of theirs is in `UNLESS`. */
const READERS = new Set(
  "cat ls grep egrep fgrep rg head tail less more wc stat file find diff cmp git echo printf cd pushd popd pwd test [ tree du sort cut jq sed nl tac od xxd hexdump md5sum sha1sum sha256sum basename dirname realpath readlink which type true false :".split(
    " ",
  ),
);
const UNLESS: Readonly<Record<string, RegExp>> = {
  find: /\s-(?:delete|exec(?:dir)?|ok(?:dir)?|fprint\w*|fls)\b/,
  sed: /\s-(?:[a-zA-Z]*i|-in-place)|\bw\s/,
  sort: /\s(?:-\w*o|--output)/,
  tree: /\s-o/,
  rg: /\s--pre\b/,
  git: /\s--output\b/,
  xxd: /\s-r/,
};
/** Of git: what changes nothing but the index and the history. `-c` and other words before it may make it run anything. */
const GIT_READS =
  /^git\s+(?:--no-pager\s+)?(?:status|log|show|diff|blame|grep|ls-files|ls-tree|rev-parse|rev-list|describe|cat-file|shortlog|check-ignore|add|commit)\b/;
/** Words in front of a program that change nothing about what it does to files. */
const LEADS = /^(?:(?:sudo|command|builtin|nohup|time|nice|xargs|then|do|else|if|while|until|!|\w+=\S*)\s+)+/;
/** A redirection to nowhere or from one descriptor to another writes nothing. */
const HARMLESS = /(?:\d|&)?>>?\s*(?:\/dev\/(?:null|stdout|stderr|tty)\b|&[\d-]+)/g;
/** What is left out is not written. */
const EXCLUDES = /\s--exclude(?:-dir)?[=\s]\S+/g;
const TARGET = />>?\|?\s*([^\s;&|<>()`]+)/g;
const MOVES = /(?:^|[\s;&|(`])(?:cd|pushd)\s+(?:--\s+|-\w+\s+)*([^\s;&|<>()`]+)/g;
/** A name in a path; what stands behind a bracket is a member of a value in a script. */
const NAME = /(?<![)\]])[\w.~%+@*?\u0080-\uffff-]+/g;

/** @returns the protected name that the command may write to: one that a redirection writes, or that stands in anything but plain reading */
export function protectedInCommand(command: string, folders: ProtectedFolders): string | undefined {
  const quoted = command.replaceAll(HARMLESS, " ").replaceAll(EXCLUDES, " ");
  const text = unquoted(quoted);
  const named = protectedIn(text, folders);
  if (named === undefined || !isReading(quoted)) return named;
  const targets = captured(text, TARGET);
  const written = targets.map((target) => protectedIn(target, folders)).find((name) => name !== undefined);
  if (written !== undefined || targets.length === 0) return written;
  return captured(text, MOVES)
    .map((folder) => protectedIn(folder, folders))
    .find((name) => name !== undefined);
}

/** @returns every word of the command that may name a file */
export function namedInCommand(command: string): string[] {
  return unquoted(command)
    .split(/[\s;&|<>()`=,:{}]+/)
    .filter((word) => word !== "" && !word.startsWith("-"));
}

/** @returns the words of the command that name what it is seen to write: targets of redirections, files given to programs that write */
export function writtenInCommand(command: string): string[] {
  const text = unquoted(command.replaceAll(HARMLESS, " ").replaceAll(EXCLUDES, " "));
  return WRITERS.test(text) ? namedInCommand(text) : captured(text, TARGET);
}

function unquoted(text: string): string {
  return text.replaceAll(/\\\r?\n/g, "").replaceAll(/["'\\]/g, "");
}

function captured(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? "");
}

/** @returns the first name in a text without quotes that is protected, or that leads into this program's own folders */
function protectedIn(text: string, folders: ProtectedFolders): string | undefined {
  for (const [name] of text.matchAll(NAME)) {
    // A star alone leaves out hidden files.
    if (isProtectedName(name) || (/^\..*[*?]/.test(name) && mayMeanProtected(name))) return name;
  }
  const folded = foldPath(text);
  const own = [folders.config, folders.state].flatMap((folder) => [folder, ...fromHome(folder)]);
  const variable = /TTSR_AGENT_(?:HOME|STATE)|XDG_(?:CONFIG|STATE)_HOME\}?\/ttsr-agent/.exec(text)?.[0];
  return own.find((folder) => folded.includes(foldPath(folder))) ?? variable;
}

function fromHome(folder: string): string[] {
  const home = homedir();
  if (!folder.startsWith(`${home}/`)) return [];
  const below = folder.slice(home.length);
  return [`~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}

/** @returns whether every command in the line, as far as it can be told, only reads what it names */
function isReading(command: string): boolean {
  return partsOf(command).every((part) => {
    const plain = unquoted(part)
      .replaceAll(/[<>].*/g, "")
      .trim()
      .replace(LEADS, "");
    if (plain === "") return true;
    const program = plain.split(/\s/, 1)[0] ?? "";
    if (!READERS.has(program) || UNLESS[program]?.test(plain) === true) return false;
    return program !== "git" || GIT_READS.test(plain);
  });
}

/** Splits at the signs that begin another command; in quotes only a substitution does. */
function partsOf(command: string): string[] {
  const parts = [""];
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const c = command[at] ?? "";
    const substitution = c === "`" || (c === "$" && command[at + 1] === "(");
    if (quote === "'" ? false : substitution) {
      parts.push("");
      quote = "";
      if (c === "$") at++;
    } else if (quote === "" && ";&|\n\r()`".includes(c)) {
      parts.push("");
    } else {
      if (c === "\\" && quote !== "'") parts[parts.length - 1] += c + (command[++at] ?? "");
      else parts[parts.length - 1] += c;
      if (c === quote) quote = "";
      else if (quote === "" && (c === '"' || c === "'")) quote = c;
    }
  }
  return parts;
}
