/**
 * The rules in force while a session runs (TTSR-1.6, 1.7). Files that the user changes hold at once, with a line that names them. Files that
 * one of the agent's own tools changed hold when the user says so: until then what held before goes on, so no rule can be edited away.
 */
import type { AgentEvent } from "../agent/events.js";
import type { Rule } from "../capability/rule.js";
import type { AddedRules, FoundRule, HeldFile, RuleSet } from "../capability/rule-capability.js";
import { changedFiles, type RuleStamps, stampRuleFiles } from "../discovery/rule-stamps.js";
import { watchRules } from "../discovery/watch-rules.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { Notice } from "./notice.js";
import type { Proofs } from "./proofs.js";
import { type BareStatus, faultsOf, registerRules, ruleNotices, warning } from "./rule-statuses.js";

/** What a session knows of its rule files. */
export interface SessionRules {
  /** The rules that hold, those without a trigger included; another list whenever one of them changes. */
  readonly items: readonly Rule[];
  statuses(): readonly BareStatus[];
  /** The session is there: from now on changes are looked for. */
  open(tell: (notice: Notice) => void): void;
  /** An extension brings rules. */
  add(rules: AddedRules): void;
  /** Looks for changes; resolves when what was seen has been taken over. Waits for no question. */
  refresh(): Promise<void>;
  /** Everything that happens; a turn and the ends of a tool are moments to look. */
  see(event: AgentEvent): void;
  close(): void;
}

export interface RuleBookDeps {
  /** As loaded at the start. */
  set: RuleSet;
  manager: TtsrManager;
  /** Files and folders in which rules may lie, absolute. */
  places: readonly string[];
  /** @param added what extensions brought */
  load(held: ReadonlyMap<string, HeldFile>, added: readonly AddedRules[]): Promise<RuleSet>;
  /** Whether the tool can write nothing. */
  isReadOnly(toolName: string): boolean;
  /** Whether a command of the agent's goes on in the background. */
  runsOn(): boolean;
  /** Whether the user trusts the repository. */
  mayAccept(): boolean;
  /** These files of the repository are trusted as they are now. */
  accept(rules: readonly Rule[]): void;
  /** Whether the repository may be trusted, with what was found in it. */
  askTrust(set: RuleSet): Promise<boolean>;
  /** Whether what one of our tools wrote may hold. */
  askWritten(rules: readonly Rule[]): Promise<boolean>;
  after(ms: number, run: () => void): () => void;
  /** What the rules' own examples say. */
  proofs: Proofs;
}

type Author = "user" | "agent";

/** Milliseconds. A short run is over before anything is watched. */
const WATCH_AFTER_MS = 1_000;
/** Milliseconds. The first paint comes before the examples of rules. */
const PROVE_AFTER_MS = 500;
/** Milliseconds of quiet before a change is read: editors write a file in steps. */
const QUIET_MS = 100;

export class RuleBook implements SessionRules {
  readonly startNotices: readonly Notice[];
  #set: RuleSet;
  #statuses: readonly BareStatus[];
  #stamps: RuleStamps;
  readonly #held = new Map<string, HeldFile>();
  readonly #added: AddedRules[] = [];
  /** Calls that may be writing. */
  readonly #calls = new Set<string>();
  /** Whether what one of them started went on at the last look. */
  #ranOn = false;
  #tell: (notice: Notice) => void = () => undefined;
  #work: Promise<void> = Promise.resolve();
  /** Beside the work: whoever waits for a change to be taken over need not wait for its examples, which may take long. */
  #proofs: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;
  #cancelProof: () => void = () => undefined;
  #unwatch: () => Promise<void> = () => Promise.resolve();
  #closed = false;

  constructor(private readonly deps: RuleBookDeps) {
    this.#set = deps.proofs.withoutFailed(deps.set);
    this.#stamps = stampRuleFiles(deps.places);
    this.#statuses = registerRules(this.#set, deps.manager);
    this.startNotices = [
      ...ruleNotices(this.#set, deps.manager),
      ...this.#failures(this.#set.broken.map(({ rule }) => rule)),
    ];
  }

  get items(): readonly Rule[] {
    return this.#set.items;
  }

  statuses(): readonly BareStatus[] {
    return this.#statuses;
  }

  open(tell: (notice: Notice) => void): void {
    this.#tell = tell;
    if (this.deps.places.length > 0) this.#cancel = this.deps.after(WATCH_AFTER_MS, () => void this.#watch());
    this.#cancelProof = this.deps.after(PROVE_AFTER_MS, () => this.#proveNext());
  }

  add(rules: AddedRules): void {
    this.#added.push(rules);
    this.#then(() => this.#apply([]));
  }

  async refresh(): Promise<void> {
    this.look();
    await this.#work;
  }

  see(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        this.look();
        break;
      case "tool_execution_start":
        if (this.deps.isReadOnly(event.toolName)) break;
        // What changed before this call is not its work.
        if (this.#calls.size === 0) this.look();
        this.#calls.add(event.toolCallId);
        break;
      case "tool_execution_end":
        if (!this.#calls.has(event.toolCallId)) break;
        this.look();
        this.#calls.delete(event.toolCallId);
        this.#ranOn ||= this.deps.runsOn();
        break;
      case "agent_end":
        if (this.#calls.size > 0) this.look();
        this.#calls.clear();
        break;
      default:
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.#cancelProof();
    void this.#unwatch();
  }

  /**
   * Reads again what has changed since the last look. While a tool that can write runs, or what it left behind, the change is taken for
   * its work.
   */
  look(): void {
    if (this.#closed || this.deps.places.length === 0) return;
    const byAgent = this.#calls.size > 0 || this.#ranOn;
    if (this.#ranOn) this.#ranOn = this.deps.runsOn();
    const now = stampRuleFiles(this.deps.places);
    const changed = changedFiles(this.#stamps, now);
    if (changed.length === 0) return;
    this.#stamps = now;
    this.#then(() => this.#reload(changed, byAgent ? "agent" : "user"));
  }

  /** One change is taken over after the other; a fault is told and ends nothing. */
  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch(this.#fault);
  }

  readonly #fault = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    this.#tell(warning("rules-unread", `The rules changed and could not be read again: ${reason}`));
  };

  /** A question is not waited for: until it is answered everything stays as it is. */
  #whenAccepted(answer: Promise<boolean>, yes: () => Promise<void>, no: () => void): void {
    answer.then((accepted) => (accepted ? this.#then(yes) : no())).catch(this.#fault);
  }

  async #watch(): Promise<void> {
    const unwatch = await watchRules(this.deps.places, () => {
      this.#cancel();
      this.#cancel = this.deps.after(QUIET_MS, () => this.look());
    });
    this.#unwatch = unwatch;
    if (this.#closed) await unwatch();
  }

  async #reload(paths: readonly string[], author: Author): Promise<void> {
    const before = filesOf(this.#set);
    const loaded = await this.deps.load(new Map(), this.#added);
    const now = filesOf(loaded);
    // A file that was only touched, or has come back to what it was, is no change.
    const changed = paths.filter((path) => now.get(path)?.rule.hash !== before.get(path)?.rule.hash);
    if (author === "agent") await this.#hold(changed, before, now);
    else {
      for (const path of paths) this.#held.delete(path);
      await this.#takeOver(changed, loaded);
    }
  }

  async #takeOver(paths: readonly string[], loaded: RuleSet): Promise<void> {
    const waiting = loaded.untrusted.map(({ rule }) => rule).filter(({ path }) => paths.includes(path));
    if (waiting.length > 0 && this.deps.mayAccept()) this.deps.accept(waiting);
    await this.#apply(paths);
    if (waiting.length === 0 || this.deps.mayAccept()) return;
    const off = (): void => {
      const message = `${namesOf(waiting)}: off, because this folder is not trusted. "ttsr-agent rules trust" accepts its rules.`;
      this.#tell(warning("rules-untrusted", message));
    };
    this.#whenAccepted(this.deps.askTrust(loaded), () => this.#apply(paths), off);
  }

  /** What the agent wrote waits for the user; what it changed or deleted goes on as it was. */
  async #hold(
    paths: readonly string[],
    before: ReadonlyMap<string, FoundRule>,
    now: ReadonlyMap<string, FoundRule>,
  ): Promise<void> {
    if (paths.length === 0) return;
    for (const path of paths) {
      const provider = (now.get(path) ?? before.get(path))?.rule.provider;
      if (provider === undefined || this.#held.has(path)) continue;
      const known = before.get(path);
      this.#held.set(path, { provider, before: known?.untrusted === undefined ? known : undefined });
    }
    await this.#apply(paths);
    const deleted = paths.flatMap((path) => (now.has(path) ? [] : (before.get(path)?.rule ?? [])));
    if (deleted.length > 0) {
      const holds = deleted.length === 1 ? "it still holds" : "they still hold";
      const message = `The agent deleted ${namesOf(deleted)}; in this session ${holds}.`;
      this.#tell(warning("rules-deleted", message));
    }
    const written = paths.flatMap((path) => now.get(path)?.rule ?? []);
    if (written.length === 0) return;
    const off = (): void => {
      const message = `The agent wrote ${namesOf(written)}; what it wrote does not hold until you accept it.`;
      this.#tell(warning("rules-written", message));
    };
    this.#whenAccepted(this.deps.askWritten(written), () => this.#release(written), off);
  }

  /** Only the state that was shown: whatever was written since waits for its own question. */
  async #release(shown: readonly Rule[]): Promise<void> {
    const now = filesOf(await this.deps.load(new Map(), this.#added));
    const same = shown.filter(({ path, hash }) => now.get(path)?.rule.hash === hash);
    for (const { path } of same) this.#held.delete(path);
    const waiting = same.filter(({ path }) => now.get(path)?.untrusted !== undefined);
    if (waiting.length > 0 && this.deps.mayAccept()) this.deps.accept(waiting);
    await this.#apply(same.map(({ path }) => path));
  }

  #proveNext(): void {
    this.#proofs = this.#proofs.then(() => this.#prove()).catch(this.#fault);
  }

  /** A rule that does not do what it says it does is off. */
  async #prove(): Promise<void> {
    if (this.#closed) return;
    const failed = await this.deps.proofs.prove(this.#set.items);
    if (failed.length === 0 || this.#closed) return;
    this.#take(this.#set);
    for (const notice of this.#failures(failed)) this.#tell(notice);
  }

  #failures(rules: readonly Rule[]): Notice[] {
    return rules.flatMap((rule) => {
      const fault = this.deps.proofs.faultOf(rule);
      return fault === undefined ? [] : [warning("rule-fault", `${rule.path}: ${fault} The rule is off.`)];
    });
  }

  #take(set: RuleSet): void {
    this.#set = this.deps.proofs.withoutFailed(set);
    this.#statuses = registerRules(this.#set, this.deps.manager);
  }

  /** Loads once more, with what is held, and says what is different. */
  async #apply(paths: readonly string[]): Promise<void> {
    const loaded = await this.deps.load(this.#held, this.#added);
    const known = new Set([...filesOf(this.#set).keys(), ...this.#set.skipped.map(({ path }) => path)]);
    const news = differences(this.#set.items, loaded.items);
    this.#take(loaded);
    if (news !== "") this.#tell({ type: "notice", level: "info", code: "rules-changed", message: `Rules ${news}.` });
    const holds = (path: string): boolean => (paths.includes(path) || !known.has(path)) && !this.#held.has(path);
    for (const fault of faultsOf(loaded, this.deps.manager, holds)) this.#tell(fault);
    this.#proveNext();
  }
}

function filesOf(set: RuleSet): Map<string, FoundRule> {
  const files: FoundRule[] = [
    ...set.items.map((rule) => ({ rule })),
    ...set.shadowed.map(({ rule }) => ({ rule })),
    ...set.broken.map(({ rule, reason }) => ({ rule, broken: reason })),
    ...set.untrusted.map(({ rule, reason }) => ({ rule, untrusted: reason })),
    ...set.off.map(({ rule, reason }) => ({ rule, off: reason })),
  ];
  return new Map(files.map((file) => [file.rule.path, file]));
}

/** @returns as in "added a, b; changed c; removed d"; empty: nothing changed */
function differences(before: readonly Rule[], now: readonly Rule[]): string {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const names = new Set(now.map(({ name }) => name));
  const parts: [string, Rule[]][] = [
    ["added", now.filter(({ name }) => !old.has(name))],
    ["changed", now.filter(({ name, hash, path }) => differs(old.get(name), hash, path))],
    ["removed", before.filter(({ name }) => !names.has(name))],
  ];
  return parts.flatMap(([what, rules]) => (rules.length === 0 ? [] : [`${what} ${namesOf(rules)}`])).join("; ");
}

function differs(old: Rule | undefined, hash: string, path: string): boolean {
  return old !== undefined && (old.hash !== hash || old.path !== path);
}

function namesOf(rules: readonly Rule[]): string {
  return rules.map(({ name }) => name).join(", ");
}
