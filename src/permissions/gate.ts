/** Decides before a tool runs: free, asked, or denied. */
import type { ToolCallBlock } from "../agent/messages.js";
import type { GateDecision, PermissionSubject, Tool, ToolGate } from "../agent/ports.js";
import { displayPath, isInside, realpathDeepest } from "../platform/paths.js";
import { isPlainCommand, matches, parsePattern } from "./patterns.js";
import { type ProtectedFolders, protectedInCommand, protectedPath } from "./protected-paths.js";
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
}

/** What stands in the way of running at once. */
type Hurdle = { why?: string; flag: string };

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

  async function decide(
    tool: Tool,
    subject: PermissionSubject,
    call: ToolCallBlock,
    signal: AbortSignal,
  ): Promise<GateDecision> {
    const root = await realpathDeepest(deps.workspace);
    const values = valuesOf(subject, [deps.workspace, root]);
    const denied = deny.find((pattern) => matches(pattern, tool.name, values, false));
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
    const protectedName = await whatIsProtected(tool, subject, deps.folders);
    const hurdle = protectedName === undefined ? hurdleOf(tool, subject, mode, root) : { why: protectedName, flag: "" };
    if (!hurdle) return { allow: true };
    if (hurdle.why === undefined) {
      const plain = subject.command === undefined || isPlainCommand(subject.command);
      // Commands are not parsed: a pattern with an argument covers one plain command only.
      const free = allow.some(
        (pattern) => (plain || pattern.argument === undefined) && matches(pattern, tool.name, values, true),
      );
      if (free || grants.has(grantOf(tool, subject))) return { allow: true };
    }
    const { ask } = deps;
    if (!ask) {
      const flag = hurdle.flag === "" ? "no flag allows it" : `${hurdle.flag} would allow it`;
      return refuse(
        "policy",
        `${tool.name} needs leave, and nobody is there to be asked (${hurdle.why ?? subject.title}); ${flag}.`,
      );
    }
    const turn = last.then(() => question(ask, tool, subject, call, hurdle, signal));
    last = turn.catch(() => undefined);
    return turn;
  }

  async function question(
    ask: AskPermission,
    tool: Tool,
    subject: PermissionSubject,
    call: ToolCallBlock,
    hurdle: Hurdle,
    signal: AbortSignal,
  ): Promise<GateDecision> {
    if (signal.aborted) return refuse("user", "Not run: the user interrupted.");
    // A question before this one may have been answered for the whole session.
    if (hurdle.why === undefined && grants.has(grantOf(tool, subject))) return { allow: true };
    const asked: PermissionQuestion = {
      toolCallId: call.id,
      toolName: tool.name,
      subject,
      ...(hurdle.why === undefined ? { sessionScope: scopeOf(subject) } : { because: hurdle.why }),
    };
    const answer = await ask(asked, signal);
    if (signal.aborted) return refuse("user", "Not run: the user interrupted.");
    if (answer.allow) {
      if (answer.remember === "session" && hurdle.why === undefined) grants.add(grantOf(tool, subject));
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

function hurdleOf(tool: Tool, subject: PermissionSubject, mode: PermissionMode, root: string): Hurdle | undefined {
  const outside = subject.paths.find((path) => !isInside(root, path));
  if (subject.kind === "read") {
    if (outside === undefined || mode === "yolo") return undefined;
    return { flag: `--allow '${tool.name}(${outside})'` };
  }
  if (mode === "yolo") return undefined;
  if (subject.kind === "edit") {
    if (mode === "auto-edit" && outside === undefined) return undefined;
    return { flag: outside === undefined ? "--permission-mode auto-edit" : "--permission-mode yolo" };
  }
  return {
    flag: `--allow '${tool.name}${subject.command ? `(${subject.command.split("\n", 1)[0]})` : ""}' or --permission-mode yolo`,
  };
}

async function whatIsProtected(
  tool: Tool,
  subject: PermissionSubject,
  folders: ProtectedFolders,
): Promise<string | undefined> {
  if (tool.readOnly) return undefined;
  const path = subject.kind === "edit" ? await protectedPath(subject.paths, folders) : undefined;
  const name = path ?? (subject.command === undefined ? undefined : protectedInCommand(subject.command));
  return name === undefined ? undefined : `${name} is protected: it steers this program, git, the editor or the shell`;
}

function valuesOf(subject: PermissionSubject, roots: readonly string[]): string[] {
  if (subject.command !== undefined) return [subject.command.trim()];
  return [...new Set(subject.paths.map((path) => displayPath(roots.find((root) => isInside(root, path)) ?? "", path)))];
}

/** Edits of the workspace are one thing; a command is exactly itself. */
function grantOf(tool: Tool, subject: PermissionSubject): string {
  if (subject.kind === "edit") return "edit";
  if (subject.command !== undefined) return `${tool.name}:${subject.command}`;
  return `${tool.name}:${subject.paths.join("\n")}`;
}

function scopeOf(subject: PermissionSubject): string {
  if (subject.kind === "edit") return "all edits in this folder";
  return subject.command === undefined ? "this tool on these files" : "exactly this command";
}

function refuse(by: "user" | "policy", reason: string): Extract<GateDecision, { allow: false }> {
  return { allow: false, by, reason };
}
