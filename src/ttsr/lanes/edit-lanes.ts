import type { LaneInfo, TtsrMatch } from "../types.js";
import type { OpenPart } from "./file-lane.js";
import { KnownLines, LineRuns } from "./line-runs.js";

type Field = "old" | "new";

interface Item {
  old: string;
  new: string;
  ended: Set<Field>;
  /** Runs of added lines; open from the moment the old text is known, or will not be. */
  added?: LineRuns;
}

/**
 * The replacements of one call: added lines in lanes `added`, removed ones in `removed` (TTSR-2.4). Added lines wait for the old text if
 * it comes behind the new one, at most until the replacement is complete; removed lines are decided when the new text is.
 */
export class EditLanes {
  readonly #items = new Map<string, Item>();
  readonly #late: Promise<TtsrMatch[]>[] = [];
  #addedParts = 0;
  #removedParts = 0;

  constructor(
    private readonly info: () => LaneInfo,
    private readonly open: OpenPart,
    private readonly watchRemoved: boolean,
  ) {}

  start(index: string, field: Field): void {
    const item = this.#item(index);
    item[field] = "";
    item.ended.delete(field);
  }

  push(index: string, field: Field, text: string): TtsrMatch[] {
    const item = this.#item(index);
    item[field] += text;
    return field === "new" && item.added ? item.added.push(text) : [];
  }

  end(index: string, field: Field): TtsrMatch[] {
    const item = this.#item(index);
    item.ended.add(field);
    if (!item.ended.has("old")) return [];
    const matches = item.added ? [] : this.#catchUp(item);
    if (!item.ended.has("new")) return matches;
    this.#items.delete(index);
    return [...matches, ...this.#endItem(item)];
  }

  /** The replacement is complete. */
  closeItem(index: string): TtsrMatch[] {
    const item = this.#items.get(index);
    if (!item) return [];
    this.#items.delete(index);
    return [...(item.added ? [] : this.#catchUp(item)), ...this.#endItem(item)];
  }

  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    const now = [...this.#items.keys()].flatMap((index) => this.closeItem(index));
    return { now, late: Promise.all(this.#late).then((all) => all.flat()) };
  }

  #item(index: string): Item {
    let item = this.#items.get(index);
    if (!item) {
      item = { old: "", new: "", ended: new Set() };
      this.#items.set(index, item);
    }
    return item;
  }

  #catchUp(item: Item): TtsrMatch[] {
    item.added = new LineRuns(new KnownLines(item.old), (before) => {
      return this.open({ ...this.info(), argument: "added", part: this.#addedParts++ }, before);
    });
    return item.added.push(item.new);
  }

  #endItem(item: Item): TtsrMatch[] {
    if (!item.added) return [];
    const { now, late } = item.added.close();
    delete item.added;
    this.#late.push(late);
    return [...now, ...(this.watchRemoved ? this.#removed(item) : [])];
  }

  #removed(item: Item): TtsrMatch[] {
    const runs = new LineRuns(new KnownLines(item.new), (before) => {
      return this.open({ ...this.info(), argument: "removed", part: this.#removedParts++ }, before);
    });
    const matches = runs.push(item.old);
    const { now, late } = runs.close();
    this.#late.push(late);
    return [...matches, ...now];
  }
}
