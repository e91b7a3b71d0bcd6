/** The path of a call as rules and messages name it. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { errorCode, resolvePath } from "../platform/paths.js";

/**
 * @param cwd the project's folder, absolute
 * @returns for a path as the model wrote it: the file that it leads to, relative to the project, posix separators. Links are followed and
 * `~` is the home folder, as for the tools; else another name of the same file would pass by the rules on it.
 */
export function projectPaths(cwd: string): (path: string) => string {
  return (path) => {
    const inside = relative(realDeepest(cwd), realDeepest(resolvePath(path, cwd)));
    return (inside === "" ? "." : inside).split(sep).join("/");
  };
}

/** UTF-16 units; no system opens a longer one. */
const LONGEST = 4_096;

/** @returns the absolute path with the links in it followed as far as it exists; what leads nowhere stands for itself */
export function realDeepest(path: string): string {
  if (path.length > LONGEST) return path;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const parent = dirname(path);
    return parent === path ? path : join(realDeepest(parent), basename(path));
  }
}
