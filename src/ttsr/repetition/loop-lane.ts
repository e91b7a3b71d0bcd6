import type { Rule } from "../../capability/rule.js";
import type { Lane, LaneInfo, TtsrMatch } from "../types.js";
import { type Loop, LoopWatch } from "./loop-watch.js";

/** What the lane needs of the manager. */
interface LoopHost {
  alive(): boolean;
  armed(rule: Rule): boolean;
  ruleNamed(name: string): Rule | undefined;
}

/** A lane of prose in front of rules that look for repetition; their patterns and those of others see it through `patterns`. */
export class LoopLane implements Lane {
  readonly #watch = new LoopWatch();

  constructor(
    private readonly host: LoopHost,
    private readonly info: LaneInfo,
    private readonly names: readonly string[],
    private readonly patterns: Lane,
  ) {}

  get waiting(): boolean {
    return this.patterns.waiting;
  }

  push(delta: string): TtsrMatch[] {
    const matches = this.patterns.push(delta);
    const loop = this.host.alive() ? this.#watch.push(delta) : undefined;
    return loop ? [...matches, ...this.#matches(loop)] : matches;
  }

  setPath(path: string): TtsrMatch[] {
    return this.patterns.setPath(path);
  }

  close(): ReturnType<Lane["close"]> {
    const { now, late } = this.patterns.close();
    const loop = this.host.alive() ? this.#watch.close() : undefined;
    return { now: loop ? [...now, ...this.#matches(loop)] : now, late };
  }

  #matches({ what, ...place }: Loop): TtsrMatch[] {
    return this.names.flatMap((name) => {
      const rule = this.host.ruleNamed(name);
      return rule?.detect && this.host.armed(rule) ? [matchOf(rule, this.info, what, place)] : [];
    });
  }
}

function matchOf(rule: Rule, lane: LaneInfo, repeats: string, place: Omit<Loop, "what">): TtsrMatch {
  const trigger = rule.ttsrTrigger.length + (rule.astCondition?.length ?? 0);
  return { rule, trigger, lane, ...place, repeats };
}
