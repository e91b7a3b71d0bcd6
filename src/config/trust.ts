/**
 * Which folders the user trusts, and which state of their rule files (TTSR-1.7). Kept in the user's state folder, keyed by the real path of
 * the project's root; nothing in a repository can answer for it.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { reasonOf, UserError } from "../platform/errors.js";
import { readSmall } from "../platform/files.js";
import { displayPath, errorCode } from "../platform/paths.js";

/** A rule file of a project as it is now. */
export interface TrustFile {
  /** Absolute. */
  path: string;
  /** SHA-256 of the file, hex. */
  hash: string;
}

export interface ChangedFile extends TrustFile {
  /** "added": it was not there when the folder was trusted. */
  kind: "added" | "changed";
  /** The text that was trusted; undefined for an added file, and where it was too much to keep. */
  before?: string;
}

/** "new": the folder was never trusted. */
export type TrustState = "trusted" | "new" | { changed: ChangedFile[] };

interface Kept {
  hash: string;
  text?: string;
}

interface Folder {
  trustedAt: string;
  files: Map<string, Kept>;
}

/** Old texts are kept for the diff; of one folder, so many characters at most. */
const KEPT_TEXT = 1024 * 1024;
/** Of the file in which trust is kept: room for very many folders. */
const MAX_BYTES = 256 * 1024 * 1024;

export class TrustStore {
  readonly #state: string;
  readonly #date: () => Date;

  /**
   * @param state the user's state folder; need not exist
   * @param date the wall clock
   */
  constructor(state: string, date: () => Date = () => new Date()) {
    this.#state = state;
    this.#date = date;
  }

  get file(): string {
    return join(this.#state, "trust.json");
  }

  /** @returns one sentence where the file is damaged, so that nobody wonders why every folder is asked about again */
  damage(): string | undefined {
    try {
      JSON.parse(readSmall(this.file, MAX_BYTES).toString("utf8"));
    } catch (error) {
      // A file that is not there is not damaged; one that cannot be read is told by whoever needs it.
      if (!(error instanceof SyntaxError)) return undefined;
      return `${this.file} is damaged: no folder is trusted until you trust it again, and that replaces the file.`;
    }
    return undefined;
  }

  /** @returns whether the user trusts this folder at all, in whatever state its rule files are */
  knows(folder: string): boolean {
    return this.#read().has(realFolder(folder));
  }

  /**
   * How the present rule files stand to what the user accepted. Files that are gone need no leave.
   * @param folder the project's root
   */
  trustState(folder: string, ruleFiles: readonly TrustFile[]): TrustState {
    const root = realFolder(folder);
    const known = this.#read().get(root);
    if (!known) return "new";
    const changed: ChangedFile[] = [];
    for (const { path, hash } of ruleFiles) {
      const kept = known.files.get(displayPath(folder, path));
      if (kept?.hash === hash) continue;
      changed.push({
        path,
        hash,
        kind: kept ? "changed" : "added",
        ...(kept?.text === undefined ? {} : { before: kept.text }),
      });
    }
    return changed.length === 0 ? "trusted" : { changed };
  }

  /**
   * Trusts the folder, with exactly these rule files in exactly this state; what was accepted before is forgotten.
   * @throws UserError `trust-not-saved`
   */
  trust(folder: string, ruleFiles: readonly TrustFile[]): void {
    this.#change(folder, () => ({ trustedAt: this.#date().toISOString(), files: keep(folder, ruleFiles, new Map()) }));
  }

  /**
   * Accepts these files of a folder that is trusted already; its other files stay as they were accepted.
   * @throws UserError `trust-not-saved`; `not-trusted` for a folder that never was
   */
  accept(folder: string, ruleFiles: readonly TrustFile[]): void {
    this.#change(folder, (known) => {
      if (!known)
        throw new UserError(
          "not-trusted",
          `"${folder}" is not trusted; trust it first with \`ttsr-agent rules trust\`.`,
        );
      return { trustedAt: known.trustedAt, files: keep(folder, ruleFiles, known.files) };
    });
  }

  /**
   * @returns false where there was nothing to revoke
   * @throws UserError `trust-not-saved`
   */
  revoke(folder: string): boolean {
    if (!this.knows(folder)) return false;
    this.#change(folder, () => undefined);
    return true;
  }

  #change(folder: string, next: (known: Folder | undefined) => Folder | undefined): void {
    const folders = this.#read();
    const root = realFolder(folder);
    const made = next(folders.get(root));
    if (made) folders.set(root, made);
    else folders.delete(root);
    try {
      writePrivate(this.#state, this.file, serialise(folders));
    } catch (error) {
      const reason = errorCode(error) ?? reasonOf(error);
      throw new UserError(
        "trust-not-saved",
        `The trust of "${folder}" could not be saved in ${this.file} (${reason}).`,
        1,
        { cause: error },
      );
    }
  }

  /** A file that cannot be read, or that somebody damaged, trusts nobody: the user is asked again. */
  #read(): Map<string, Folder> {
    let text: string;
    try {
      text = readSmall(this.file, MAX_BYTES).toString("utf8");
    } catch (error) {
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return new Map();
      const reason = errorCode(error) ?? reasonOf(error);
      throw new UserError(
        "trust-unreadable",
        `${this.file} cannot be read (${reason}); make it readable or remove it.`,
        1,
        { cause: error },
      );
    }
    return parse(text);
  }
}

/** @returns the real path, so that a link to a folder is trusted as the folder itself; an absent folder stands for itself */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return resolve(folder);
  }
}

function keep(folder: string, ruleFiles: readonly TrustFile[], before: ReadonlyMap<string, Kept>): Map<string, Kept> {
  const files = new Map(before);
  let room = KEPT_TEXT;
  for (const { text } of files.values()) room -= text?.length ?? 0;
  for (const { path, hash } of ruleFiles) {
    const text = textOf(path, hash);
    const fits = text !== undefined && text.length <= room;
    if (fits) room -= text.length;
    files.set(displayPath(folder, path), { hash, ...(fits ? { text } : {}) });
  }
  return files;
}

/** @returns the text of the file, if it is still the one that the user saw */
function textOf(path: string, hash: string): string | undefined {
  try {
    const bytes = readSmall(path, KEPT_TEXT);
    return createHash("sha256").update(bytes).digest("hex") === hash ? bytes.toString("utf8") : undefined;
  } catch (error) {
    // It went away between being shown and being accepted: its hash is accepted all the same, and no file has it.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function serialise(folders: ReadonlyMap<string, Folder>): string {
  const plain = [...folders].map(([folder, { trustedAt, files }]) => [
    folder,
    { trustedAt, files: Object.fromEntries([...files].map(([path, kept]) => [path, kept])) },
  ]);
  return `${JSON.stringify({ version: 1, folders: Object.fromEntries(plain) }, null, 2)}\n`;
}

/** Whatever does not have the shape that we write is left out, and so not trusted. */
function parse(text: string): Map<string, Folder> {
  const folders = new Map<string, Folder>();
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return folders;
    throw error;
  }
  for (const [folder, entry] of fieldsOf(fieldOf(whole, "folders"))) {
    const trustedAt = fieldOf(entry, "trustedAt");
    if (typeof trustedAt !== "string") continue;
    const files = new Map<string, Kept>();
    for (const [path, file] of fieldsOf(fieldOf(entry, "files"))) {
      const hash = fieldOf(file, "hash");
      const kept = fieldOf(file, "text");
      if (typeof hash === "string") files.set(path, { hash, ...(typeof kept === "string" ? { text: kept } : {}) });
    }
    folders.set(folder, { trustedAt, files });
  }
  return folders;
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Nobody else may read it, whatever the umask; the old content or the new stands there at every moment. */
function writePrivate(folder: string, path: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}
