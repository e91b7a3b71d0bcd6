/** One text in front of rules that look at different zones of it (TTSR-3.3), and of those that look for repetition. */
import { onlyDetects } from "../../capability/rule.js";
import { LoopLane } from "../repetition/loop-lane.js";
import type { Lane, LaneInfo, LaneOptions, TtsrMatch } from "../types.js";
import { decide, namesTool, type RuleWatch } from "../watch.js";
import { isScript, zoneFilter, zonesKey, zonesWait } from "../zones/zone-filter.js";
import { type LaneHost, WatchedLane } from "./watched-lane.js";

/** @returns one lane for all rules */
export function openWatchedLane(host: LaneHost, info: LaneInfo, options: LaneOptions): Lane {
  if (info.source === "tool") return openPatternLane(host, info, options);
  const watches = host.watches();
  const detecting = watches.filter((watch) => {
    return watch.rule.detect && host.armed(watch.rule) && decide(watch, info, options) === "yes";
  });
  if (detecting.length === 0) return openPatternLane(host, info, options);
  const others = watches.filter(({ rule }) => !onlyDetects(rule));
  const patterns = openPatternLane({ ...host, watches: () => others }, info, options);
  const names = detecting.map(({ rule }) => rule.name);
  return new LoopLane(host, info, names, patterns);
}

/** @returns a single lane where no rule has `in`, as nearly always */
function openPatternLane(host: LaneHost, info: LaneInfo, options: LaneOptions): Lane {
  if (!isScript(info) && !host.watches().some(({ rule }) => rule.in)) return new WatchedLane(host, info, options);
  const keyOf = (watch: RuleWatch) => zonesKey(watch.rule, info, namesTool(watch, info, options));
  const keys = new Set(host.watches().map(keyOf));
  const only = (key: string | undefined): LaneHost => ({
    ...host,
    watches: () => host.watches().filter((watch) => keyOf(watch) === key),
  });
  const plain = new WatchedLane(only(undefined), info, options);
  keys.delete(undefined);
  if (keys.size === 0) return plain;
  const open = (now: LaneInfo, waits: boolean): Lane[] =>
    [...keys].flatMap((key) => {
      if (key === undefined) return [];
      return [
        new WatchedLane(
          only(key),
          now,
          waits ? options : { ...options, expectsPath: false },
          zoneFilter(key, now, options.before),
        ),
      ];
    });
  return new ZonedLane(plain, open, info);
}

class ZonedLane implements Lane {
  #info: LaneInfo;
  /** One for each choice of zones; undefined while the file must be known first. */
  #views: Lane[] | undefined;
  #held = "";

  constructor(
    private readonly plain: Lane,
    private readonly open: (info: LaneInfo, waits: boolean) => Lane[],
    info: LaneInfo,
  ) {
    this.#info = info;
    if (!zonesWait(info)) this.#views = open(info, true);
  }

  get waiting(): boolean {
    return this.#views === undefined || this.plain.waiting || this.#views.some((view) => view.waiting);
  }

  push(delta: string): TtsrMatch[] {
    const matches = this.plain.push(delta);
    if (!this.#views) this.#held += delta;
    else for (const view of this.#views) matches.push(...view.push(delta));
    return matches;
  }

  setPath(path: string): TtsrMatch[] {
    const matches = this.plain.setPath(path);
    this.#info = { ...this.#info, filePath: path };
    if (!this.#views) return [...matches, ...this.#start(true)];
    for (const view of this.#views) matches.push(...view.setPath(path));
    return matches;
  }

  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    const begun = this.#views ? [] : this.#start(false);
    const ends = [this.plain, ...(this.#views ?? [])].map((lane) => lane.close());
    const late = Promise.all(ends.map((end) => end.late)).then((all) => all.flat());
    return { now: [...begun, ...ends.flatMap((end) => end.now)], late };
  }

  #start(waits: boolean): TtsrMatch[] {
    const held = this.#held;
    this.#held = "";
    this.#views = this.open(this.#info, waits);
    return this.#views.flatMap((view) => view.push(held));
  }
}
