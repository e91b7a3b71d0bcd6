/** The demo's folders stay, so that they can be looked into; not for ever. */
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../platform/paths.js";

const PREFIX = "ttsr-agent-demo-";
/** As `mkdtemp` makes them. */
const OURS = /^ttsr-agent-demo-[A-Za-z0-9]{6}$/;
/** The newest so many are kept whatever their age. */
const KEPT = 3;
const DAY_MS = 86_400_000;

/**
 * Makes the folder of a demo, and removes those of earlier ones that are older than a day, but for the last few.
 * @param tmp the system's folder for temporary files
 * @param now milliseconds since 1970
 * @returns its real path
 */
export function makeDemoFolder(tmp: string, now: number): string {
  const old = demoFolders(tmp).slice(KEPT);
  for (const { path, made } of old) if (now - made > DAY_MS) remove(path);
  return realpathSync(mkdtempSync(join(tmp, PREFIX)));
}

/** @returns this user's, the newest first; never what a link points to */
function demoFolders(tmp: string): { path: string; made: number }[] {
  const found = readdirSync(tmp)
    .filter((name) => OURS.test(name))
    .flatMap((name) => {
      const path = join(tmp, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat?.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) return [];
      return [{ path, made: stat.mtimeMs }];
    });
  return found.sort((a, b) => b.made - a.made);
}

/** What cannot be removed stands in nobody's way. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!["EACCES", "EPERM", "EBUSY", "ENOTEMPTY"].includes(String(errorCode(error)))) throw error;
  }
}
