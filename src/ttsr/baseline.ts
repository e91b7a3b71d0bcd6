import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { realDeepest } from "./project-path.js";

/** TTSR-2.4. Bytes. */
const LIMIT = 2 * 1024 * 1024;

/**
 * Reads the file that a call is about to write over.
 * @returns for a path relative to `cwd` (links followed): its text; undefined where it cannot be read, is no regular file, or is larger than 2 MB: then
 * all that is written counts as authored
 */
export function diskBaseline(cwd: string): (path: string) => string | undefined {
  return (path) => {
    try {
      const file = resolve(realDeepest(cwd), path);
      const stats = statSync(file);
      return stats.isFile() && stats.size <= LIMIT ? readFileSync(file, "utf8") : undefined;
    } catch {
      // Not there or not readable: nothing can be carried over from it.
      return undefined;
    }
  };
}
