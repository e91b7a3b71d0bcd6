/**
 * The file under a session. One entry is one line, written whole with one call on a descriptor that is held open for appending: a process
 * that is killed loses nothing that it has called saved (D1), and lines of several writers never mix (D8).
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "../platform/errors.js";
import { encodeLine } from "./log-lines.js";
import type { SessionRecord, SessionReport } from "./session-entries.js";
import { makePrivateDir } from "./session-paths.js";

/** The calls that can fail half-way; a test brings its own. */
export interface LogIo {
  /** @returns the number of bytes written; may be fewer than asked for */
  write(fd: number, bytes: Buffer, offset: number, length: number): number;
  truncate(fd: number, size: number): void;
  datasync(fd: number): void;
}

const realIo: LogIo = { write: writeSync, truncate: ftruncateSync, datasync: fdatasyncSync };

export interface SessionLogOptions {
  /** Whether `sync()` really waits for the disk (setting `session.fsync`). */
  fsync: boolean;
  /** Called during appends and opens; must not throw. */
  report(report: SessionReport): void;
  io?: LogIo;
}

type State =
  /** The file is not made yet: nothing worth keeping has been said. */
  | { kind: "waiting" }
  | { kind: "open"; fd: number }
  /** There is no file, and there will be none. */
  | { kind: "memory" }
  | { kind: "closed" };

/** Faults that may heal while the session runs; with any other one, the session lives on in memory. */
const MAY_HEAL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE", "EAGAIN", "EBUSY"]);

export class SessionLog {
  #state: State;
  /** Lines that are not on disk yet, in order. */
  #queue: Buffer[] = [];
  #failing = false;
  #syncFailed = false;
  #dirty = false;
  /** The file may end in the middle of a line: the next one begins with a newline of its own. */
  #torn = false;
  readonly #io: LogIo;

  private constructor(
    readonly file: string,
    private readonly options: SessionLogOptions,
    state: State,
  ) {
    this.#state = state;
    this.#io = options.io ?? realIo;
  }

  /** A new log. The file is made by the first `append`. */
  static create(file: string, options: SessionLogOptions): SessionLog {
    return new SessionLog(file, options, { kind: "waiting" });
  }

  /**
   * A log that exists.
   * @param fd open for reading and appending; undefined where the file may not be written
   * @param torn whether its last line has no end
   */
  static attach(file: string, fd: number | undefined, torn: boolean, options: SessionLogOptions): SessionLog {
    const log = new SessionLog(file, options, fd === undefined ? { kind: "memory" } : { kind: "open", fd });
    log.#torn = torn;
    return log;
  }

  /** False where nothing of this session will be on disk. */
  get keepsFile(): boolean {
    return this.#state.kind !== "memory";
  }

  /** Entries that are in memory only because the disk failed. 0 is the rule. */
  get unsaved(): number {
    return this.#failing ? this.#queue.length : 0;
  }

  /** Takes a record that alone is no reason to make a file: it is written before the next one that is. */
  hold(record: SessionRecord): void {
    if (this.#state.kind === "waiting") this.#queue.push(encodeLine(record));
    else this.append(record);
  }

  /**
   * Writes a record, and before it those that had to wait. When this returns true, they survive the end of the process.
   * A failing disk is reported once; the records stay in memory and are tried again at the next append (D12, the simple case).
   * @throws when the log has been closed, or the record holds what JSON cannot say: both are faults of the program
   */
  append(record: SessionRecord): boolean {
    if (this.#state.kind === "closed") throw new Error(`The session log ${this.file} is closed.`);
    if (this.#state.kind === "memory") return false;
    this.#queue.push(encodeLine(record));
    return this.#flush();
  }

  /**
   * Waits until what was appended would survive a power cut (D3): after the user's message, after the results of writing tools, at exit.
   * Does nothing where nothing is new, or `fsync` is off.
   */
  sync(): void {
    if (this.#queue.length > 0 && this.#state.kind === "open") this.#flush();
    if (!this.options.fsync || !this.#dirty || this.#state.kind !== "open") return;
    const { fd } = this.#state;
    this.#trySync(() => this.#io.datasync(fd));
    this.#dirty = false;
  }

  /** Tries once more to save what is not saved, syncs, and lets the file go. A second call does nothing. */
  close(): void {
    if (this.#state.kind === "waiting" && this.#failing) this.#flush();
    this.sync();
    if (this.#state.kind === "open") {
      const { fd } = this.#state;
      this.#trySync(() => closeSync(fd));
    }
    this.#state = { kind: "closed" };
  }

  #flush(): boolean {
    try {
      const fd = this.#state.kind === "open" ? this.#state.fd : this.#makeFile();
      for (let line = this.#queue[0]; line; line = this.#queue[0]) {
        this.#write(fd, line);
        this.#queue.shift();
        this.#dirty = true;
      }
    } catch (error) {
      this.#failed(error);
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.options.report({
        level: "info",
        code: "session-saved-again",
        message: "The session is saved again; nothing of it is lost.",
      });
    }
    return true;
  }

  #makeFile(): number {
    const dir = dirname(this.file);
    makePrivateDir(dir);
    const fd = openSync(this.file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
    this.#state = { kind: "open", fd };
    fchmodSync(fd, 0o600);
    // A file whose name is not on disk is lost with the power, however often its bytes are synced.
    if (this.options.fsync) this.#trySync(() => syncDirs(dir));
    return fd;
  }

  #write(fd: number, line: Buffer): void {
    const bytes = this.#torn ? Buffer.concat([Buffer.from("\n"), line]) : line;
    let done = 0;
    try {
      while (done < bytes.length) {
        const wrote = this.#io.write(fd, bytes, done, bytes.length - done);
        if (wrote === 0) throw new Error("nothing could be written");
        done += wrote;
      }
    } catch (error) {
      if (done > 0 && !this.#takeBack(fd, bytes.subarray(0, done))) this.#torn = true;
      throw error;
    }
    this.#torn = false;
  }

  /** Cuts off the beginning of a line whose rest would not go in, provided that nobody has written behind it. */
  #takeBack(fd: number, wrote: Buffer): boolean {
    try {
      const start = fstatSync(fd).size - wrote.length;
      const there = Buffer.alloc(wrote.length);
      if (start < 0 || readSync(fd, there, 0, there.length, start) !== there.length || !there.equals(wrote))
        return false;
      this.#io.truncate(fd, start);
      return true;
    } catch {
      // The disk fails here too. The half line stays, and the next one will start on a line of its own.
      return false;
    }
  }

  #failed(error: unknown): void {
    if (this.#state.kind === "waiting" && !MAY_HEAL.has(codeOf(error))) {
      this.#state = { kind: "memory" };
      this.#queue = [];
      this.#failing = false;
      this.options.report(memoryOnly(this.file, error));
      return;
    }
    if (this.#failing) return;
    this.#failing = true;
    const message = `The session cannot be saved (${reasonOf(error)}). It is kept in memory and saved as soon as that works again: make room, and do not close the program before.`;
    this.options.report({ level: "warning", code: "session-unsaved", message });
  }

  #trySync(sync: () => void): void {
    try {
      sync();
    } catch (error) {
      if (this.#syncFailed) return;
      this.#syncFailed = true;
      const message = `The session is written, but might not survive a power cut (${reasonOf(error)}).`;
      this.options.report({ level: "warning", code: "session-not-synced", message });
    }
  }
}

/** @returns the notice that this session will not be on disk */
export function memoryOnly(file: string, error: unknown): SessionReport {
  return {
    level: "warning",
    code: "session-memory-only",
    message: `This session is not saved: ${file} cannot be written (${reasonOf(error)}). Set TTSR_AGENT_STATE to a folder of yours to keep sessions.`,
  };
}

/** @returns the code of a failed system call, "ENOENT" and the like */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function syncDirs(dir: string): void {
  if (process.platform === "win32") return;
  for (const path of [dir, dirname(dir)]) {
    const fd = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}
