/** Questions about paths that must not be answered by comparing prefixes of strings. */
import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UserError } from "./errors.js";

/** @returns whether `path` is `root` or lies below it; both absolute, neither is looked up on disk */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** For comparing names as a careless file system would: NFC, one letter case, no invisible characters. Never for opening files. */
export function foldPath(path: string): string {
  return path
    .normalize("NFC")
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .toUpperCase()
    .toLowerCase();
}

/** Like `isInside`, on folded paths. */
export function isInsideFolded(root: string, path: string): boolean {
  return isInside(foldPath(root), foldPath(path));
}

/** @returns `path` made absolute: `~` is the home folder, anything else is taken relative to `cwd` */
export function resolvePath(path: string, cwd: string, home: string = homedir()): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path);
}

/**
 * The real place of a path that need not exist: links are followed up to its deepest existing parent.
 * @throws UserError `path-unresolved` where that cannot be told: a link to nothing, a circle of links, a folder that may not be entered
 */
export async function realpathDeepest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw unresolved(path, error);
    if (await isLink(path)) throw unresolved(path, error);
    const parent = dirname(path);
    if (parent === path) throw unresolved(path, error);
    return join(await realpathDeepest(parent), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw unresolved(path, error);
  }
}

function unresolved(path: string, cause: unknown): UserError {
  const why = errorCode(cause) === "ENOENT" ? "it is a link to nothing" : (errorCode(cause) ?? "unknown reason");
  return new UserError("path-unresolved", `Where "${path}" really lies cannot be told (${why}).`, 1, { cause });
}

/** @returns `path` relative to `root` with `/` where it lies below, else absolute */
export function displayPath(root: string, path: string): string {
  const shown = isInside(root, path) ? relative(root, path) || "." : path;
  return sep === "/" ? shown : shown.replaceAll(sep, "/");
}

/** @returns the `code` of a system error (`ENOENT` …), undefined for anything else */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return undefined;
}
