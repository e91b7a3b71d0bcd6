/** `AGENTS.md` (and `CLAUDE.md` where there is none) from the user's config folder and from the repository root down to the working folder. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { errorCode, isInside } from "../platform/paths.js";

/** Bytes read of one file; a longer one is cut with a mark. */
const FILE_LIMIT = 64 * 1024;
const NAMES = ["AGENTS.md", "CLAUDE.md"];

export interface ContextFile {
  path: string;
  text: string;
}

export interface ContextFolders {
  cwd: string;
  /** Of the repository; the working folder where there is none. */
  root: string;
  configDir: string;
  /** Whether a file of the repository may be read: the user has accepted it as it is. */
  mayRead(path: string): boolean;
}

/** @returns outermost first, so that the nearest has the last word */
export function loadContextFiles({ cwd, root, configDir, mayRead }: ContextFolders): ContextFile[] {
  const paths = [...filesIn([configDir]), ...projectContextFiles(cwd, root).filter(mayRead)];
  return paths.map((path) => ({ path, text: readCapped(path) })).filter(({ text }) => text.trim() !== "");
}

/** @returns the files of the repository that would be read if it were trusted, outermost first; none is opened */
export function projectContextFiles(cwd: string, root: string): string[] {
  return filesIn(foldersDown(root, cwd)).filter((path) => staysInside(root, path));
}

/** A link in somebody's repository must not send another file of the user's to the model. */
function staysInside(root: string, path: string): boolean {
  try {
    return isInside(realpathSync(root), realpathSync(path));
  } catch (error) {
    // Gone since, or a circle of links: nothing to read.
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Of each folder the first of the names that is there. */
function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const path = NAMES.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
    return path === undefined ? [] : [path];
  });
}

function foldersDown(root: string, cwd: string): string[] {
  const below = relative(root, cwd);
  if (below.startsWith("..")) return [cwd];
  const folders = [root];
  for (const part of below.split(sep).filter(Boolean)) folders.push(join(folders.at(-1) ?? root, part));
  return folders;
}

function readCapped(path: string): string {
  try {
    // A pipe of that name must not hold up the start.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(fd).isFile()) return "";
      const buffer = Buffer.alloc(FILE_LIMIT + 1);
      const length = readSync(fd, buffer, 0, buffer.length, 0);
      const text = new TextDecoder().decode(buffer.subarray(0, Math.min(length, FILE_LIMIT)));
      return length > FILE_LIMIT ? `${text}\n[cut: the file is longer than ${FILE_LIMIT} bytes]` : text;
    } finally {
      closeSync(fd);
    }
  } catch {
    // A file that cannot be read is advice that cannot be given; the session works without it.
    return "";
  }
}
