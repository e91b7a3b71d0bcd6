import type { Lane, LaneInfo, TtsrMatch } from "../types.js";

/** Opens a lane for a run of lines. */
type OpenRun = (info: Pick<LaneInfo, "argument" | "part" | "filePath">) => Lane;

/** How a patch says which file the lines that follow are of: of several tools, of git, and a name in brackets. */
const HEADERS: readonly RegExp[] = [
  /^\*\*\* (?:Update|Add|Delete) File: (.+)$/,
  /^\*\*\* Move to: (.+)$/,
  /^\+\+\+ (?:b\/)?([^\t]+)/,
  /^\[([^\]#]+)(?:#[^\]]*)?\]$/,
];
/** UTF-16 units of a line that is no added one; a longer one is no header. */
const HEADER_LIMIT = 4_096;

/**
 * The added lines of a patch, and the removed ones where a rule names them (TTSR-2.4). Each unbroken run of them is a lane with the file that
 * the patch is at; so files and hunks never join. An added line is watched from its first character on, a removed one when it is complete.
 */
export class PatchLanes {
  #file: string | undefined;
  #run: { kind: "added" | "removed"; lane: Lane } | undefined;
  #parts = { added: 0, removed: 0 };
  /** At the beginning of a line: undefined. */
  #line: "added" | "other" | undefined;
  #other = "";
  /** The last line was `--- name`, so a `+++ name` that follows is no added line. */
  #afterOldName = false;
  readonly #late: Promise<TtsrMatch[]>[] = [];

  constructor(
    private readonly open: OpenRun,
    private readonly watchRemoved: boolean,
    private readonly toProjectPath: (path: string) => string,
  ) {}

  push(text: string): TtsrMatch[] {
    const matches: TtsrMatch[] = [];
    for (let at = 0; at < text.length; ) {
      if (this.#line === undefined) {
        this.#line = text[at] === "+" && !this.#afterOldName ? "added" : "other";
        if (this.#line === "added") {
          at++;
          matches.push(...this.#enter("added"));
          continue;
        }
      }
      const end = text.indexOf("\n", at);
      const to = end < 0 ? text.length : end + 1;
      const piece = text.slice(at, to);
      if (this.#line === "added") matches.push(...(this.#run?.lane.push(piece) ?? []));
      else if (this.#other.length < HEADER_LIMIT || this.watchRemoved) this.#other += piece;
      if (end >= 0) matches.push(...this.#endLine());
      at = to;
    }
    return matches;
  }

  /** The patch is complete. */
  close(): { now: TtsrMatch[]; late: Promise<TtsrMatch[]> } {
    const now = [...(this.#line === "other" ? this.#endLine() : []), ...this.#leave()];
    return { now, late: Promise.all(this.#late).then((all) => all.flat()) };
  }

  #endLine(): TtsrMatch[] {
    const was = this.#line;
    const line = this.#other;
    this.#line = undefined;
    this.#other = "";
    if (was === "added") return [];
    const plain = line.replace(/\r?\n$/, "");
    this.#afterOldName = /^--- \S/.test(plain);
    if (plain.startsWith("-") && !this.#afterOldName) return this.#removed(line.slice(1));
    const left = this.#leave();
    const name = HEADERS.map((header) => header.exec(plain)?.[1]?.trim()).find((found) => found);
    // The name of a file that is made or deleted stands on the other side.
    if (name !== undefined && name !== "/dev/null") this.#file = this.toProjectPath(name);
    return left;
  }

  #removed(line: string): TtsrMatch[] {
    if (!this.watchRemoved) return this.#leave();
    return [...this.#enter("removed"), ...(this.#run?.lane.push(line) ?? [])];
  }

  #enter(kind: "added" | "removed"): TtsrMatch[] {
    if (this.#run?.kind === kind) return [];
    const left = this.#leave();
    const file = this.#file === undefined ? {} : { filePath: this.#file };
    this.#run = { kind, lane: this.open({ argument: kind, part: this.#parts[kind]++, ...file }) };
    return left;
  }

  #leave(): TtsrMatch[] {
    if (!this.#run) return [];
    const { now, late } = this.#run.lane.close();
    this.#run = undefined;
    this.#late.push(late);
    return now;
  }
}
