import type { Rule } from "../../capability/rule.js";
import { matchStart, type Settled, type StreamCursor } from "../matcher/index.js";
import { ProseFilter } from "../prose.js";
import type { Lane, LaneInfo, LaneOptions, TtsrMatch } from "../types.js";
import { type Decision, decide, type RuleWatch } from "../watch.js";
import type { TextFilter } from "../zones/zone-filter.js";
import { excerptOf } from "./excerpt.js";
import { Tail } from "./tail.js";

/** What a lane needs of the manager. */
export interface LaneHost {
  /** False once the lane's attempt is over or the feature was switched off. */
  alive(): boolean;
  watches(): readonly RuleWatch[];
  /** May the rule fire now? */
  armed(rule: Rule): boolean;
  openCursor(rules: ReadonlySet<string>, onLate: (settled: Settled) => void): StreamCursor;
  ruleNamed(name: string): Rule | undefined;
}

/** Units before the end of a match in which its start is looked for. */
const LOOK_BACK = 4096;
const NO_LATE: Promise<TtsrMatch[]> = Promise.resolve([]);

/** @returns the end of a lane in which nothing more can be found */
export function nothingMore(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
  return { now: [], late: NO_LATE };
}

/** One text of the stream, in front of the rules that watch it. */
export class WatchedLane implements Lane {
  #info: LaneInfo;
  #cursors: StreamCursor[] = [];
  /** Rules that depend on the file, and the text they have not seen. */
  #waiting: RuleWatch[] = [];
  #unseen = "";
  readonly #prose: TextFilter | undefined;
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
    now.push(...ends.flatMap((end) => this.#matches(end.now)));
    const late = Promise.all(ends.map((end) => end.late)).then((all) =>
      all.flatMap((settled) => this.#matches(settled)),
    );
    return { now, late };
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

  #watch(watches: readonly RuleWatch[]): StreamCursor | undefined {
    if (watches.length === 0) return undefined;
    const cursor = this.host.openCursor(new Set(watches.map(({ rule }) => rule.name)), (settled) =>
      this.#late(settled),
    );
    this.#cursors.push(cursor);
    return cursor;
  }

  /** The rules that waited see the text from its beginning, or never. */
  #settleWaiting(options: LaneOptions): TtsrMatch[] {
    const cursor = this.#watch(this.#those(this.#waiting, options, "yes"));
    const matches = cursor ? this.#matches(cursor.feed(this.#unseen)) : [];
    this.#waiting = [];
    this.#unseen = "";
    return matches;
  }

  #feedProse(text: string): TtsrMatch[] {
    this.#seen.append(text, false);
    return this.#feed(text);
  }

  #feed(text: string): TtsrMatch[] {
    const settled = this.#cursors.flatMap((cursor) => cursor.feed(text));
    return settled.length === 0 ? [] : this.#matches(settled.sort((a, b) => a.position - b.position));
  }

  #late(settled: Settled): void {
    if (!this.host.alive()) return;
    const matches = this.#matches([settled]);
    if (matches.length > 0) this.options.onLate?.(matches);
  }

  #matches(settled: readonly Settled[]): TtsrMatch[] {
    const matches: TtsrMatch[] = [];
    for (const each of settled) {
      const { ruleId, trigger, position } = each;
      const rule = this.host.ruleNamed(ruleId);
      if (!rule || !this.host.armed(rule)) continue;
      const start = each.start ?? this.#startOf(rule, each);
      const excerpt = excerptOf(this.#raw.slice(position - LOOK_BACK, position).text);
      matches.push({ rule, trigger, lane: this.#info, start, end: position, excerpt });
    }
    return matches;
  }

  /** @returns where the match begins, else its end */
  #startOf(rule: Rule, { trigger, position, settledBy }: Settled): number {
    const { text, at } = this.#seen.slice(position - LOOK_BACK, position);
    const found = matchStart(rule.ttsrTrigger[trigger] ?? "", { text, whole: at === 0 }, settledBy);
    return typeof found === "number" ? at + found : position;
  }
}
