/** The working tree as it was at one moment, as far as it takes to tell later which lines of it are new. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "../platform/git.js";
import { errorCode } from "../platform/paths.js";

/** Bytes. A larger file is not looked at. */
const FILE_LIMIT = 1024 * 1024;
/** Files that were changed or new already, whose texts are kept. */
const MOST_KEPT = 2_000;
/** Changed files that are looked at. */
const MOST_CHANGED = 2_000;

export interface ChangedText {
  /** Relative to the repository's root, posix separators. */
  path: string;
  /** undefined: the file was not there. */
  before: string | undefined;
  now: string;
}

export class TreeBaseline {
  private constructor(
    private readonly root: string,
    private readonly git: Git,
    /** The commit; undefined where there is none yet. */
    private readonly head: string | undefined,
    /** Texts of files that differed from the commit already; `null`: too large, or no text. */
    private readonly kept: ReadonlyMap<string, string | null>,
  ) {}

  /** @returns undefined where the folder is no repository, or git is not there */
  static async take(root: string, git: Git): Promise<TreeBaseline | undefined> {
    if ((await git.ask(["rev-parse", "--is-inside-work-tree"])) === undefined) return undefined;
    const head = (await git.ask(["rev-parse", "--verify", "-q", "HEAD"]))?.toString("utf8").trim();
    const dirty = await differing(git, head);
    if (dirty === undefined) return undefined;
    const kept = new Map(dirty.slice(0, MOST_KEPT).map((path) => [path, textOf(join(root, path)) ?? null]));
    return new TreeBaseline(root, git, head, kept);
  }

  /** @returns the text files that are different now; files that git ignores, that are gone, or too large are not among them */
  async changes(): Promise<ChangedText[]> {
    const paths = (await differing(this.git, this.head)) ?? [];
    const changed: ChangedText[] = [];
    for (const path of paths.slice(0, MOST_CHANGED)) {
      const now = textOf(join(this.root, path));
      const kept = this.kept.get(path);
      if (now === undefined || kept === null || kept === now) continue;
      changed.push({ path, before: kept ?? (await this.#committed(path)), now });
    }
    return changed;
  }

  async #committed(path: string): Promise<string | undefined> {
    if (this.head === undefined) return undefined;
    return (await this.git.ask(["cat-file", "blob", `${this.head}:${path}`]))?.toString("utf8");
  }
}

/** @returns files that differ from the commit, new ones included, relative to the root */
async function differing(git: Git, head: string | undefined): Promise<string[] | undefined> {
  const untracked = await git.list(["ls-files", "-z", "--others", "--exclude-standard"]);
  const tracked =
    head === undefined
      ? await git.list(["ls-files", "-z", "--cached"])
      : await git.list(["diff", "-z", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames", head]);
  return untracked && tracked && [...new Set([...tracked, ...untracked])];
}

/** @returns undefined where it is no readable text of a size that is looked at */
function textOf(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > FILE_LIMIT) return undefined;
    const bytes = readFileSync(path);
    return bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
