/** Finds the rule files below a folder, within limits; what is over one is named, never left out in silence. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, join, relative, sep } from "node:path";
import type { SkippedFile } from "../capability/rule-capability.js";
import { reasonOf } from "../platform/errors.js";
import { errorCode, isInside } from "../platform/paths.js";
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_RULES } from "./keys.js";

const ENDINGS: readonly string[] = [".md", ".mdc"];
/** Nearly one of these: who named a file so meant it for a rule. */
const NEAR_ENDING = /.\.(?:mdc?|markdown|mdown)(?:\.txt)?$/i;
/** What an editor leaves beside a file while it is open, and a Mac on other people's disks. */
const NO_FILE = /^\.[#_]/;
/** Folders that hold no rules, however many markdown files they have. */
const NEVER: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** Entries looked at in all: a folder of a million files must not hold up a start. */
const MAX_ENTRIES = 10_000;

export interface WalkedFile {
  /** Absolute, as found (links not resolved). */
  path: string;
  /** Path below the folder, posix separators, without extension. */
  name: string;
  bytes: Buffer;
}

export interface WalkOptions {
  provider: string;
  /** Real path of the folder that links may not leave; undefined for folders of the user's own. */
  boundary?: string;
  /** How many files may still be taken. */
  room?: number;
  /** What the names of rule files end with. Default: `.md` and `.mdc`. */
  endings?: readonly string[];
  /** Folders below it that are left out. */
  except?: readonly string[];
}

export interface Walked {
  files: WalkedFile[];
  skipped: SkippedFile[];
  /** False where the folder is not there. */
  exists: boolean;
}

/** @returns the files in order of their names; an absent folder gives none */
export function walkRules(folder: string, options: WalkOptions): Walked {
  const walk = new Walk(folder, options);
  return { exists: walk.run(), files: walk.files, skipped: walk.skipped };
}

/** @returns the one file, under this name; an absent one, or a folder in its place, gives none */
export function readOne(path: string, name: string, options: WalkOptions): Walked {
  const walk = new Walk(path, options);
  return { exists: walk.one(name), files: walk.files, skipped: walk.skipped };
}

class Walk {
  readonly files: WalkedFile[] = [];
  readonly skipped: SkippedFile[] = [];
  /** Real paths of the folders that are open above the present one: a link to one of them is a circle. */
  readonly #open: string[] = [];
  readonly #folder: string;
  readonly #options: WalkOptions;
  #entries = 0;
  #over = 0;

  constructor(folder: string, options: WalkOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  run(): boolean {
    if (this.#start()?.isDirectory() !== true) return false;
    this.#enter(this.#folder, 0);
    return true;
  }

  one(name: string): boolean {
    if (this.#start()?.isDirectory() !== false) return false;
    this.#take(this.#folder, name);
    return true;
  }

  #start(): Stats | undefined {
    try {
      return statSync(this.#folder);
    } catch (error) {
      if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") this.#skip(this.#folder, unreadable(error));
      return undefined;
    }
  }

  #skip(path: string, reason: string): void {
    this.skipped.push({ path, provider: this.#options.provider, reason });
  }

  /** @returns where the entry really lies, or undefined where it may not be followed */
  #real(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      if (this.#options.boundary === undefined || isInside(this.#options.boundary, real)) return real;
      this.#skip(path, "it is a link that leaves the repository");
    } catch (error) {
      this.#skip(path, errorCode(error) === "ENOENT" ? "it is a link to nothing" : unreadable(error));
    }
    return undefined;
  }

  #enter(folder: string, depth: number): void {
    const real = this.#real(folder);
    if (real === undefined) return;
    if (this.#open.includes(real)) {
      this.#skip(folder, "it is a link to a folder that it lies in");
      return;
    }
    let names: string[];
    try {
      names = readdirSync(folder).sort();
    } catch (error) {
      this.#skip(folder, unreadable(error));
      return;
    }
    this.#open.push(real);
    for (const name of names) {
      if (this.#entries++ === MAX_ENTRIES)
        this.#skip(folder, `there are more than ${MAX_ENTRIES} entries; the rest was not looked at`);
      if (this.#entries > MAX_ENTRIES) break;
      this.#look(join(folder, name), name, depth);
    }
    this.#open.pop();
  }

  #look(path: string, name: string, depth: number): void {
    let isFolder: boolean;
    try {
      isFolder = statSync(path).isDirectory();
    } catch (error) {
      // A dangling link with the name of a rule is worth a word, anything else is none of ours.
      if (this.#bare(name) !== undefined)
        this.#skip(path, errorCode(error) === "ENOENT" ? "it is a link to nothing" : unreadable(error));
      return;
    }
    if (isFolder) {
      if (NEVER.has(name) || (depth === 0 && this.#options.except?.includes(name))) return;
      if (depth === MAX_DEPTH) this.#skip(path, `it lies deeper than ${MAX_DEPTH} folders`);
      else this.#enter(path, depth + 1);
    } else {
      const bare = this.#bare(relative(this.#folder, path));
      if (bare !== undefined) this.#take(path, bare.replaceAll(sep, "/"));
      else if (this.#options.endings === undefined && NEAR_ENDING.test(name) && !NO_FILE.test(name))
        this.#skip(path, "the name of a rule's file ends with .md or .mdc; rename it");
    }
  }

  /** @returns the path without its ending; undefined where it is no rule file's */
  #bare(path: string): string | undefined {
    const ending = (this.#options.endings ?? ENDINGS).find((each) => path.endsWith(each));
    if (ending === undefined || basename(path) === ending || NO_FILE.test(basename(path))) return undefined;
    return path.slice(0, -ending.length);
  }

  #take(path: string, name: string): void {
    const real = this.#real(path);
    if (real === undefined) return;
    if (this.files.length >= (this.#options.room ?? MAX_RULES)) {
      // Named once: thousands of lines would hide everything else that is told.
      if (this.#over++ === 0)
        this.#skip(path, `there are more than ${MAX_RULES} rules; neither it nor what follows was read`);
      return;
    }
    const read = readLimited(real);
    if (typeof read === "string") {
      this.#skip(path, read);
      return;
    }
    this.files.push({ path, name, bytes: read });
  }
}

/** @returns the bytes, or why they were not read. A pipe or device never blocks, and a last component that became a link is refused. */
function readLimited(path: string): Buffer | string {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return "it is no regular file";
      if (stats.size > MAX_FILE_BYTES) return `it has ${stats.size} bytes; a rule has at most ${MAX_FILE_BYTES}`;
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): string {
  return `it cannot be read (${errorCode(error) ?? reasonOf(error)})`;
}
