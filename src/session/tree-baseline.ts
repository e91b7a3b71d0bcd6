/** The working tree as it was at one moment, as far as it takes to tell later which lines of it are new. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Git } from "../platform/git.js";
import { errorCode } from "../platform/paths.js";

/** Bytes. A larger file is not looked at. */
const FILE_LIMIT = 1024 * 1024;
/** Files that were changed or new already, whose texts are kept, and the UTF-16 units of all of them. */
const MOST_KEPT = 2_000;
const MOST_UNITS = 32 * 1024 * 1024;
/** Changed files that are looked at. */
const MOST_CHANGED = 2_000;
/** Files that are gone, in which lines of new files are looked for. */
const MOST_GONE = 200;
/** Commits of one run whose parents are asked for. */
const MOST_COMMITS = 200;
/** Submodules that are looked at, of submodules as well. */
const MOST_MODULES = 50;

export interface ChangedText {
  /** Relative to the outermost repository's root, posix separators. */
  path: string;
  now: string;
  /** Texts in which the lines stand that are not new. Asks git, so only to be asked of files that matter. */
  before(): Promise<string>;
}

export class TreeBaseline {
  #bases: Promise<string[]> | undefined;
  #gone: Promise<string> | undefined;

  private constructor(
    private readonly repository: { root: string; git: Git; prefix: string },
    /** The commit; undefined where there is none yet. */
    private readonly head: string | undefined,
    /** Texts of files that differed from the commit already; `null`: too large, too many, or no text. */
    private readonly kept: ReadonlyMap<string, string | null>,
    private readonly modules: readonly TreeBaseline[],
    /** Seconds since 1970. */
    private readonly taken: number,
  ) {}

  /**
   * @param now by the clock that commits are dated by
   * @returns undefined where the folder is no repository, or git is not there
   */
  static take(root: string, env: NodeJS.ProcessEnv, now: Date): Promise<TreeBaseline | undefined> {
    return TreeBaseline.#take(root, { env, seconds: Math.floor(now.getTime() / 1000), modules: MOST_MODULES }, "");
  }

  static async #take(
    root: string,
    shared: { env: NodeJS.ProcessEnv; seconds: number; modules: number },
    prefix: string,
  ): Promise<TreeBaseline | undefined> {
    const git = new Git(root, shared.env);
    if ((await git.ask(["rev-parse", "--is-inside-work-tree"])) === undefined) return undefined;
    const head = await commitOf(git, "HEAD");
    const dirty = await differing(git, head);
    if (dirty === undefined) return undefined;
    const kept = new Map<string, string | null>();
    let units = 0;
    for (const path of dirty) {
      const text = kept.size < MOST_KEPT && units < MOST_UNITS ? textOf(join(root, path)) : undefined;
      units += text?.length ?? 0;
      kept.set(path, text ?? null);
    }
    const inner: TreeBaseline[] = [];
    for (const path of await modulesOf(root, git)) {
      if (shared.modules-- <= 0) break;
      const module = await TreeBaseline.#take(join(root, path), shared, `${prefix}${path}/`);
      if (module) inner.push(module);
    }
    return new TreeBaseline({ root, git, prefix }, head, kept, inner, shared.seconds);
  }

  /** @returns the text files that are different now; files that git ignores, that are gone, or too large are not among them */
  async changes(): Promise<ChangedText[]> {
    const { root, git, prefix } = this.repository;
    const paths = (await differing(git, this.head)) ?? [];
    const changed: ChangedText[] = [];
    for (const path of paths) {
      const kept = this.kept.get(path);
      const now = kept === null ? undefined : textOf(join(root, path));
      if (now === undefined || kept === now) continue;
      if (changed.length === MOST_CHANGED) break;
      changed.push({ path: prefix + path, now, before: () => this.#before(path, paths) });
    }
    for (const module of this.modules) changed.push(...(await module.changes()));
    return changed;
  }

  async #before(path: string, paths: readonly string[]): Promise<string> {
    const own = this.kept.get(path) ?? (await this.#committed(this.head, path));
    // What others committed came in with a checkout, a pull or a merge.
    this.#bases ??= this.#newBases();
    const texts = [own];
    for (const base of await this.#bases) texts.push(await this.#committed(base, path));
    // A file that was not there may be one that was, under another name.
    if (own === undefined) {
      this.#gone ??= this.#goneTexts(paths);
      texts.push(await this.#gone);
    }
    return texts.filter((text) => text !== undefined).join("\n");
  }

  /** @returns commits that the present one is built on and that were there before, other than the one it all began with */
  async #newBases(): Promise<string[]> {
    const { git } = this.repository;
    const head = await commitOf(git, "HEAD");
    if (head === undefined || head === this.head) return [];
    const made = await git.ask(["rev-list", "--parents", `--since=@${this.taken}`, `-n${MOST_COMMITS}`, head]);
    const lines = (made?.toString("utf8") ?? "").split("\n").filter((line) => line !== "");
    const fresh = new Set(lines.map((line) => line.split(" ")[0]));
    const parents = lines.flatMap((line) => line.split(" ").slice(1));
    const bases = lines.length === 0 ? [head] : parents.filter((parent) => !fresh.has(parent));
    return [...new Set(bases)].filter((base) => base !== this.head);
  }

  /** @returns what stood in the files that are not there any more */
  async #goneTexts(paths: readonly string[]): Promise<string> {
    const gone = [...new Set([...paths, ...this.kept.keys()])].filter(
      (path) => !existsSync(join(this.repository.root, path)),
    );
    const texts: string[] = [];
    for (const path of gone.slice(0, MOST_GONE)) {
      texts.push(this.kept.get(path) ?? (await this.#committed(this.head, path)) ?? "");
    }
    return texts.join("\n");
  }

  async #committed(commit: string | undefined, path: string): Promise<string | undefined> {
    if (commit === undefined) return undefined;
    return (await this.repository.git.ask(["cat-file", "blob", `${commit}:${path}`]))?.toString("utf8");
  }
}

async function commitOf(git: Git, name: string): Promise<string | undefined> {
  return (await git.ask(["rev-parse", "--verify", "-q", name]))?.toString("utf8").trim();
}

/** @returns files that differ from the commit, new ones included, relative to the root */
async function differing(git: Git, head: string | undefined): Promise<string[] | undefined> {
  const untracked = await git.list(["ls-files", "-z", "--others", "--exclude-standard"]);
  // To look into a submodule git would start itself there, and obey what is configured there.
  const options = ["--name-only", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all"];
  const tracked =
    head === undefined
      ? await git.list(["ls-files", "-z", "--cached"])
      : await git.list(["diff", "-z", ...options, head]);
  return untracked && tracked && [...new Set([...tracked, ...untracked])];
}

/** @returns the folders of submodules that are checked out, relative to the root */
async function modulesOf(root: string, git: Git): Promise<string[]> {
  if (!existsSync(join(root, ".gitmodules"))) return [];
  const found = await git.list(["config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"]);
  // What is named may be anything; only git's own entry says that it is one.
  const paths = (found ?? []).map((entry) => entry.slice(entry.indexOf("\n") + 1));
  const listed = paths.length === 0 ? [] : await git.list(["ls-files", "-z", "--stage", "--", ...paths.map(literal)]);
  return (listed ?? [])
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1))
    .filter((path) => existsSync(join(root, path, ".git")));
}

function literal(path: string): string {
  return `:(literal)${path}`;
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
