import type { Rule } from "../../capability/rule.js";
import type { Settled, StreamCursor } from "../matcher/index.js";
import { ProseFilter } from "../prose.js";
import type { Lane, LaneInfo, LaneOptions, TtsrMatch } from "../types.js";
import { vetoReach } from "../vetoes.js";
import { type Decision, decide, type RuleWatch } from "../watch.js";
import type { TextFilter } from "../zones/zone-filter.js";
import { excerptOf } from "./excerpt.js";
import { type Hit, LaneCursor } from "./lane-cursor.js";
import { Tail } from "./tail.js";
import { Unless } from "./unless.js";

/** What a lane needs of the manager. */
export interface LaneHost {
  /** False once the lane's attempt is over or the feature was switched off. */
  alive(): boolean;
  watches(): readonly RuleWatch[];
  /** May the rule fire now? */
  armed(rule: Rule): boolean;
  /** Whether an exception of the rule holds on this text. */
  vetoed(rule: Rule, text: string): boolean;
  /** Steps that the matcher has taken so far. */
  steps(): number;
  openCursor(rules: ReadonlySet<string>, onLate: (settled: Settled) => void, before: string): StreamCursor;
  ruleNamed(name: string): Rule | undefined;
}

/** Units before the end of a match of which its excerpt is made. */
const EXCERPT = 1_024;
/** Of a rule without exceptions. */
const NO_LINES = { within: 0, after: 0 };
const NO_HITS: readonly Hit[] = [];
const NO_LATE: Promise<TtsrMatch[]> = Promise.resolve([]);

/** @returns the end of a lane in which nothing more can be found */
export function nothingMore(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
  return { now: [], late: NO_LATE };
}

/** One text of the stream, in front of the rules that watch it. */
export class WatchedLane implements Lane {
  #info: LaneInfo;
  #cursors: LaneCursor[] = [];
  /** Rules that depend on the file, and the text they have not seen. */
  #waiting: RuleWatch[] = [];
  #unseen = "";
  readonly #prose: TextFilter | undefined;
  /** Rules with exceptions, from their first match on. */
  readonly #judged = new Map<string, Unless>();
  /** The lane's text as it is, and as the rules see it; the same where nothing is hidden. */
  readonly #raw = new Tail();
  readonly #seen: Tail;

  constructor(
    private readonly host: LaneHost,
    info: LaneInfo,
    private readonly options: LaneOptions,
    filter: TextFilter | undefined = info.source === "tool" ? undefined : new ProseFilter(),
  ) {
    this.#info = { ...info };
    this.#prose = filter;
    this.#seen = this.#prose ? new Tail() : this.#raw;
    const armed = host.watches().filter(({ rule }) => host.armed(rule));
    this.#watch(this.#those(armed, options, "yes"));
    this.#waiting = this.#those(armed, options, "wait");
  }

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  push(delta: string): TtsrMatch[] {
    if (!this.#active()) return [];
    this.#raw.append(delta, this.waiting);
    if (this.waiting) this.#unseen += delta;
    if (!this.#prose) return this.#feed(delta);
    return this.#feedProse(this.#prose.push(delta));
  }

  setPath(path: string): TtsrMatch[] {
    this.#info = { ...this.#info, filePath: path };
    return this.#active() ? this.#settleWaiting(this.options) : [];
  }

  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    if (!this.#active()) return nothingMore();
    const now = this.#prose
      ? this.#feedProse(this.#prose.close())
      : this.#settleWaiting({ ...this.options, expectsPath: false });
    const ends = this.#cursors.map((cursor) => cursor.end());
    this.#stop();
    now.push(...this.#matches(ends.flatMap((end) => this.#judge(end.now))));
    const judged = [...this.#judged.values()].map((unless) => unless.close());
    now.push(...this.#matches(judged.flatMap((end) => end.now)));
    const late = [
      ...ends.map((end) => end.late.then((hits) => this.#judgeLate(hits))),
      ...judged.map((end) => end.late),
    ];
    return { now, late: Promise.all(late).then((all) => this.#matches(all.flat())) };
  }

  #active(): boolean {
    if (this.#cursors.length === 0 && !this.waiting) return false;
    if (this.host.alive()) return true;
    this.#stop();
    return false;
  }

  #stop(): void {
    this.#cursors = [];
    this.#waiting = [];
    this.#unseen = "";
  }

  #those(watches: readonly RuleWatch[], options: LaneOptions, decision: Decision): RuleWatch[] {
    return watches.filter((watch) => decide(watch, this.#info, options) === decision);
  }

  #watch(watches: readonly RuleWatch[]): LaneCursor | undefined {
    if (watches.length === 0) return undefined;
    const rules = new Set(watches.map(({ rule }) => rule.name));
    const cursor = new LaneCursor(
      (...how) => this.host.openCursor(rules, ...how),
      this.#seen,
      0,
      (hit) => this.#late(hit),
    );
    this.#cursors.push(cursor);
    return cursor;
  }

  /** The rules that waited see the text from its beginning, or never. */
  #settleWaiting(options: LaneOptions): TtsrMatch[] {
    const cursor = this.#watch(this.#those(this.#waiting, options, "yes"));
    const matches = cursor ? this.#matches(this.#judge(cursor.feed(this.#unseen))) : [];
    this.#waiting = [];
    this.#unseen = "";
    return matches;
  }

  #feedProse(text: string): TtsrMatch[] {
    this.#seen.append(text, false);
    return this.#feed(text);
  }

  #feed(text: string): TtsrMatch[] {
    // Those that are judged already go first: what the cursors find now is judged with all of this text.
    const judged =
      this.#judged.size === 0 ? NO_HITS : [...this.#judged.values()].flatMap((unless) => unless.feed(text));
    const [first, ...others] = this.#cursors;
    const hits = first ? first.feed(text) : [];
    for (const cursor of others) hits.push(...cursor.feed(text));
    if (hits.length + judged.length === 0) return [];
    return this.#matches([...judged, ...this.#judge(hits)].sort((a, b) => a.end - b.end));
  }

  /** @returns the hits that stand, of rules with exceptions those that are let through by now */
  #judge(hits: readonly Hit[]): Hit[] {
    return hits.flatMap((hit) => this.#unlessOf(hit)?.begin(hit) ?? [hit]);
  }

  /** The same, when the lane is complete. */
  async #judgeLate(hits: readonly Hit[]): Promise<Hit[]> {
    const judged = hits.map(async (hit) => {
      const unless = this.#unlessOf(hit);
      if (!unless) return [hit];
      const begun = unless.begin(hit);
      const { now, late } = unless.close();
      return [...begun, ...now, ...(await late)];
    });
    return (await Promise.all(judged)).flat();
  }

  #unlessOf({ ruleId }: Hit): Unless | undefined {
    const rule = this.host.ruleNamed(ruleId);
    const { every = false } = this.options;
    const exceptions = rule && vetoReach(rule);
    const reach = exceptions ?? (rule && every ? NO_LINES : undefined);
    if (!rule || !reach) return undefined;
    const names = new Set([ruleId]);
    const unless = new Unless({
      seen: this.#seen,
      raw: this.#raw,
      reach,
      every,
      startOf: (hit) => hit.start(rule.ttsrTrigger[hit.trigger] ?? "", exceptions !== undefined),
      vetoed: (text) => this.host.vetoed(rule, text),
      steps: () => this.host.steps(),
      open: (from, onLate) => new LaneCursor((...how) => this.host.openCursor(names, ...how), this.#seen, from, onLate),
      onLate: (hits) => this.#tellLate(hits),
    });
    this.#judged.set(ruleId, unless);
    return unless;
  }

  #late(hit: Hit): void {
    this.#tellLate(this.#judge([hit]));
  }

  #tellLate(hits: readonly Hit[]): void {
    if (!this.host.alive()) return;
    const matches = this.#matches(hits);
    if (matches.length > 0) this.options.onLate?.(matches);
  }

  #matches(hits: readonly Hit[]): TtsrMatch[] {
    const matches: TtsrMatch[] = [];
    for (const hit of hits) {
      const { ruleId, trigger, end } = hit;
      const rule = this.host.ruleNamed(ruleId);
      if (!rule || !this.host.armed(rule)) continue;
      const pattern = rule.ttsrTrigger[trigger] ?? "";
      if (!hit.certain && hit.start(pattern) === "none") continue;
      const before = this.#raw.slice(end - EXCERPT, end).text;
      let start: number | undefined;
      matches.push({
        rule,
        trigger,
        lane: this.#info,
        end,
        // Looked for when they are asked for: between a match and the abort nothing is done that can wait.
        get start() {
          start ??= startOf(hit, pattern);
          return start;
        },
        get excerpt() {
          return excerptOf(before);
        },
      });
    }
    return matches;
  }
}

function startOf(hit: Hit, pattern: string): number {
  const found = hit.start(pattern);
  return typeof found === "number" ? found : hit.end;
}
