import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The repository that a folder stands in, found by its `.git` entry alone: no program is run, for git itself obeys the repository.
 * @returns the absolute path of the nearest folder upwards that holds `.git` (a folder, or a worktree's file); undefined without one
 */
export function repositoryRoot(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; ) {
    if (existsSync(join(folder, ".git"))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** @returns the folder that is trusted as one, and whose settings hold: the repository's root, else the working folder itself */
export function projectRoot(cwd: string): string {
  return repositoryRoot(cwd) ?? resolve(cwd);
}
