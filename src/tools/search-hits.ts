/** Lines that a search has found, as the model gets them. */
import { basename } from "node:path";
import { displayPath } from "../platform/paths.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { compileGlob } from "./bounded-glob.js";
import { showName } from "./listing.js";
import { withoutHalf } from "./text-window.js";

export const MAX_HITS = 200;
/** UTF-16 units of a line that are shown. */
const MAX_LINE = 300;

/** What is searched, and for what. */
export interface Search {
  pattern: string;
  ignoreCase: boolean;
  /** Limits the files; undefined: all of them. */
  glob: string | undefined;
  /** Absolute real path of a file or folder. */
  root: string;
  /** Absolute real path; names are shown relative to it. */
  cwd: string;
  /** Files that are left out, by their absolute path. */
  hidden(path: string): boolean;
  signal: AbortSignal;
}

export interface Hits {
  /** `path:line:text`; one more than is shown where there are more. */
  lines: string[];
  /** One sentence where the search failed or did not come to its end. */
  problem?: string;
}

/** @returns one hit as a line, whatever its file is called and holds */
export function hitLine(cwd: string, path: string, line: number, text: string): string {
  const plain = sanitizeTerminal(text.endsWith("\r") ? text.slice(0, -1) : text);
  const shown = plain.length > MAX_LINE ? `${withoutHalf(plain.slice(0, MAX_LINE))}…` : plain;
  return `${showName(displayPath(cwd, path))}:${line}:${shown}`;
}

/**
 * A glob without a slash is about file names; one with a slash counts from the working folder or from the folder that is searched. One that
 * begins with `!` leaves out what fits.
 * @returns whether a file is searched, by its absolute path
 * @throws UserError for a glob that could be slow
 */
export function fileFilter({ glob, cwd, root }: Pick<Search, "glob" | "cwd" | "root">): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const without = glob.startsWith("!");
  const pattern = without ? glob.slice(1) : glob;
  if (!pattern.includes("/")) {
    const fits = compileGlob(pattern);
    return (path) => fits(basename(path)) !== without;
  }
  const fits = compileGlob(pattern.replace(/^\//, ""));
  return (path) => (fits(displayPath(cwd, path)) || fits(displayPath(root, path))) !== without;
}
