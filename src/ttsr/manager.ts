import type { ToolCallBlock } from "../agent/messages.js";
import type { Tool } from "../agent/ports.js";
import { isStreamRule, type Rule } from "../capability/rule.js";
import { isExcused } from "./ast/excused.js";
import { Languages } from "./ast/languages.js";
import { checkSyntax } from "./ast/syntax-check.js";
import { CallChecks } from "./calls/call-checks.js";
import type { FinishedCall } from "./calls/check-call.js";
import { FileLane } from "./lanes/file-lane.js";
import { type LaneHost, nothingMore } from "./lanes/watched-lane.js";
import { openWatchedLane } from "./lanes/zoned-lane.js";
import { compileTriggers, type MatcherSet, TriggerMemory } from "./matcher/index.js";
import { diagnosticOf, judgeRule, sourcesOf } from "./registration.js";
import { Repeats } from "./repeat.js";
import { LoopWatch } from "./repetition/loop-watch.js";
import type {
  InjectedRule,
  Lane,
  LaneInfo,
  LaneOptions,
  SettingsOf,
  TtsrDiagnostic,
  TtsrMatch,
  TtsrSettings,
} from "./types.js";
import { Vetoes } from "./vetoes.js";
import { decide, mayWatch, type RuleWatch } from "./watch.js";

export interface TtsrManagerDeps {
  /** The text of a file as it is on disk, by its path in `LaneInfo.filePath`; undefined: there is none, or it is no text. */
  baseline?(path: string): string | undefined;
  /** Names that a bare word in a scope may mean; default: our own tools. */
  knownTools?: readonly string[];
  /** For rules on syntax. Default: the languages that come with us. */
  languages?: Languages;
  /** Has what was compiled elsewhere. Default: one of its own. */
  memory?: TriggerMemory;
}

/** A file on disk above this counts as not there: all that is written is authored. UTF-16 units. */
const BASELINE_LIMIT = 2 * 1024 * 1024;

/** The edition before the first rule. */
const NO_RULES = 0;

const DEAD_LANE: Lane = { push: () => [], setPath: () => [], close: nothingMore, waiting: false };

/** The rules of a session: which are registered, what they watch, and which of them hold on a text. */
export class TtsrManager {
  readonly #settings: SettingsOf;
  readonly #watches = new Map<string, RuleWatch>();
  readonly #diagnostics: TtsrDiagnostic[] = [];
  readonly #repeats: Repeats;
  readonly #languages: Languages;
  /** A rule's triggers are compiled when it is registered; the set of all rules, and whoever else runs them, has them from here. */
  readonly memory: TriggerMemory;
  #set: MatcherSet | undefined;
  /** Sets of rules that were replaced; lanes of the present attempt may still be open on them. */
  #replaced: MatcherSet[] = [];
  readonly #calls = new CallChecks();
  /** What is to be told of rules on syntax, and what was. */
  readonly #syntaxNews: TtsrDiagnostic[] = [];
  readonly #syntaxTold = new Set<string>();
  /** How many of the set's diagnostics were told. */
  #known = 0;
  #vetoes: Vetoes | undefined;
  #attempt = 0;
  /** Goes up with each rule that is registered. */
  #edition = 0;
  /** With which edition a rule came, as it is now. */
  #came = new Map<string, { hash: string; edition: number }>();

  constructor(
    settings: TtsrSettings | SettingsOf,
    private readonly deps: TtsrManagerDeps = {},
  ) {
    this.#settings = typeof settings === "function" ? settings : () => settings;
    this.#repeats = new Repeats(this.#settings);
    this.#languages = deps.languages ?? new Languages();
    this.memory = deps.memory ?? new TriggerMemory();
  }

  getSettings(): Readonly<TtsrSettings> {
    return this.#settings();
  }

  hasRules(): boolean {
    return this.#watches.size > 0;
  }

  /** Registered rules, in order of registration. */
  rules(): Rule[] {
    return [...this.#watches.values()].map(({ rule }) => rule);
  }

  ruleNamed(name: string): Rule | undefined {
    return this.#watches.get(name)?.rule;
  }

  /** @returns 1: decided at each character; 2: in a worker, line by line; undefined: no trigger of it compiles, or it is not registered */
  tierOf(name: string): 1 | 2 | undefined {
    const tier = this.#watches.has(name) ? this.#matchers().tierOf(name) : "rejected";
    return tier === "rejected" ? undefined : tier;
  }

  /** What there is to tell the authors of the rules, refused ones included. */
  diagnostics(): readonly TtsrDiagnostic[] {
    return this.#diagnostics;
  }

  /**
   * Registers a rule.
   * @returns false where it has no trigger, where one of its name is registered, or where none of its triggers compiles or no part of
   * its scope can be read; `diagnostics()` says why
   */
  addRule(rule: Rule): boolean {
    if (!isStreamRule(rule)) return false;
    const known = this.#watches.get(rule.name);
    if (known) {
      const message = `A rule named "${rule.name}" is already registered from ${known.rule.path}.`;
      this.#diagnostics.push(diagnosticOf(rule, { severity: "warning", code: "duplicate-name", message }));
      return false;
    }
    const { watch, diagnostics } = judgeRule(rule, { ...this.deps, languages: this.#languages, memory: this.memory });
    this.#diagnostics.push(...diagnostics);
    if (!watch) return false;
    this.#watches.set(rule.name, watch);
    this.#came.set(rule.name, { hash: rule.hash, edition: ++this.#edition });
    this.#replaceSet();
    return true;
  }

  /**
   * The rules changed: these take the place of all that were registered, and what is known of those that remain is kept. Lanes that are
   * open go on with the rules they were opened for, as far as these are still registered; `edition` says that there are others by now.
   * @returns the names that were registered
   */
  setRules(rules: readonly Rule[]): Set<string> {
    const before = this.#came;
    this.#came = new Map();
    this.#watches.clear();
    this.#diagnostics.length = 0;
    this.#calls.forget();
    this.memory.turn();
    this.#replaceSet();
    const added = new Set(rules.filter((rule) => this.addRule(rule)).map(({ name }) => name));
    for (const [name, known] of before) if (this.#came.get(name)?.hash === known.hash) this.#came.set(name, known);
    return added;
  }

  /** Stands for the rules that a lane opened now is watched by: what is opened with it as `newerThan` has those that came later. */
  get edition(): number {
    return this.#on() ? this.#edition : NO_RULES;
  }

  /**
   * What the matcher found out about triggers while it ran them, since this was last asked: one is too slow and off for the session, one
   * is watched more slowly. It stands in `diagnostics()` as well.
   */
  takeNews(): TtsrDiagnostic[] {
    const found = this.#set?.diagnostics.slice(this.#known) ?? [];
    this.#known += found.length;
    const news = found.flatMap((finding) => {
      const rule = this.#watches.get(finding.ruleId)?.rule;
      return rule ? [diagnosticOf(rule, finding, { trigger: finding.index })] : [];
    });
    for (const { rule, finding } of this.#calls.takeNews()) news.push(diagnosticOf(rule, finding));
    for (const { rule, finding } of this.#vetoes?.takeNews() ?? [])
      news.push(diagnosticOf(rule, finding, { veto: finding.index }));
    news.push(...this.#syntaxNews.splice(0));
    this.#diagnostics.push(...news);
    return news;
  }

  /** A new turn or attempt: every lane is dropped. */
  resetBuffer(): void {
    this.#attempt++;
    for (const set of this.#replaced) set.dispose();
    this.#replaced = [];
  }

  /** Does what would else be done when the first lane is opened, in the middle of a stream. */
  prepare(): void {
    if (!this.#on()) return;
    this.#matchers().prepare();
  }

  openLane(info: LaneInfo, options: LaneOptions = {}): Lane {
    if (!this.#on()) return DEAD_LANE;
    const attempt = this.#attempt;
    return this.#openLane(
      info,
      options,
      this.#host(() => attempt === this.#attempt && this.#on(), options.newerThan),
    );
  }

  /** Whether some registered rule may watch this source, or some argument of this tool: if not, nothing need be read of it. */
  watches(source: LaneInfo["source"], toolName = "", options: LaneOptions = {}): boolean {
    if (!this.#on()) return false;
    return this.#since(options.newerThan).some((watch) => mayWatch(watch, source, toolName, options));
  }

  /** Whether some rule names the removed lines of this tool's edits. */
  watchesRemoved(toolName: string, like?: string): boolean {
    const options = { readOnly: false, ...(like === undefined ? {} : { like }) };
    return [...this.#watches.values()].some((watch) => {
      return mayWatch(watch, "tool", toolName, options) && watch.scope.tools.some(({ removed }) => removed);
    });
  }

  /**
   * All rules that hold on a text that may still go on, and may fire. Keeps nothing.
   * @param info which lane it is the text of; without it every rule is tried, whatever its scope
   */
  check(buffer: string, info?: LaneInfo): Rule[] {
    if (!this.#on()) return [];
    const host = this.#host(() => true);
    const lane = info
      ? this.#openLane(info, {}, host)
      : openWatchedLane({ ...host, watches: () => host.watches().map(everywhere) }, ANY_LANE, {});
    const found = new Set(lane.push(buffer).map(({ rule }) => rule.name));
    const repeats = info === undefined && new LoopWatch().push(buffer) !== undefined;
    return this.rules().filter((rule) => found.has(rule.name) || (repeats && rule.detect && this.mayFire(rule)));
  }

  /** What a call whose arguments are complete would make of a file, before the rules on syntax (TTSR-4.5). Asked before the call may run. */
  async checkSyntax(
    call: ToolCallBlock,
    contentIndex: number,
    tool: Tool,
    toProjectPath: (path: string) => string,
    signal?: AbortSignal,
  ): Promise<TtsrMatch[]> {
    const watches = [...this.#watches.values()].filter(({ rule }) => rule.astCondition && this.mayFire(rule));
    if (!this.#on() || watches.length === 0) return [];
    const options = { readOnly: tool.readOnly, ...(tool.like === undefined ? {} : { like: tool.like }) };
    return checkSyntax(
      {
        call,
        contentIndex,
        tool,
        toProjectPath,
        baseline: (path) => this.deps.baseline?.(path),
        isExcused: (rule, text, at) => this.isExcused(rule, text, at),
        undecided: (rule, why) => this.syntaxUndecided(rule, why),
      },
      (lane) => watches.filter((watch) => decide(watch, lane, options) === "yes").map(({ rule }) => rule),
      this.#languages,
      signal,
    );
  }

  /** Ends what is kept for rules on syntax. */
  dispose(): void {
    this.#languages.checker.stop();
  }

  /** A rule on syntax could not be tried: told once, with the other news. @param why a part of a sentence */
  syntaxUndecided(rule: Rule, why: string): void {
    const key = `${rule.name} ${rule.hash} ${why}`;
    if (this.#syntaxTold.has(key)) return;
    this.#syntaxTold.add(key);
    const message = `A file was let pass without its \`astCondition\`: ${why}.`;
    this.#syntaxNews.push(diagnosticOf(rule, { severity: "warning", code: "undecided", message }));
  }

  /** Whether an exception of the rule holds for what stands there in the text of a file (TTSR-3.5). */
  isExcused(rule: Rule, text: string, at: { start: number; end: number }): boolean {
    return isExcused(rule, text, at, (of, lines) => this.#exceptions().hold(of, lines));
  }

  /** What a call whose arguments are complete says to the rules on calls as a whole. Asked before the call may run. */
  checkCall(call: FinishedCall): TtsrMatch[] {
    const watches = [...this.#watches.values()].filter(({ rule, calls }) => calls && this.mayFire(rule));
    if (!this.#on() || watches.length === 0) return [];
    return this.#calls.check(call, watches);
  }

  /** Whether the rule may fire in this attempt (TTSR-5). */
  mayFire(rule: Rule): boolean {
    return rule.enabled !== false && this.#repeats.mayFire(rule);
  }

  markInjected(rules: readonly Rule[]): void {
    this.#repeats.mark(rules);
  }

  /** What was to be injected never reached the model. */
  unmarkInjected(names: readonly string[]): void {
    this.#repeats.unmark(names);
  }

  /** Takes the place of what was known: the session's branch says what was injected in it. Bare names count from the present turn. */
  restoreInjected(rules: readonly (string | InjectedRule)[]): void {
    this.#repeats.restore(rules);
  }

  /** Says whose text stands in the context that will be sent; a rule with `once` is quiet only as long as its text does. */
  setVisible(names: Iterable<string>): void {
    this.#repeats.setVisible(names);
  }

  /** @returns in how many turns before the present one the rule was last injected; undefined: never in this branch */
  turnsSinceInjected(name: string): number | undefined {
    return this.#repeats.turnsSince(name);
  }

  /** A turn ended; a cut attempt is none. */
  turnEnded(): void {
    this.#repeats.turnEnded();
  }

  #on(): boolean {
    return this.#watches.size > 0 && this.#settings().enabled;
  }

  #openLane(info: LaneInfo, options: LaneOptions, host: LaneHost): Lane {
    const { baseline } = this.deps;
    const file = options.wholeFile ?? (info.toolName === "write" && info.argument === "content");
    if (!file || !baseline) return openWatchedLane(host, info, options);
    const onDisk = (path: string): string | undefined => {
      const text = baseline(path);
      return text !== undefined && text.length <= BASELINE_LIMIT ? text : undefined;
    };
    return new FileLane(info, onDisk, (part, before) => {
      return openWatchedLane(host, part, before ? { ...options, before } : options);
    });
  }

  /** Rules that came after an edition, in order of registration. */
  #since(edition = NO_RULES): RuleWatch[] {
    const watches = [...this.#watches.values()];
    if (edition === NO_RULES) return watches;
    return watches.filter(({ rule }) => (this.#came.get(rule.name)?.edition ?? edition) > edition);
  }

  #host(alive: () => boolean, newerThan?: number): LaneHost {
    const watches = this.#since(newerThan);
    const set = this.#matchers();
    const vetoes = this.#exceptions();
    return {
      alive,
      watches: () => watches,
      armed: (rule) => this.mayFire(rule),
      vetoed: (rule, text) => vetoes.hold(rule, text),
      steps: () => set.stats().threadSteps,
      openCursor: (rules, onLate, before) => set.open((name) => rules.has(name), onLate, before),
      ruleNamed: (name) => this.#watches.get(name)?.rule,
    };
  }

  #replaceSet(): void {
    if (this.#set) this.#replaced.push(this.#set);
    this.#set = undefined;
    this.#vetoes = undefined;
  }

  /** One set for all rules, made when it is first needed after a change. */
  #matchers(): MatcherSet {
    if (!this.#set) {
      this.#set = compileTriggers(this.rules().flatMap(sourcesOf), {}, this.memory);
      this.#known = this.#set.diagnostics.length;
    }
    return this.#set;
  }

  #exceptions(): Vetoes {
    this.#vetoes ??= new Vetoes(this.memory);
    return this.#vetoes;
  }
}

/** A lane that is nothing in particular, and rules that watch it whatever their scope. */
const ANY_LANE: LaneInfo = { source: "tool", contentIndex: 0 };
function everywhere({ rule }: RuleWatch): RuleWatch {
  return { rule, scope: { text: false, thinking: false, tools: [{ explicit: true, removed: false }] } };
}
