/** Finding and ending everything that a command has started, also what has left its process group. */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { errorCode } from "./paths.js";

/** Every child inherits this variable; its value names the commands that it belongs to, outermost first. */
export const JOB_VARIABLE = "TTSR_AGENT_JOB";

/** Stands in the tag of every command of this program run. */
const RUN = randomUUID();
const live = new Map<number, string>();
let started = 0;
/** How many had been started when none of them was found to run any more. */
let over = 0;
let hooked = false;

/** A command's processes: its group, and the tag in their environment. */
export interface ProcessGroup {
  /** Process id of the leader, which is the id of the group. */
  id: number;
  tag: string;
}

/** @returns a tag for the next command */
export function nextTag(): string {
  return `${RUN}.${++started}.`;
}

/** From here until `forget` the group is killed when this program exits. */
export function remember(group: ProcessGroup): void {
  live.set(group.id, group.tag);
  if (hooked) return;
  hooked = true;
  process.once("exit", killAllGroups);
}

export function forget(group: ProcessGroup): void {
  live.delete(group.id);
}

/**
 * @returns whether anything that a command of this program run has started still runs, also what has left its group; without `/proc` only
 * what has not
 */
export function someGroupRuns(): boolean {
  if (over === started) return false;
  const until = started;
  if (hasProc() ? taggedProcesses(RUN).length > 0 : [...live.keys()].some((id) => send(-id, 0))) return true;
  over = until;
  return false;
}

/** Kills at once whatever our commands have left running. Runs by itself at exit; call it before dying of a signal. */
export function killAllGroups(): void {
  for (const id of live.keys()) send(-id, "SIGKILL");
  live.clear();
  // Twice: a process may have forked while the first list was read.
  for (let round = 0; started > 0 && round < 2; round++) {
    for (const pid of taggedProcesses(RUN)) send(pid, "SIGKILL");
  }
}

/** Sends a signal to the group and to those of its processes that have left it. */
export function signalGroup(group: ProcessGroup, signal: NodeJS.Signals): void {
  send(-group.id, signal);
  for (const pid of taggedProcesses(group.tag)) send(pid, signal);
}

/** @returns whether the group itself has a process that is not dead; one system call in the usual case */
export function groupIsAlive(group: ProcessGroup): boolean {
  return send(-group.id, 0) && (processTable().some((entry) => entry.group === group.id) || !hasProc());
}

/** @returns the ids of all processes that belong to the command; without `/proc` only the group's id, if it lives */
export function membersOf(group: ProcessGroup): number[] {
  if (!hasProc()) return send(-group.id, 0) ? [group.id] : [];
  const members = new Set(taggedProcesses(group.tag));
  for (const entry of processTable()) if (entry.group === group.id) members.add(entry.pid);
  return [...members];
}

/** @returns false where there is nobody to get it */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: it lives, but under another user (sudo); it is out of our reach.
    if (errorCode(error) === "EPERM") return signal === 0;
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

interface ProcessEntry {
  pid: number;
  group: number;
}

/** @returns processes that are not zombies */
function processTable(): ProcessEntry[] {
  const table: ProcessEntry[] = [];
  for (const pid of processIds()) {
    // `pid (name) state parent group …`; the name may hold anything.
    const line = readProc(`/proc/${pid}/stat`);
    const [state, , group] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    if (state && group && state !== "Z" && state !== "X") table.push({ pid, group: Number(group) });
  }
  return table;
}

function taggedProcesses(tag: string): number[] {
  return processIds().filter((pid) => {
    const variable = readProc(`/proc/${pid}/environ`)
      .split("\0")
      .find((entry) => entry.startsWith(`${JOB_VARIABLE}=`));
    return pid !== process.pid && variable?.includes(tag) === true;
  });
}

function hasProc(): boolean {
  return process.platform === "linux";
}

function processIds(): number[] {
  if (!hasProc()) return [];
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** @returns "" for a process that has ended meanwhile or belongs to somebody else */
function readProc(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}
