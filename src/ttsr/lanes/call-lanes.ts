import type { Authored, Tool } from "../../agent/ports.js";
import { JsonStringReader } from "../json-strings.js";
import type { Lane, LaneInfo, LaneOptions, TtsrMatch } from "../types.js";
import { EditLanes } from "./edit-lanes.js";
import { PatchLanes } from "./patch-lanes.js";

/** What the lanes of one call need of the manager and the project. */
export interface CallHost {
  openLane(info: LaneInfo, options: LaneOptions): Lane;
  watchesRemoved(toolName: string, like?: string): boolean;
  /** From a path as the model wrote it to one relative to the project, posix separators. */
  toProjectPath(path: string): string;
}

/** Arguments that name a file, where the tool does not say which one does. */
export const PATH_ARGUMENTS: ReadonlySet<string> = new Set([
  "path",
  "file_path",
  "filePath",
  "filepath",
  "file",
  "filename",
]);

type Target =
  | { lane: Lane; patch?: PatchLanes }
  | { patch: PatchLanes }
  | { edit: { index: string; field: "old" | "new" } };

/** The lanes of one tool call, fed with its arguments as JSON text (TTSR-2.3, 2.4). */
export class CallLanes {
  readonly #options: LaneOptions;
  readonly #reader: JsonStringReader;
  readonly #edits: EditLanes;
  readonly #patches: PatchLanes[] = [];
  #target: Target | undefined;
  #path: string | undefined;
  #pathText: string | undefined;
  /** Open lanes, the complete ones among them that wait for the file. */
  readonly #open = new Set<Lane>();
  readonly #complete = new Set<Lane>();
  /** Edits that came before the file they are about. */
  #queue: (() => void)[] = [];
  #found: TtsrMatch[] = [];
  #late: Promise<TtsrMatch[]>[] = [];
  /** UTF-16 units of arguments seen. */
  #length = 0;

  constructor(
    private readonly host: CallHost,
    private readonly info: { contentIndex: number; toolCallId: string; toolName: string },
    private readonly tool: Tool | undefined,
  ) {
    this.#options = {
      ...(tool ? { readOnly: tool.readOnly } : {}),
      ...(tool?.like === undefined ? {} : { like: tool.like }),
      expectsPath: tool?.pathArgument !== undefined,
    };
    this.#edits = new EditLanes(
      () => this.#info(),
      (lane, before) => host.openLane(lane, { ...this.#options, wholeFile: false, ...(before ? { before } : {}) }),
      host.watchesRemoved(info.toolName, tool?.like),
    );
    this.#reader = new JsonStringReader({
      start: (path) => this.#start(path),
      delta: (path, text) => this.#delta(path, text),
      end: (path) => this.#end(path),
      close: (path) => this.#closeItem(path),
    });
  }

  /** Whether what the lanes were shown is what the call will be run with: it came as deltas, and no key stands in it twice. */
  get faithful(): boolean {
    return this.#length > 0 && !this.#reader.repeats;
  }

  push(json: string): TtsrMatch[] {
    this.#length += json.length;
    this.#reader.push(json);
    return this.#takeFound();
  }

  /** The arguments are complete. */
  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    this.#reader.end();
    this.#runQueue();
    this.#keep(this.#edits.close());
    for (const patch of this.#patches) this.#keep(patch.close());
    for (const lane of this.#open) this.#closeLane(lane);
    const late = Promise.all(this.#late).then((all) => all.flat());
    this.#late = [];
    return { now: this.#takeFound(), late };
  }

  #takeFound(): TtsrMatch[] {
    if (this.#found.length === 0) return [];
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #info(argument?: string): LaneInfo {
    return {
      source: "tool",
      ...this.info,
      ...(argument === undefined ? {} : { argument }),
      ...(this.#path === undefined ? {} : { filePath: this.#path }),
    };
  }

  #start(path: string): void {
    if (this.#isPath(path)) this.#pathText = "";
    const item = this.#editAt(path);
    if (item) {
      this.#target = { edit: item };
      this.#edit(() => this.#edits.start(item.index, item.field));
      return;
    }
    const authored = this.#authoredAt(path);
    if (!authored) {
      this.#target = undefined;
      return;
    }
    if (authored.kind === "patch") {
      this.#target = { patch: this.#openPatch() };
      return;
    }
    const info = this.#info(authored.kind === "edits" ? "added" : path);
    const lane = this.host.openLane(info, { ...this.#options, wholeFile: authored.kind === "file" });
    this.#open.add(lane);
    // A tool that says nothing may still be given a patch: then its files are those that stand in it.
    const patch =
      this.tool?.authored === undefined && isPatch(this.info.toolName, path) ? this.#openPatch() : undefined;
    this.#target = { lane, ...(patch ? { patch } : {}) };
  }

  #openPatch(): PatchLanes {
    const options = { ...this.#options, expectsPath: false, wholeFile: false };
    const patch = new PatchLanes(
      (run) => this.host.openLane({ ...this.#info(), ...run }, options),
      this.host.watchesRemoved(this.info.toolName, this.tool?.like),
      (name) => this.host.toProjectPath(name),
    );
    this.#patches.push(patch);
    return patch;
  }

  #delta(path: string, text: string): void {
    if (this.#pathText !== undefined && this.#isPath(path)) this.#pathText += text;
    const target = this.#target;
    if (!target) return;
    if ("patch" in target) this.#found.push(...(target.patch?.push(text) ?? []));
    if ("lane" in target) this.#found.push(...target.lane.push(text));
    else if ("edit" in target)
      this.#edit(() => this.#found.push(...this.#edits.push(target.edit.index, target.edit.field, text)));
  }

  #end(path: string): void {
    const target = this.#target;
    this.#target = undefined;
    if (target && "lane" in target) {
      if (target.lane.waiting) this.#complete.add(target.lane);
      else this.#closeLane(target.lane);
    } else if (target && "edit" in target) {
      this.#edit(() => this.#found.push(...this.#edits.end(target.edit.index, target.edit.field)));
    }
    if (this.#pathText !== undefined && this.#isPath(path)) this.#pathKnown(this.#pathText);
  }

  #closeItem(path: string): void {
    const index = this.#editIndex(path);
    if (index !== undefined) this.#edit(() => this.#found.push(...this.#edits.closeItem(index)));
  }

  #pathKnown(path: string): void {
    this.#pathText = undefined;
    // Of two that could name the file the first does; an empty one names none.
    if (this.#path !== undefined || path === "") return;
    this.#path = this.host.toProjectPath(path);
    for (const lane of this.#open) this.#found.push(...lane.setPath(this.#path));
    for (const lane of this.#complete) this.#closeLane(lane);
    this.#runQueue();
  }

  #closeLane(lane: Lane): void {
    this.#open.delete(lane);
    this.#complete.delete(lane);
    this.#keep(lane.close());
  }

  #keep({ now, late }: { now: TtsrMatch[]; late: Promise<TtsrMatch[]> }): void {
    this.#found.push(...now);
    this.#late.push(late);
  }

  /** Edits wait for their file, so that their lanes can all carry it. */
  #edit(step: () => void): void {
    if (this.#path === undefined && this.#options.expectsPath) this.#queue.push(step);
    else step();
  }

  #runQueue(): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const step of queue) step();
  }

  #isPath(path: string): boolean {
    return this.tool?.pathArgument === undefined ? PATH_ARGUMENTS.has(path) : path === this.tool.pathArgument;
  }

  #authoredAt(path: string): Authored | undefined {
    if (!this.tool?.authored) return { kind: "text", argument: path };
    return this.tool.authored.find(({ argument }) => argument === path);
  }

  #editAt(path: string): { index: string; field: "old" | "new" } | undefined {
    const parts = path.split(".");
    const field = parts.at(-1);
    if (parts.length < 3 || (field !== "old" && field !== "new")) return undefined;
    const index = this.#editIndex(parts.slice(0, -1).join("."));
    return index === undefined ? undefined : { index, field };
  }

  #editIndex(path: string): string | undefined {
    for (const { kind, argument } of this.tool?.authored ?? []) {
      if (kind !== "edits" || !path.startsWith(`${argument}.`)) continue;
      const index = path.slice(argument.length + 1);
      if (/^\d+$/.test(index)) return path;
    }
    return undefined;
  }
}

/** Whether an argument of a tool that we do not know is a patch, by what they are called. */
function isPatch(toolName: string, argument: string): boolean {
  return /^(?:patch|diff)$/i.test(argument) || (/patch/i.test(toolName) && /^(?:input|text|content)$/i.test(argument));
}
