/** Would these rules have fired on what was written before, where, and at what cost? */
import type { OccurrenceCount } from "../../agent/messages.js";
import type { Rule } from "../../capability/rule.js";
import { Bench, type Lab } from "../proving/run-sample.js";
import type { LaneInfo, TtsrMatch } from "../types.js";
import { WarmUps } from "../warm-up.js";
import type { Transcript, Written } from "./transcript.js";

export interface BacktestHit {
  /** Path of the transcript. */
  file: string;
  place: string;
  excerpt: string;
  source: LaneInfo["source"];
  toolName?: string;
  filePath?: string;
  /** The model seems to speak of what the rule forbids, rather than to do it. */
  quote: boolean;
  /** Output tokens that an interrupt would have thrown away: about four characters each. */
  tokensCut: number;
}

export interface BacktestResult {
  rule: string;
  hits: BacktestHit[];
}

/** Rules on the bench, and what they did on each transcript so far. */
export class Backtest {
  readonly #bench: Bench;
  readonly #hits: Map<string, BacktestHit[]>;
  messages = 0;

  constructor(rules: readonly Rule[], lab: Lab) {
    this.#bench = new Bench(rules, lab);
    this.#hits = new Map(rules.map(({ name }) => [name, []]));
  }

  /** @param file as it is to be named in hits */
  async add(file: string, { messages }: Transcript): Promise<void> {
    const counts: OccurrenceCount[] = [];
    const warmUps = new WarmUps(() => counts);
    for (const message of messages) {
      this.messages++;
      const matches = await this.#bench.stream(message.parts);
      const acting = matches.filter((match) => warmUps.note(match) === "acts");
      counts.push(...warmUps.close());
      for (const match of acting) {
        this.#hits.get(match.rule.name)?.push(hitOf(file, message, match));
      }
    }
  }

  /** One entry a rule, in the order in which they were given. */
  results(): BacktestResult[] {
    return [...this.#hits].map(([rule, hits]) => ({ rule, hits }));
  }
}

function hitOf(file: string, { place, lengths }: Written, { lane, end, excerpt, repeats }: TtsrMatch): BacktestHit {
  const before = lengths.slice(0, lane.contentIndex).reduce((sum, length) => sum + length, 0);
  return {
    file,
    place,
    excerpt,
    source: lane.source,
    ...(lane.toolName === undefined ? {} : { toolName: lane.toolName }),
    ...(lane.filePath === undefined ? {} : { filePath: lane.filePath }),
    quote: lane.source !== "tool" && repeats === undefined && speaksOfIt(excerpt),
    tokensCut: Math.ceil((before + end) / 4),
  };
}

const ABOUT =
  /\b(?:avoid|never|don't|do not|not use|no longer|instead of|rather than|without|remov\w+|replac\w+|forbid\w*|prohibit\w*)\b/i;

/** @param excerpt the line up to the end of the match */
function speaksOfIt(excerpt: string): boolean {
  return ABOUT.test(excerpt) || /["'“‘«][^"'”’»]*$/.test(excerpt);
}
