/**
 * The entries of a log as a tree, and the place in it where the conversation stands. The order in the file is the order of events: a parent
 * always stands before its children, so there are no circles, whatever a damaged log says (D20).
 */
import type { MessageEntry, SessionEntry, TtsrInjectionEntry } from "./session-entries.js";

export class SessionTree {
  readonly #entries: SessionEntry[] = [];
  readonly #byId = new Map<string, SessionEntry>();
  /** A parent that is not there → the entry that stood before the first of its children. */
  readonly #lost = new Map<string, string | null>();
  /** An id that stands twice with different contents → the id that its newest bearer got here. */
  readonly #renamed = new Map<string, string>();
  /** By the id of the message that was cut. */
  readonly #interrupts = new Map<string, TtsrInjectionEntry>();
  /** Ids of injections that the user cancelled. */
  readonly #cancelled = new Set<string>();
  #leaf: string | null = null;
  #orphans = 0;
  #duplicates = 0;

  /** In the order of the file. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  /** Id of the entry that the next one follows; null at the very beginning. */
  get leaf(): string | null {
    return this.#leaf;
  }

  /** What had to be mended: children whose parent is missing or comes later, ids that stand twice. */
  get mended(): { orphans: number; duplicates: number } {
    return { orphans: this.#orphans, duplicates: this.#duplicates };
  }

  get(id: string): SessionEntry | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** @throws when there is no such entry: a fault of the program */
  setLeaf(id: string | null): void {
    if (id !== null && !this.#byId.has(id)) throw new Error(`There is no entry ${id} in this session.`);
    this.#leaf = id;
  }

  /** Takes the next entry of the file, mending its place where that is impossible. The entry becomes the tree's own. */
  add(entry: SessionEntry): void {
    const twin = this.#byId.get(entry.id);
    if (twin) {
      this.#duplicates++;
      if (JSON.stringify(twin) === JSON.stringify(entry)) return;
      this.#rename(entry);
    }
    this.#place(entry);
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    if (entry.type === "ttsr_injection") this.#addInjection(entry);
    // What a rule cut off is a side branch: the conversation goes on from before it (TTSR-6.5).
    if (!(entry.type === "message" && this.isSideBranch(entry))) this.#leaf = entry.id;
  }

  /** Whether the message was cut by a rule and is never to be sent: always in `discard`, and when the user cancelled. */
  isSideBranch(entry: MessageEntry): boolean {
    const interrupt = this.#interrupts.get(entry.id);
    return interrupt !== undefined && (interrupt.contextMode === "discard" || this.#cancelled.has(interrupt.id));
  }

  /** Whether the message is what a rule cut off, sent or not. */
  isCut(entry: MessageEntry): boolean {
    return this.#interrupts.has(entry.id);
  }

  isCancelled(injection: TtsrInjectionEntry): boolean {
    return !injection.delivered || this.#cancelled.has(injection.id);
  }

  /** @returns the delivered injection that an undelivered one with the same cut takes back */
  interruptOf(cutMessageId: string): TtsrInjectionEntry | undefined {
    return this.#interrupts.get(cutMessageId);
  }

  /** @returns the entries from the first one to `leaf`, in order */
  branch(leaf: string | null = this.#leaf): SessionEntry[] {
    const branch: SessionEntry[] = [];
    for (let entry = this.#find(leaf); entry; entry = this.#find(entry.parentId)) branch.push(entry);
    return branch.reverse();
  }

  #find(id: string | null): SessionEntry | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  #place(entry: SessionEntry): void {
    const { parentId } = entry;
    if (parentId === null) return;
    const named = this.#renamed.get(parentId) ?? parentId;
    if (this.#byId.has(named)) {
      entry.parentId = named;
      return;
    }
    this.#orphans++;
    // Children of one lost parent stay side by side: one of them may be an attempt that was cut off.
    const stood = this.#lost.get(parentId);
    const adopted = stood === undefined ? (this.#entries.at(-1)?.id ?? null) : stood;
    this.#lost.set(parentId, adopted);
    entry.parentId = adopted;
  }

  /** The new id follows from the file alone, so that entries which name it are understood the next time too. */
  #rename(entry: SessionEntry): void {
    let copy = 2;
    while (this.#byId.has(`${entry.id}~${copy}`)) copy++;
    const id = `${entry.id}~${copy}`;
    this.#renamed.set(entry.id, id);
    // Its own parent may bear the same id: that is then the one before.
    if (entry.parentId === entry.id) entry.parentId = copy === 2 ? entry.id : `${entry.id}~${copy - 1}`;
    entry.id = id;
  }

  #addInjection(entry: TtsrInjectionEntry): void {
    if (entry.delivered) {
      if (entry.cutMessageId !== "") this.#interrupts.set(entry.cutMessageId, entry);
      return;
    }
    const parent = this.#find(entry.parentId);
    const taken = this.#interrupts.get(entry.cutMessageId) ?? (parent?.type === "ttsr_injection" ? parent : undefined);
    if (taken) this.#cancelled.add(taken.id);
  }
}
