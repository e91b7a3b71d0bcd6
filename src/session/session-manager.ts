/** One session: its entries, the place in them where the conversation stands, and the file in which they lie. */

import type { Json, Message } from "../agent/messages.js";
import type { Clock } from "../agent/ports.js";
import type { InjectedRule } from "../ttsr/types.js";
import { LOG_VERSION } from "./entry-parse.js";
import { buildContext, injectedRules, type SessionContext } from "./session-context.js";
import type {
  EntryBase,
  ModelChange,
  SessionEntry,
  SessionHeader,
  SessionReport,
  TtsrInjection,
  TtsrInjectionEntry,
} from "./session-entries.js";
import { loadSession } from "./session-load.js";
import { type LogIo, SessionLog } from "./session-log.js";
import { readFileName, sessionFile } from "./session-paths.js";
import { SessionTree } from "./session-tree.js";

export interface SessionManagerOptions {
  clock: Pick<Clock, "date">;
  /** In [0, 1); ids are made of it. */
  random(): number;
  /** Setting `session.fsync`. */
  fsync: boolean;
  /** Told what the user should know of the log, each thing once. Must not throw. */
  report(report: SessionReport): void;
  io?: LogIo;
}

export interface CreateOptions extends SessionManagerOptions {
  /** Absolute. */
  cwd: string;
  stateDir: string;
  parentSession?: string;
}

export interface AppendOptions {
  /** One that `newId()` gave. Default: a new one. */
  id?: string;
  /** Default: the leaf. */
  parentId?: string | null;
}

/** An entry without what the manager adds. */
type Bare<E> = E extends SessionEntry ? Omit<E, keyof EntryBase> : never;

const SESSION_ID_DIGITS = 12;
const ENTRY_ID_DIGITS = 8;

/**
 * Every `append…` returns when the entry is written (D1), or, with a failing disk, kept in memory and reported. The order of entries is the
 * caller's (D2): the user's message before the request, the answer before its tools start, each result as it comes.
 * What is appended belongs to the log and is not to be changed afterwards.
 */
export class SessionManager {
  /** Ids that exist or have been promised. */
  readonly #ids = new Set<string>();
  /** The file has lost its header; it gets a new one with the next entry. */
  #owesHeader = false;

  private constructor(
    readonly header: SessionHeader,
    private readonly tree: SessionTree,
    /** undefined: in memory only, by the user's wish. */
    private readonly log: SessionLog | undefined,
    private readonly options: Pick<SessionManagerOptions, "clock" | "random">,
  ) {}

  /** A new session. Its file is made with the first message, so that sessions in which nothing was said leave nothing behind. */
  static create(options: CreateOptions): SessionManager {
    const header = newHeader(options);
    const file = sessionFile(options.stateDir, options.cwd, header.timestamp, header.id);
    const log = SessionLog.create(file, options);
    log.hold(header);
    return new SessionManager(header, new SessionTree(), log, options);
  }

  /**
   * A session that exists, at its newest entry.
   * @param options `cwd`: for a log whose header is lost
   * @throws UserError when the file is missing, unreadable, or of a newer version
   */
  static open(file: string, options: SessionManagerOptions & { cwd: string }): SessionManager {
    const { header, tree, log } = loadSession(file, options);
    const known = header ?? { type: "session" as const, version: LOG_VERSION, ...readFileName(file), cwd: options.cwd };
    const manager = new SessionManager(known, tree, log, options);
    for (const entry of tree.entries) {
      manager.#ids.add(entry.id);
      if (entry.type === "ttsr_injection") {
        manager.#ids.add(entry.cutMessageId);
        if (entry.interruptMessageId !== undefined) manager.#ids.add(entry.interruptMessageId);
      }
    }
    manager.#owesHeader = header === undefined;
    return manager;
  }

  /** A session that leaves nothing on disk (`--no-session`). */
  static inMemory(options: Pick<CreateOptions, "cwd" | "clock" | "random" | "parentSession">): SessionManager {
    return new SessionManager(newHeader(options), new SessionTree(), undefined, options);
  }

  get id(): string {
    return this.header.id;
  }

  get cwd(): string {
    return this.header.cwd;
  }

  /** Absolute path of the log; undefined where nothing is kept on disk. */
  get file(): string | undefined {
    return this.log?.keepsFile ? this.log.file : undefined;
  }

  /** Entries that a failing disk keeps from being saved. Not 0 at exit: the exit code must tell. */
  get unsaved(): number {
    return this.log?.unsaved ?? 0;
  }

  /** In the order of the file. */
  get entries(): readonly SessionEntry[] {
    return this.tree.entries;
  }

  getEntry(id: string): SessionEntry | undefined {
    return this.tree.get(id);
  }

  /** Id of the entry that the next one follows; null at the beginning. */
  get leaf(): string | null {
    return this.tree.leaf;
  }

  /** Goes to another place in the tree. Not written down: the next entry is. */
  setLeaf(id: string | null): void {
    this.tree.setLeaf(id);
  }

  /**
   * Goes back to before the last message of the branch, for another try. A change of model that followed it is said again, so that it holds.
   */
  dropLeaf(): void {
    const branch = this.branch();
    const at = branch.findLastIndex((entry) => entry.type === "message");
    const last = branch[at];
    if (!last) return;
    this.setLeaf(last.parentId);
    for (const entry of branch.slice(at + 1)) {
      if (entry.type !== "model_change") continue;
      const { provider, model, thinking } = entry;
      this.appendModelChange({ provider, model, ...(thinking === undefined ? {} : { thinking }) });
    }
  }

  /** @returns the entries from the first one to the leaf */
  branch(): SessionEntry[] {
    return this.tree.branch();
  }

  /** @returns a short id that no other entry has or will get */
  newId(): string {
    let id = randomId(ENTRY_ID_DIGITS, this.options.random);
    for (let n = 2; this.#ids.has(id); n++) id = `${randomId(ENTRY_ID_DIGITS, this.options.random)}-${n}`;
    this.#ids.add(id);
    return id;
  }

  /** The cut message of a `discard` interrupt, or of a cancelled one, becomes a side branch: the leaf stays where it was. */
  appendMessage(message: Message, options: AppendOptions = {}): string {
    return this.#append({ type: "message", message }, options);
  }

  /**
   * TTSR-8.2, in the order of writing: this entry at the moment of the abort, with ids from `newId()`; the cut message under its
   * `cutMessageId`; the interrupt under its `interruptMessageId`. All three then stand where they must without a `parentId`.
   * With `delivered: false` it takes back the one with the same `cutMessageId`, and follows it.
   */
  appendTtsrInjection(injection: TtsrInjection, options: AppendOptions = {}): string {
    const takenBack = injection.delivered ? undefined : this.tree.interruptOf(injection.cutMessageId);
    const parent = takenBack && options.parentId === undefined ? { parentId: takenBack.id } : {};
    return this.#append({ type: "ttsr_injection", ...injection }, { ...options, ...parent });
  }

  appendModelChange(change: ModelChange, options: AppendOptions = {}): string {
    return this.#append({ type: "model_change", ...change }, options);
  }

  appendTitle(title: string, options: AppendOptions = {}): string {
    return this.#append({ type: "title", title }, options);
  }

  appendCustom(kind: string, data: Json, options: AppendOptions = {}): string {
    return this.#append({ type: "custom", kind, data }, options);
  }

  /** @returns the rules that were put before the model in this branch, with their age in turns (TTSR-8.1, 5.2) */
  getInjectedTtsrRules(): InjectedRule[] {
    return injectedRules(this.tree, this.tree.branch());
  }

  /** @returns each time that rules have cut an answer in this session, on all branches: what counts against `ttsr.budget.perSession` */
  interrupts(): TtsrInjectionEntry[] {
    return this.tree.entries.filter(
      (entry): entry is TtsrInjectionEntry =>
        entry.type === "ttsr_injection" && entry.delivered && entry.cutMessageId !== "",
    );
  }

  buildContext(): SessionContext {
    return buildContext(this.tree);
  }

  /** Waits for the disk (D3): after the user's message, and after the results of writing tools. `close()` does it at exit. */
  sync(): void {
    this.log?.sync();
  }

  /** Nothing can be appended afterwards. */
  close(): void {
    this.log?.close();
  }

  #append(bare: Bare<SessionEntry>, options: AppendOptions): string {
    const { id = this.newId(), parentId = this.tree.leaf } = options;
    if (this.tree.has(id)) throw new Error(`The session has an entry ${id} already.`);
    if (parentId !== null && !this.tree.has(parentId))
      throw new Error(`There is no entry ${parentId} in this session.`);
    this.#ids.add(id);
    const { type } = bare;
    const base = { type, id, parentId, timestamp: this.options.clock.date().toISOString() };
    // First in the line, and last to be said: what is appended may be made from an entry that has these too.
    const entry = { ...base, ...bare, ...base } as SessionEntry;
    // Written first: an entry that cannot be written down at all must not stand in memory either.
    if (this.#owesHeader) this.log?.hold(this.header);
    this.#owesHeader = false;
    if (type === "message") this.log?.append(entry);
    else this.log?.hold(entry);
    this.tree.add(entry);
    return id;
  }
}

function newHeader(options: Pick<CreateOptions, "clock" | "random" | "cwd" | "parentSession">): SessionHeader {
  return {
    type: "session",
    version: LOG_VERSION,
    id: randomId(SESSION_ID_DIGITS, options.random),
    timestamp: options.clock.date().toISOString(),
    cwd: options.cwd,
    ...(options.parentSession === undefined ? {} : { parentSession: options.parentSession }),
  };
}

/** Lower-case hexadecimal: easy to type, and no word by accident. */
function randomId(digits: number, random: () => number): string {
  let id = "";
  while (id.length < digits) id += Math.floor(random() * 16).toString(16);
  return id;
}
