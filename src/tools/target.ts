/** Where a path that the model gave really leads. */
import { reasonOf, UserError } from "../platform/errors.js";
import { displayPath, errorCode, isInside, realpathDeepest, resolvePath } from "../platform/paths.js";

export interface Target {
  /** As given, made absolute. */
  given: string;
  /** Links followed. */
  real: string;
  /** For texts: relative to the workspace where it lies inside. */
  shown: string;
  /** Really lies in the workspace. */
  inside: boolean;
}

/** @throws UserError `path-unresolved` where it cannot be told what the path leads to */
export async function resolveTarget(path: string, cwd: string, workspace: string): Promise<Target> {
  const given = resolvePath(path, cwd);
  const [real, root] = await Promise.all([realpathDeepest(given), realpathDeepest(workspace)]);
  return { given, real, shown: displayPath(root, real), inside: isInside(root, real) };
}

/** @returns the paths that leave is asked for: the real one, and the given one where that differs */
export function subjectPaths(target: Target): string[] {
  return target.given === target.real ? [target.real] : [target.real, target.given];
}

/** Remembers where a call's path led when leave was asked for, so that a link swapped since then is noticed. */
export class Leave<A extends object> {
  readonly #real = new WeakMap<A, string>();

  /** Called by `describe`. */
  asked(args: A, target: Target): Target {
    this.#real.set(args, target.real);
    return target;
  }

  /** Called by `execute`. A call that nobody was asked about is taken as it is. */
  check(args: A, target: Target): Target {
    if ((this.#real.get(args) ?? target.real) === target.real) return target;
    throw new UserError(
      "path-moved",
      `"${target.shown}" leads elsewhere than when leave was asked for. Send the call again.`,
    );
  }
}

/**
 * A path inside the workspace that leads out of it through a link is not written, whatever leave there is.
 * @returns why not, or undefined
 */
export async function refusedLink(target: Target, workspace: string): Promise<string | undefined> {
  const root = await realpathDeepest(workspace);
  const looksInside = isInside(workspace, target.given) || isInside(root, target.given);
  if (target.inside || !looksInside) return undefined;
  return `"${target.shown}" lies outside the workspace; the path you gave reaches it through a link. Name it by its real path.`;
}

const WORDS: Record<string, string> = {
  ENOENT: "it does not exist",
  EACCES: "permission is denied by the system",
  EPERM: "the system does not permit it",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "it is a link, or was replaced by one meanwhile",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "its name is too long",
};

/** @returns one sentence on what failed with a path */
export function pathProblem(shown: string, error: unknown): string {
  if (error instanceof UserError) return error.message;
  const code = errorCode(error);
  return `"${shown}": ${(code === undefined ? undefined : WORDS[code]) ?? reasonOf(error)}.`;
}
