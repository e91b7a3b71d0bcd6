/** Which log a session writes: a new one, the newest of the folder, a named one, or none. */
import type { Clock } from "../agent/ports.js";
import type { Notice } from "./notice.js";
import { findSession, latestSession } from "./session-list.js";
import { SessionManager } from "./session-manager.js";

export interface LogChoice {
  /** `--no-session` is false. */
  persist?: boolean;
  /** `-c`. */
  continue?: boolean;
  /** `-r <id>`, or `-r` alone for the newest of the folder. */
  resume?: string | true;
}

export interface LogContext {
  cwd: string;
  stateDir: string;
  clock: Clock;
  random(): number;
  fsync: boolean;
  /** Told what the user should know of the log. */
  notice(notice: Notice): void;
}

export interface OpenedLog {
  log: SessionManager;
  /** For `/new`. */
  createLog(): SessionManager;
  /** For `/resume`. @throws UserError when no session fits the id */
  openNamed(id: string): SessionManager;
}

/** @returns the log to begin with, and how `/new` and `/resume` come to another */
export function openLog(choice: LogChoice, context: LogContext): OpenedLog {
  const { cwd, stateDir, notice } = context;
  const options = { ...context, report: (report: Omit<Notice, "type">) => notice({ type: "notice", ...report }) };
  const createLog = (): SessionManager =>
    choice.persist === false ? SessionManager.inMemory(options) : SessionManager.create(options);
  const openNamed = (id: string): SessionManager => SessionManager.open(findSession(stateDir, id).path, options);
  const others = { createLog, openNamed };
  if (!choice.continue && choice.resume === undefined) return { log: createLog(), ...others };

  const found = typeof choice.resume === "string" ? findSession(stateDir, choice.resume) : latestSession(stateDir, cwd);
  if (found) return { log: SessionManager.open(found.path, options), ...others };
  notice({
    type: "notice",
    level: "warning",
    code: "no-session",
    message: "There is no earlier session in this folder; a new one was started.",
  });
  return { log: createLog(), ...others };
}
