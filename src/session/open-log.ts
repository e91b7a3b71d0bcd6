/** Which log a session writes: a new one, the newest of the folder, a named one, or none. */
import { realpathSync } from "node:fs";
import type { Clock } from "../agent/ports.js";
import { UserError } from "../platform/errors.js";
import { errorCode } from "../platform/paths.js";
import type { Notice } from "./notice.js";
import { findSession, latestSession, type SessionSummary } from "./session-list.js";
import { SessionManager } from "./session-manager.js";

export interface LogChoice {
  /** `--no-session` is false. */
  persist?: boolean;
  /** `-c`. */
  continue?: boolean;
  /** `-r <id>`, or its beginning. */
  resume?: string;
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

/**
 * @returns the log to begin with, and how `/new` and `/resume` come to another
 * @throws UserError (exit 2) for an id that fits no session, several, or one of another folder
 */
export function openLog(choice: LogChoice, context: LogContext): OpenedLog {
  const { cwd, stateDir, notice } = context;
  const options = { ...context, report: (report: Omit<Notice, "type">) => notice({ type: "notice", ...report }) };
  const createLog = (): SessionManager =>
    choice.persist === false ? SessionManager.inMemory(options) : SessionManager.create(options);
  const openNamed = (id: string): SessionManager => SessionManager.open(findSession(stateDir, id).path, options);
  const others = { createLog, openNamed };
  if (!choice.continue && choice.resume === undefined) return { log: createLog(), ...others };

  const found = choice.resume === undefined ? latestSession(stateDir, cwd) : findSession(stateDir, choice.resume);
  if (found) mustBelongTo(cwd, found, notice);
  if (found) return { log: SessionManager.open(found.path, options), ...others };
  notice({
    type: "notice",
    level: "warning",
    code: "no-session",
    message: "There is no earlier session in this folder; a new one was started.",
  });
  return { log: createLog(), ...others };
}

/** What was said of one folder's files would be done to those of another. */
function mustBelongTo(cwd: string, { id, cwd: home }: SessionSummary, notice: LogContext["notice"]): void {
  // A log that has lost its header belongs to whoever names it.
  if (home === "" || home === cwd) return;
  const real = realPath(home);
  if (real !== undefined && real === realPath(cwd)) return;
  if (real !== undefined) {
    const sentence = `The session ${id} belongs to ${home}; start it there, or use -C ${home}.`;
    throw new UserError("session-elsewhere", sentence, 2);
  }
  const message = `The session ${id} belonged to ${home}, which cannot be found; it goes on in ${cwd}.`;
  notice({ type: "notice", level: "warning", code: "session-moved", message });
}

/** @returns undefined where there is no such folder */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw error;
  }
}
