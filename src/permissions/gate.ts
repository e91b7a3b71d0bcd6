/** Decides before a tool runs: free, asked, or denied. */
import type { ToolCallBlock } from "../agent/messages.js";
import type { GateDecision, PermissionSubject, Tool, ToolGate } from "../agent/ports.js";
import { reasonOf } from "../platform/errors.js";
import { displayPath, isInside, realpathDeepest, resolvePath } from "../platform/paths.js";
import { untilAborted } from "../platform/until-aborted.js";
import { commandReadings, isPlainCommand } from "./command-parts.js";
import { covers, type PermissionPattern, parsePattern, touches } from "./patterns.js";
import { namedInCommand, protectedInCommand, writtenInCommand } from "./protected-command.js";
import { type ProtectedFolders, protectedPath } from "./protected-paths.js";
import type { AskPermission, PermissionMode, PermissionQuestion } from "./types.js";

export interface GateDeps {
  mode(): PermissionMode;
  /** As written by the user. */
  allow: readonly string[];
  deny: readonly string[];
  /** undefined: nobody is there to be asked, so what would ask is denied. */
  ask?: AskPermission;
  /** Absolute. */
  workspace: string;
  folders: ProtectedFolders;
  /** Folders outside of the workspace that may be read like it, absolute: where long outputs are kept. */
  readable?: readonly string[];
}

/** What stands in the way of running at once. */
interface Hurdle {
  /** A protected path: no pattern and no earlier answer lifts it. */
  why?: string;
  /** What would allow it where nobody can be asked. */
  flag: string;
  /** What "for this session" covers, as a key and in words. */
  grant: string;
  scope: string;
}

/** A hurdle that somebody can be asked about. */
type Asked = Hurdle & { ask: AskPermission; roots: Roots };

/** Where the session is at home: as given, and as it really is. */
interface Roots {
  workspace: readonly string[];
  readable: readonly string[];
}

/**
 * @returns the gate of one session; it remembers what was allowed "for this session"
 * @throws UserError (exit 2) for a pattern that cannot be read
 */
export function createGate(deps: GateDeps): ToolGate {
  const allow = deps.allow.map((source) => parsePattern(source, "--allow"));
  const deny = deps.deny.map((source) => parsePattern(source, "--deny"));
  const grants = new Set<string>();
  // One question at a time, in the order in which the calls came.
  let last: Promise<unknown> = Promise.resolve();

  function decide(
    tool: Tool,
    subject: PermissionSubject,
    call: ToolCallBlock,
    signal: AbortSignal,
  ): Promise<GateDecision> {
    const before = last;
    const decision = settle(tool, subject, call, signal, before);
    // One that is free is decided at once, but does not open the way for a question behind one that is still open.
    const done = decision.catch(() => undefined);
    last = before.then(() => done);
    return decision;
  }

  /** @param before settles when all earlier calls are decided; only a question waits for it */
  async function settle(
    tool: Tool,
    subject: PermissionSubject,
    call: ToolCallBlock,
    signal: AbortSignal,
    before: Promise<unknown>,
  ): Promise<GateDecision> {
    const first = await judge(tool, subject);
    if ("allow" in first) return first;
    await before;
    if (signal.aborted) return refuse("user", "Not run: the user interrupted.");
    // While others were asked the user may have changed the mode, or allowed this for the whole session.
    const hurdle = await judge(tool, subject);
    if ("allow" in hurdle) return hurdle;
    return question(tool, subject, call, hurdle, signal);
  }

  /** @returns the decision, or what stands in its way */
  async function judge(tool: Tool, subject: PermissionSubject): Promise<GateDecision | Asked> {
    const roots: Roots = {
      workspace: [...new Set([await realpathDeepest(deps.workspace), deps.workspace])],
      readable: await Promise.all((deps.readable ?? []).map((folder) => realpathDeepest(folder))),
    };
    const meanings = meant(tool, subject, roots);
    const denied = deny.find((pattern) => {
      // Who denies reading altogether means that tool; who denies the reading of a file means the file.
      const all = pattern.argument !== undefined || subject.kind === "edit";
      return (all ? meanings : meanings.slice(0, 1)).some((each) => touches(pattern, ...each));
    });
    if (denied) {
      return refuse(
        "policy",
        `Denied by the pattern "${denied.source}" that the user gave. Do not try to get round it.`,
      );
    }
    const mode = deps.mode();
    if (mode === "plan" && !(tool.readOnly && subject.kind === "read")) {
      return refuse("policy", `Not in plan mode: ${tool.name} changes things. Say what you would do, and stop.`);
    }
    const why = await whatIsProtected(tool, subject, deps.folders, roots);
    const hurdle = hurdleOf(tool, subject, why === undefined ? mode : "ask", roots);
    if (why !== undefined && hurdle) hurdle.why = why;
    if (!hurdle) return { allow: true };
    if (hurdle.why === undefined) {
      const free = allow.some((pattern) => allows(pattern, tool, subject, roots));
      if (free || grants.has(hurdle.grant)) return { allow: true };
    }
    const { ask } = deps;
    if (!ask) {
      const flag = hurdle.why === undefined ? `${hurdle.flag} would allow it` : "no flag allows it";
      return refuse(
        "policy",
        `${tool.name} needs leave, and nobody is there to be asked (${hurdle.why ?? subject.title}); ${flag}.`,
      );
    }
    return { ...hurdle, ask, roots };
  }

  async function question(
    tool: Tool,
    subject: PermissionSubject,
    call: ToolCallBlock,
    hurdle: Asked,
    signal: AbortSignal,
  ): Promise<GateDecision> {
    const { roots } = hurdle;
    const suggested = hurdle.why === undefined ? suggestPattern(tool, subject, roots) : undefined;
    const fault = (text: string): string | undefined => faultOf(text, tool, subject, roots);
    const asked: PermissionQuestion = {
      toolCallId: call.id,
      toolName: tool.name,
      subject,
      ...(hurdle.why === undefined ? { sessionScope: hurdle.scope } : { because: hurdle.why }),
      ...(suggested === undefined ? {} : { pattern: { suggested, fault } }),
    };
    const answer = await untilAborted(hurdle.ask(asked, signal), signal);
    if (answer === undefined) return refuse("user", "Not run: the user interrupted.");
    if (answer.allow) {
      if (answer.remember === "session" && hurdle.why === undefined) grants.add(hurdle.grant);
      if (answer.remember === "pattern" && suggested !== undefined && fault(answer.pattern) === undefined) {
        allow.push(parsePattern(answer.pattern, "--allow"));
      }
      return { allow: true };
    }
    const said = answer.message?.trim();
    const reason = said
      ? `The user denied this call and says: ${said}`
      : "The user denied this call. Do not send it again; ask or do something else.";
    return { ...refuse("user", reason), ...(answer.stop ? { endRun: true } : {}) };
  }

  return { decide };
}

/** Commands are not parsed: a pattern with an argument covers one plain command only. */
function allows(pattern: PermissionPattern, tool: Tool, subject: PermissionSubject, roots: Roots): boolean {
  const subjects = subjectsOf(subject, roots, (command) => [command.trim()]);
  if (!covers(pattern, tool.name, subjects)) return false;
  if (pattern.argument === undefined) return true;
  if (subject.command !== undefined) return isPlainCommand(subject.command);
  return pattern.absolute || subject.paths.every((path) => roots.workspace.some((root) => isInside(root, path)));
}

/** @returns a pattern for this call and its like, to be changed by the user; undefined where no pattern could cover it */
function suggestPattern(tool: Tool, subject: PermissionSubject, roots: Roots): string | undefined {
  const { command, paths } = subject;
  const like = command === undefined ? `${folderOf(paths[0], roots)}*` : likeOf(command);
  const pattern = `${tool.name}(${like})`;
  return faultOf(pattern, tool, subject, roots) === undefined ? pattern : undefined;
}

/** The program and what it is to do, whatever options and names follow. */
function likeOf(command: string): string {
  const [program = "", verb] = command.trim().split(/\s+/);
  if (verb === undefined) return program;
  return /^[a-z][a-z0-9:-]*$/.test(verb) ? `${program} ${verb}*` : `${program} *`;
}

function folderOf(path: string | undefined, roots: Roots): string {
  const [name = ""] =
    path === undefined ? [] : (subjectsOf({ kind: "edit", title: "", paths: [path] }, roots, () => [])[0] ?? []);
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function faultOf(text: string, tool: Tool, subject: PermissionSubject, roots: Roots): string | undefined {
  try {
    if (allows(parsePattern(text, "--allow"), tool, subject, roots)) return undefined;
    return "That does not cover this call.";
  } catch (error) {
    return reasonOf(error);
  }
}

/** @returns what must be got over; undefined: the mode lets it run */
function hurdleOf(tool: Tool, subject: PermissionSubject, mode: PermissionMode, roots: Roots): Hurdle | undefined {
  if (mode === "yolo") return undefined;
  const home = subject.kind === "read" ? [...roots.workspace, ...roots.readable] : roots.workspace;
  const outside = subject.paths.find((path) => !home.some((root) => isInside(root, path)));
  const these = { grant: `${tool.name}:${subject.paths.join("\n")}`, scope: "this tool on these files" };
  switch (subject.kind) {
    case "read":
      return outside === undefined ? undefined : { flag: `--allow '${tool.name}(${outside})'`, ...these };
    case "edit":
      if (outside !== undefined) return { flag: "--permission-mode yolo", ...these };
      if (mode === "auto-edit") return undefined;
      return { flag: "--permission-mode auto-edit", grant: "edit", scope: "all edits in this folder" };
    default: {
      const { command } = subject;
      const pattern = command === undefined ? tool.name : `${tool.name}(${command.split("\n", 1)[0]})`;
      const named = command === undefined || isPlainCommand(command) ? `--allow '${pattern}' or ` : "";
      const flag = `${named}--permission-mode yolo`;
      if (command !== undefined) return { flag, grant: `${tool.name}:${command}`, scope: "exactly this command" };
      return subject.paths.length > 0
        ? { flag, ...these }
        : { flag, grant: `${tool.name}:`, scope: "every call of this tool" };
    }
  }
}

async function whatIsProtected(
  tool: Tool,
  subject: PermissionSubject,
  folders: ProtectedFolders,
  roots: Roots,
): Promise<string | undefined> {
  if (tool.readOnly || subject.kind === "read") return undefined;
  const path = await protectedPath(subject.paths, folders, roots.workspace);
  const name = path ?? (subject.command === undefined ? undefined : protectedInCommand(subject.command, folders));
  return name === undefined ? undefined : `${name} is protected: it steers this program, git, the editor or the shell`;
}

/**
 * What a denial must look at: the call itself, and under "edit" and "read" what it changes and reads by another name. Who denies edits of a
 * place means every tool that changes files, who denies reading a file every tool that looks into it, and commands that name it.
 */
function meant(tool: Tool, subject: PermissionSubject, roots: Roots): [tool: string, subjects: string[][]][] {
  const { kind, command } = subject;
  const all: [string, string[][]][] = [[tool.name, subjectsOf(subject, roots, commandReadings)]];
  if (command !== undefined) {
    const files: [string, string[]][] = [
      ["edit", writtenInCommand(command)],
      ["read", namedInCommand(command)],
    ];
    for (const [name, words] of files) {
      if (words.length > 0 && name !== tool.name) all.push([name, words.map((word) => spellings(word, roots))]);
    }
  } else if (kind !== "other" && kind !== tool.name) {
    all.push([kind, subjectsOf(subject, roots, commandReadings)]);
  }
  return all;
}

/** A word of a command as a file, in the spellings by which a pattern may name it. */
function spellings(word: string, roots: Roots): string[] {
  const root = roots.workspace[0] ?? "/";
  const path = resolvePath(word, root);
  return [word, path, displayPath(root, path)];
}

/** @returns each thing that the call is about, in all the spellings by which a pattern may name it */
function subjectsOf(subject: PermissionSubject, roots: Roots, readings: (command: string) => string[]): string[][] {
  if (subject.command !== undefined) return [readings(subject.command)];
  return subject.paths.map((path) => {
    const root = roots.workspace.find((folder) => isInside(folder, path));
    return root === undefined ? [path] : [displayPath(root, path), path];
  });
}

function refuse(by: "user" | "policy", reason: string): Extract<GateDecision, { allow: false }> {
  return { allow: false, by, reason };
}
