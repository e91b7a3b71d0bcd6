/** The growing parts of the transcript. Deltas are only put away here; `settle` works them in, once a flush. */
import { BlockSplitter } from "../stream/block-splitter.js";
import { PartialArgs } from "../stream/partial-args.js";
import type { PieceBody, ToolView } from "./pieces.js";

export interface Entry {
  /** Finished pieces that have not been printed. */
  readonly ready: PieceBody[];
  /** What is still growing; undefined when there is nothing of it. */
  readonly open: PieceBody | undefined;
  /** Belongs to an attempt that is still streaming: printed only when it must. */
  held: boolean;
  rewound: boolean;
  /** Works in what has arrived. */
  settle(): void;
  /** Nothing more is coming. */
  close(): void;
}

/** Something that is finished from the start. */
export class FixedEntry implements Entry {
  readonly ready: PieceBody[];
  readonly open = undefined;
  rewound = false;

  constructor(
    body: PieceBody,
    public held = false,
  ) {
    this.ready = [body];
  }

  settle(): void {
    // Finished from the start.
  }

  close(): void {
    // Finished from the start.
  }
}

export class TextEntry implements Entry {
  readonly ready: PieceBody[] = [];
  held = true;
  rewound = false;
  readonly #splitter = new BlockSplitter();
  #pending = "";
  #open: PieceBody | undefined;

  get open(): PieceBody | undefined {
    return this.#open;
  }

  push(text: string): void {
    this.#pending += text;
  }

  settle(): void {
    if (this.#pending === "") return;
    for (const block of this.#splitter.push(this.#pending)) this.ready.push({ kind: "block", block });
    this.#pending = "";
    const block = this.#splitter.live;
    this.#open = block && { kind: "block", block };
  }

  close(): void {
    this.settle();
    for (const block of this.#splitter.close()) this.ready.push({ kind: "block", block });
    this.#open = undefined;
  }
}

export class ThinkingEntry implements Entry {
  readonly ready: PieceBody[] = [];
  held = true;
  rewound = false;
  #text = "";
  #pending = "";
  #closed = false;
  #open: PieceBody | undefined;

  get open(): PieceBody | undefined {
    return this.#open;
  }

  push(text: string): void {
    this.#pending += text;
  }

  settle(): void {
    if (this.#pending === "" || this.#closed) return;
    this.#text += this.#pending;
    this.#pending = "";
    this.#open = this.#text.trim() === "" ? undefined : { kind: "thinking", text: this.#text, open: true };
  }

  close(): void {
    this.settle();
    if (!this.#closed && this.#text.trim() !== "") this.ready.push({ kind: "thinking", text: this.#text, open: false });
    this.#closed = true;
    this.#open = undefined;
  }
}

export class ToolEntry implements Entry {
  readonly ready: PieceBody[] = [];
  held = true;
  rewound = false;
  readonly #args = new PartialArgs();
  #pending = "";
  #view: ToolView;
  #body: PieceBody;
  #closed = false;

  constructor(id: string, name: string) {
    this.#view = { id, name, target: "", phase: "writing" };
    this.#body = { kind: "tool", tool: this.#view };
  }

  get view(): ToolView {
    return this.#view;
  }

  get open(): PieceBody | undefined {
    return this.#closed ? undefined : this.#body;
  }

  push(text: string): void {
    this.#pending += text;
  }

  settle(): void {
    if (this.#pending === "") return;
    this.#args.push(this.#pending);
    this.#pending = "";
    const { draft } = this.#args;
    this.update({
      target: targetOf((name) => this.#args.strings.get(name)) || this.#view.target,
      ...(draft ? { draft } : {}),
    });
  }

  update(change: Partial<ToolView>): void {
    this.#view = { ...this.#view, ...change };
    this.#body = { kind: "tool", tool: this.#view };
  }

  /** The call has its result, or will never have one. */
  finish(change: Partial<ToolView>): void {
    if (this.#closed) return;
    this.update(change);
    this.#closed = true;
    this.ready.push(this.#body);
  }

  close(): void {
    this.settle();
    this.finish(this.#view.phase === "done" ? {} : { phase: "dropped" });
  }

  /** Cut off while it was being written: it stays as it stood. */
  freeze(): void {
    this.settle();
    this.finish({});
  }
}

/** Names of arguments that say what a call is about, the most telling first. */
const TELLING = ["command", "path", "file_path", "filePath", "file", "pattern", "url", "query", "name"];

function targetOf(read: (name: string) => string | undefined): string {
  for (const name of TELLING) {
    const value = read(name);
    if (value === undefined || value === "") continue;
    const path = name === "pattern" ? read("path") : undefined;
    return path === undefined || path === "" ? value : `${value} in ${path}`;
  }
  return "";
}

/** @returns what a call is about, "" where its arguments do not tell */
export function targetOfArguments(args: Record<string, unknown>): string {
  return targetOf((name) => {
    const value = args[name];
    return typeof value === "string" ? value : undefined;
  });
}
