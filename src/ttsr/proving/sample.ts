/** A text put before a rule as the model would write it: which source, which tool, which file. */
import type { Json } from "../../agent/messages.js";
import { onlyJudgesCalls, type Rule, type RuleExample } from "../../capability/rule.js";
import { splitList } from "../globs.js";
import { namesLane, scopeOf, type ToolScope } from "../scope.js";
import type { LaneInfo } from "../types.js";

export interface Sample {
  text: string;
  source: LaneInfo["source"];
  toolName?: string;
  /** Dotted path; `added` and `removed` are an edit's lines. */
  argument?: string;
  /** Relative to the project, posix separators. */
  filePath?: string;
  /** The arguments of a call, where the text is these as JSON, and no text of one of them. */
  call?: CallArguments;
}

export type CallArguments = { readonly [key: string]: Json };

/** What a rule that names no tool means: a file that is written, lines that are added to one, a command. */
const OWN_LANES: readonly Lane[] = [
  { toolName: "write", argument: "content", file: true },
  { toolName: "edit", argument: "added", file: true },
  { toolName: "edit", argument: "removed", file: true },
  { toolName: "bash", argument: "command", file: false },
];
const OWN_TOOLS: readonly string[] = [...new Set(OWN_LANES.map(({ toolName }) => toolName))];
/** A file of no special kind, where a rule does not care. */
const SOME_FILE = "example.txt";
/** A file of code, where a rule looks at code, comments or strings alone: those of most languages are written like these. */
const SOME_CODE = "example.ts";

interface Lane {
  toolName: string;
  argument: string;
  file: boolean;
}

/**
 * Every way in which a rule could see an example: it should fire in at least one of them, or be silent in all.
 * @returns none where the rule watches nothing that the example could be
 */
export function samplesOf(rule: Rule, example: RuleExample): Sample[] {
  const { scope } = scopeOf(rule);
  const { text } = example;
  const call = rule.callCondition ? argumentsIn(text) : undefined;
  if (call) return callSamples(example, call, scope.tools);
  if (onlyJudgesCalls(rule)) return [];
  const prose: Sample[] = [];
  if (example.tool === undefined && example.path === undefined && rule.globs.length === 0) {
    if (scope.text) prose.push({ text, source: "text" });
    if (scope.thinking) prose.push({ text, source: "thinking" });
  }
  const paths = example.path === undefined ? likelyPaths(rule) : [example.path];
  const lanes = lanesOf(scope.tools, example.tool);
  // A comment of a file is none of the shell: only a rule that names it means it.
  const shellToo =
    !looksAtCode(rule) || example.tool !== undefined || scope.tools.some(({ head }) => isShell(head?.text));
  const calls = lanes
    .filter(({ toolName }) => shellToo || !isShell(toolName))
    .flatMap(({ toolName, argument, file }): Sample[] => {
      const call: Sample = { text, source: "tool", toolName, argument };
      return file ? paths.map((filePath) => ({ ...call, filePath })) : [call];
    });
  return [...prose, ...calls];
}

/** @returns the text as the arguments of a call; undefined where it is no JSON object, or a very deep one */
export function argumentsIn(text: string): CallArguments | undefined {
  if (isDeep(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as CallArguments) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Levels of a call. Whoever walks through one goes down by itself, and the stack holds some thousands. */
const DEEPEST = 256;

function isDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length && depth <= DEEPEST; i++) {
    const c = json[i];
    if (inString && c === "\\") i++;
    else if (c === '"') inString = !inString;
    else if (inString) continue;
    else if (c === "[" || c === "{") depth++;
    else if (c === "]" || c === "}") depth--;
  }
  return depth > DEEPEST;
}

/** @returns one sample for each tool that the call could be of: the one that is named, or those of the scope */
function callSamples({ text, tool, path }: RuleExample, call: CallArguments, tools: readonly ToolScope[]): Sample[] {
  const inScope = tools.flatMap(({ head }) => (head ? [head.whole ? head.text : `${head.text}x`] : OWN_TOOLS));
  const names = tool === undefined ? [...new Set(inScope)] : [tool];
  const whole = path === undefined ? call : { path, ...call };
  return names.map((toolName) => ({ text, source: "tool", toolName, call: whole }));
}

/** @returns one sample for a tool that the user named, whatever the rule's scope */
export function sampleFor(text: string, toolName: string, filePath: string | undefined): Sample {
  const [name = toolName, ...argument] = toolName.split(".");
  const own = OWN_LANES.find((lane) => lane.toolName === name);
  const path = own?.file ? (filePath ?? SOME_FILE) : own ? undefined : filePath;
  return {
    text,
    source: "tool",
    toolName: name,
    argument: argument.length > 0 ? argument.join(".") : (own?.argument ?? "text"),
    ...(path === undefined ? {} : { filePath: path }),
  };
}

function lanesOf(tools: readonly ToolScope[], named: string | undefined): Lane[] {
  if (named !== undefined) {
    const own = OWN_LANES.filter(({ toolName, argument }) => named === toolName || named === `${toolName}.${argument}`);
    const lanes = own.length > 0 ? own : [foreign(named)];
    return lanes.filter(({ argument }) => argument !== "removed" || named.endsWith(".removed"));
  }
  const own = OWN_LANES.filter(({ toolName, argument }) =>
    tools.some((tool) => namesLane(tool, toolName, argument, argument === "removed")),
  );
  const others = tools.flatMap(({ head }) =>
    head && !isOwn(head.text) ? [foreign(head.whole ? head.text : `${head.text}x`)] : [],
  );
  return [...own, ...others];
}

function isOwn(name: string): boolean {
  return name === "" || OWN_LANES.some(({ toolName }) => name === toolName || name.startsWith(`${toolName}.`));
}

/** A tool that we do not know: the last part behind a dot is its argument. */
function foreign(name: string): Lane {
  const dot = name.indexOf(".");
  return dot === -1
    ? { toolName: name, argument: "text", file: true }
    : { toolName: name.slice(0, dot), argument: name.slice(dot + 1), file: true };
}

/** Whether what the rule sees of a file depends on the file's language. */
function looksAtCode({ in: zones = [] }: Rule): boolean {
  return !zones.includes("any") && zones.some((zone) => zone !== "prose");
}

function isShell(toolName: string | undefined): boolean {
  return toolName !== undefined && /^bash(?:\.|$)/.test(toolName);
}

/** Names of files that the rule's patterns could mean: the plainest that each of them matches. */
function likelyPaths(rule: Rule): string[] {
  const inScope = rule.scope.flatMap(splitList).flatMap((token) => /\(([\s\S]*)\)$/.exec(token)?.[1] ?? []);
  const patterns = [...rule.globs, ...inScope].flatMap(splitList).filter((pattern) => !pattern.startsWith("!"));
  const some = looksAtCode(rule) ? SOME_CODE : SOME_FILE;
  return patterns.length === 0 ? [some] : [...new Set(patterns.map(plainest))];
}

function plainest(pattern: string): string {
  const path = pattern
    .replace(/^\.?\//, "")
    .replace(/\*\*\//g, "")
    .replace(/\{([^},]*)[^}]*\}/g, "$1")
    .replace(/\[!?\^?(.)[^\]]*\]/g, "$1")
    .replace(/\?/g, "x")
    .replace(/\*+/g, "example");
  return path === "" || path.endsWith("/") ? `${path}${SOME_FILE}` : path;
}
