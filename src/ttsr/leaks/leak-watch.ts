/**
 * Watches the model's prose for its chat template (C76). What it finds is a fault of the provider, not a broken rule: it needs no rule and
 * heeds no setting of theirs. Thinking is not watched, for models name tokens there without quotes, and nothing of it is an answer;
 * neither are calls, which may well write a tokenizer.
 */
import type { Leak, StreamPart } from "../../agent/ports.js";
import { Tail } from "../lanes/tail.js";
import { compileTriggers, type MatcherSet, type Settled, type StreamCursor } from "../matcher/index.js";
import { PROSE_KINDS, ProseFilter, type ProseKind } from "../prose.js";
import { LEAK_PATTERNS, MAY_BEGIN, MAY_BEGIN_LENGTH, NAMED } from "./patterns.js";

/** A leak, and where it settled. */
export interface PlacedLeak extends Leak {
  /** UTF-16 units of the block's text that had to be known. */
  end: number;
}

/** Fenced code included, unlike for rules: an example of a template is no leak. */
const HIDDEN_KINDS: ReadonlySet<ProseKind> = new Set(PROSE_KINDS.filter((kind) => kind !== "prose"));
/** Units in front of what may begin a leak that the matcher is shown, as its left context. */
const CONTEXT = 256;
/** Units before the end of a leak in which its token is looked for. */
const LOOK_BACK = 4_096;

/** One for all lanes of all sessions: it never changes. Made when something may begin a leak; in most sessions nothing does. */
let shared: MatcherSet | undefined;

function openCursor(): StreamCursor {
  shared ??= compileTriggers(LEAK_PATTERNS.map((pattern, index) => ({ ruleId: "leak", pattern, index })));
  return shared.open(() => true);
}

export class LeakWatch {
  readonly #lanes = new Map<number, LeakLane>();

  /** A new attempt: nothing joins across. */
  open(): void {
    this.#lanes.clear();
  }

  /** @returns what this part of the stream settles; of a block only the first */
  inspect(part: StreamPart): PlacedLeak | undefined {
    switch (part.type) {
      case "start":
        this.#lanes.clear();
        return undefined;
      case "text_delta":
        return this.#lane(part.index).push(part.text);
      case "block_end":
        return this.#close(part.index);
      case "finish":
        for (const index of this.#lanes.keys()) {
          const leak = this.#close(index);
          if (leak) return leak;
        }
        return undefined;
      default:
        return undefined;
    }
  }

  #lane(index: number): LeakLane {
    let lane = this.#lanes.get(index);
    if (!lane) {
      lane = new LeakLane();
      this.#lanes.set(index, lane);
    }
    return lane;
  }

  #close(index: number): PlacedLeak | undefined {
    const lane = this.#lanes.get(index);
    this.#lanes.delete(index);
    return lane?.close();
  }
}

class LeakLane {
  /** The text so far, until something in it may begin a leak, be it in code; that is then seen from the beginning. */
  #unfiltered = "";
  #prose: ProseFilter | undefined;
  readonly #seen = new Tail();
  /** The end of what was searched, in which a leak may have begun. */
  #edge = "";
  #cursor: StreamCursor | undefined;
  /** Where in the text the cursor begins. */
  #from = 0;

  push(delta: string): PlacedLeak | undefined {
    if (this.#prose) return this.#feed(this.#prose.push(delta));
    this.#unfiltered += delta;
    if (this.#mayBegin(delta) === undefined) return undefined;
    this.#prose = new ProseFilter(HIDDEN_KINDS);
    const text = this.#unfiltered;
    this.#unfiltered = "";
    this.#edge = "";
    return this.#feed(this.#prose.push(text));
  }

  close(): PlacedLeak | undefined {
    if (!this.#prose) return undefined;
    return this.#feed(this.#prose.close()) ?? this.#leak(this.#cursor?.end().now);
  }

  #feed(text: string): PlacedLeak | undefined {
    this.#seen.append(text, false);
    if (this.#cursor) return this.#leak(this.#cursor.feed(text));
    const back = this.#mayBegin(text);
    if (back === undefined) return undefined;
    const { end } = this.#seen;
    const before = this.#seen.slice(end - back - CONTEXT, end);
    this.#from = before.at;
    this.#cursor = openCursor();
    return this.#leak(this.#cursor.feed(before.text));
  }

  /** @returns how far before the end of the text so far something begins that may be a leak */
  #mayBegin(text: string): number | undefined {
    const unread = this.#edge + text;
    const at = unread.search(MAY_BEGIN);
    if (at >= 0) return unread.length - at;
    this.#edge = unread.slice(-MAY_BEGIN_LENGTH);
    return undefined;
  }

  #leak(settled: readonly Settled[] = []): PlacedLeak | undefined {
    const [first] = settled;
    if (!first) return undefined;
    const end = this.#from + first.position;
    const { text } = this.#seen.slice(end - LOOK_BACK, end);
    const token = text.match(NAMED)?.at(-1) ?? text.trim().slice(-40);
    return { token, end };
  }
}
