/** Files that steer the program, the editor, git or the shell: changing one asks in every mode. */
import { homedir } from "node:os";
import { basename, join, relative } from "node:path";
import { foldPath, isInside, isInsideFolded, realpathDeepest } from "../platform/paths.js";

/** Names of folders and files, wherever they stand in a path. */
const NAMES = new Set(
  [
    // This program, and others whose rules it reads.
    ".ttsr-agent .rules .omp .agent .agents .claude .cursor .cursorrules .windsurf .windsurfrules .clinerules .continue",
    ".mcp.json copilot-instructions.md",
    // Git and its hooks.
    ".git .gitconfig .gitmodules .githooks .husky",
    // Editors that run what a folder tells them.
    ".vscode .vs .idea .zed .fleet .devcontainer .vim .vimrc .nvimrc .exrc .emacs .emacs.d .dir-locals.el",
    // Shells.
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout",
    ".kshrc .cshrc .tcshrc .inputrc .envrc config.fish",
    // Package managers.
    ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .pypirc pip.conf .condarc .cargo .bundle .gemrc",
    // Keys.
    ".ssh .gnupg .netrc .aws",
  ]
    .flatMap((line) => line.split(" "))
    .map(foldPath),
);
const ENDINGS = [".instructions.md", ".code-workspace"].map(foldPath);

/** @returns whether the shell may put a protected name in the place of this glob */
export function mayMeanProtected(glob: string): boolean {
  const folded = foldPath(glob);
  return [...NAMES].some((name) => fitsGlob(name, folded));
}

/** A name with a star fits from both its ends; more than one star between them may stand for anything. */
function fitsGlob(name: string, glob: string): boolean {
  const parts = glob.split(/\*+/);
  const [head = "", tail = ""] = [parts[0], parts.at(-1)];
  const fits = (part: string, text: string): boolean =>
    part.length === text.length && [...part].every((c, i) => c === "?" || c === text[i]);
  if (parts.length === 1) return fits(head, name);
  return (
    name.length >= head.length + tail.length &&
    fits(head, name.slice(0, head.length)) &&
    fits(tail, name.slice(name.length - tail.length))
  );
}

export interface ProtectedFolders {
  /** The program's own, absolute. */
  config: string;
  state: string;
}

/** @returns whether a file or folder of this name is protected wherever it stands, whatever its case or Unicode form */
export function isProtectedName(name: string): boolean {
  const folded = foldPath(name);
  return NAMES.has(folded) || ENDINGS.some((ending) => folded.endsWith(ending));
}

/**
 * @param roots the workspace, as given and as it really is: what stands above it in a path says nothing (it may be a worktree in `.claude`)
 * @returns the first of the paths that is protected, as given or by its real path; undefined: none is
 * @throws UserError `path-unresolved` where it cannot be told
 */
export async function protectedPath(
  paths: readonly string[],
  folders: ProtectedFolders,
  roots: readonly string[],
): Promise<string | undefined> {
  const own = await Promise.all(
    [folders.config, folders.state, join(homedir(), ".ssh")].map((path) => realpathDeepest(path)),
  );
  for (const path of paths) {
    for (const candidate of [path, await realpathDeepest(path)]) {
      if (partsThatCount(candidate, roots).some(isProtectedName)) return path;
      if (own.some((folder) => isInsideFolded(folder, candidate))) return path;
    }
  }
  return undefined;
}

function partsThatCount(path: string, roots: readonly string[]): string[] {
  const root = roots.find((folder) => isInside(folder, path));
  return (root === undefined ? path : join(basename(root), relative(root, path))).split(/[\\/]/);
}
