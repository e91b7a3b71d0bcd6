/** The scope of a rule: which lanes it watches (TTSR-3.1). */
import { onlyDetects, type Rule } from "../capability/rule.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { compileWildcard } from "../platform/wildcard.js";
import { whyDead } from "./dead-scope.js";
import { compileGlobs, type PathTest, splitList } from "./globs.js";

/** One `tool…` token. */
export interface ToolScope {
  /** Matches `name` or `name.argument`; undefined: every tool. */
  names?: (name: string) => boolean;
  /** What a name must begin with; `whole`: and end with. */
  head?: { text: string; whole: boolean };
  /** The token's name without wildcards names a tool, so what is exempt by default is watched too. */
  explicit: boolean;
  /** Names the removed lines of an edit. */
  removed: boolean;
  path?: PathTest;
}

export interface Scope {
  text: boolean;
  thinking: boolean;
  tools: ToolScope[];
}

export interface ScopeProblem {
  token: string;
  message: string;
  suggestion?: string;
}

/** The tools that a bare word may name. Others are written `tool:<name>`. */
const KNOWN_TOOLS: readonly string[] = [
  "read",
  "write",
  "edit",
  "bash",
  "bash_jobs",
  "grep",
  "glob",
  "ls",
  "fetch",
  "todo",
  "ask",
  "task",
];

const OTHER_WORDS: Readonly<Record<string, string>> = {
  prose: "text",
  assistant: "text",
  message: "text",
  answer: "text",
  response: "text",
  reply: "text",
  output: "text",
  reasoning: "thinking",
  thought: "thinking",
  thoughts: "thinking",
  think: "thinking",
  tools: "tool",
  shell: "bash",
  tool_call: "toolcall",
};

const TOKEN = /^([A-Za-z_][\w-]*)(?:\s*:\s*([\w*.\-:/]+))?(?:\s*\(([\s\S]*)\))?$/;

/**
 * @param tokens as written; each may be a list with commas outside brackets. None: the default, `text` and `tool`.
 * @param below as for `compileGlobs`
 * @returns the scope of the tokens that are right, and what is wrong with the others
 */
export function parseScope(
  tokens: readonly string[],
  knownTools: readonly string[] = KNOWN_TOOLS,
  below = "",
): { scope: Scope; problems: ScopeProblem[] } {
  const scope: Scope = { text: false, thinking: false, tools: [] };
  const problems: ScopeProblem[] = [];
  const words = tokens.flatMap(splitList);
  for (const word of words.length === 0 ? ["text", "tool"] : words) {
    const problem = readToken(word, knownTools, scope, below);
    if (problem) problems.push(problem);
  }
  return { scope, problems };
}

/**
 * The scope of a rule. What only `detect` could find in a call is not looked for: a call is never cut for repeating itself (C36), since it
 * may be data, and cutting it drops the whole of it.
 */
export function scopeOf(
  rule: Rule,
  knownTools?: readonly string[],
): { scope: Scope; problems: ScopeProblem[]; toolsLeftOut: boolean } {
  const { scope, problems } = parseScope(rule.scope, knownTools, rule.below);
  if (!onlyDetects(rule)) return { scope, problems, toolsLeftOut: false };
  return { scope: { ...scope, tools: [] }, problems, toolsLeftOut: rule.scope.length > 0 && scope.tools.length > 0 };
}

/** @returns the scope as it is told */
export function scopeWords(rule: Rule): string {
  return rule.scope.join(", ") || (onlyDetects(rule) ? "text" : "text, tool");
}

/** @returns whether a token of a scope is one of our tools by its name alone, as `edit` or `edit(*.ts)` */
export function isBareTool(token: string): boolean {
  const [, word = "", name] = TOKEN.exec(token) ?? [];
  return name === undefined && KNOWN_TOOLS.includes(word);
}

function readToken(
  token: string,
  knownTools: readonly string[],
  scope: Scope,
  below: string,
): ScopeProblem | undefined {
  const parts = TOKEN.exec(token);
  const globs = parts?.[3];
  if (!parts || (globs !== undefined && !balanced(globs))) return unreadable(token, knownTools);
  const [, word = "", name] = parts;
  if (word === "text" || word === "thinking") {
    if (name === undefined && globs === undefined) scope[word] = true;
    else
      return { token, message: `The scope "${token}" cannot be: ${word} has no tool and no file.`, suggestion: word };
    return undefined;
  }
  const toolName = word === "tool" || word === "toolcall" ? name : word;
  if (toolName === word && (!knownTools.includes(word) || name !== undefined)) return unknown(token, word, knownTools);
  const dead = whyDead(toolName, globs !== undefined);
  if (dead)
    return { token, message: `The scope "${token}" never fires: ${dead.message}.`, suggestion: dead.suggestion };
  scope.tools.push(toolScope(toolName, globs, below));
  return undefined;
}

/** @returns what is wrong with a token that has not the form of one, and what it was probably meant to be */
function unreadable(token: string, knownTools: readonly string[]): ScopeProblem {
  const message = `The scope "${token}" cannot be read.`;
  const [, word = ""] = /^([A-Za-z_]\w*)[.:]/.exec(token) ?? [];
  if (/^\*+$/.test(token)) return { token, message, suggestion: EVERYTHING };
  if (!balanced(token)) return { token, message, suggestion: "Close its parenthesis." };
  if (knownTools.includes(word)) return { token, message, suggestion: `Did you mean "tool:${token}"?` };
  if (/^[\w:.*-]+(?:\s+[\w:.*-]+)+$/.test(token)) return { token, message, suggestion: "Put commas between them." };
  if (/[*/.]/.test(token))
    return { token, message, suggestion: "Files stand under `globs`, or as in tool:edit(*.ts)." };
  return { token, message, suggestion: "It is made of text, thinking, tool and tool:<name>, with commas between." };
}

const EVERYTHING = "Leave it out to watch text and tools.";

function unknown(token: string, word: string, knownTools: readonly string[]): ScopeProblem {
  if (/^(?:all|any|both|everything|every|always)$/i.test(word)) {
    return { token, message: `The scope "${token}" is not known.`, suggestion: EVERYTHING };
  }
  const known = ["text", "thinking", "tool", "toolcall", ...knownTools];
  const near = OTHER_WORDS[word.toLowerCase()] ?? didYouMean(word, known);
  const message = `The scope "${token}" is not known; a tool of that name is written "tool:${word}".`;
  return near === undefined ? { token, message } : { token, message, suggestion: `Did you mean "${near}"?` };
}

function toolScope(name: string | undefined, globs: string | undefined, below: string): ToolScope {
  const patterns = globs === undefined ? [] : splitList(globs);
  return {
    ...(name === undefined
      ? {}
      : { names: compileWildcard(name), head: { text: name.split("*")[0] ?? "", whole: !name.includes("*") } }),
    explicit: name !== undefined && /[^*]/.test(name),
    removed: name?.endsWith(".removed") ?? false,
    ...(patterns.length === 0 ? {} : { path: compileGlobs(patterns, below) }),
  };
}

/** A dot may belong to the name or divide it from the argument, so both readings are tried. @returns whether the token names this lane: its tool, or its tool with the argument or a part of its dotted path */
export function namesLane(tool: ToolScope, toolName: string, argument: string | undefined, removed: boolean): boolean {
  if (removed && !tool.removed) return false;
  if (!tool.names || tool.names(toolName)) return true;
  let name = toolName;
  for (const part of argument === undefined ? [] : argument.split(".")) {
    name += `.${part}`;
    if (tool.names(name)) return true;
  }
  return false;
}

/** @returns whether the token may name some argument of this tool */
export function mayName({ head }: ToolScope, toolName: string): boolean {
  if (!head || head.text.startsWith(`${toolName}.`)) return true;
  return head.whole ? head.text === toolName : toolName.startsWith(head.text);
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
