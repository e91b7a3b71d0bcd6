/** Files that steer the program, the editor, git or the shell: changing one asks in every mode. */
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { foldPath, isInsideFolded, realpathDeepest } from "../platform/paths.js";

/** Names of folders and files, wherever they stand in a path. */
const NAMES = new Set(
  [
    ".git",
    ".rules",
    ".ttsr-agent",
    ".vscode",
    ".idea",
    ".zed",
    ".cursor",
    ".cursorrules",
    ".claude",
    ".windsurf",
    ".windsurfrules",
    ".clinerules",
    ".continue",
    ".omp",
    ".agents",
    ".mcp.json",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".envrc",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".gitconfig",
    ".gitmodules",
    ".ssh",
    ".gnupg",
    ".netrc",
    ".pypirc",
    ".husky",
  ].map(foldPath),
);

export interface ProtectedFolders {
  /** The program's own, absolute. */
  config: string;
  state: string;
}

/** @returns the first of the paths that is protected, by real path, whatever its case or Unicode form; undefined: none is */
export async function protectedPath(paths: readonly string[], folders: ProtectedFolders): Promise<string | undefined> {
  const own = await Promise.all(
    [folders.config, folders.state, join(homedir(), ".ssh")].map((path) => realpathDeepest(path)),
  );
  for (const path of paths) {
    const real = await realpathDeepest(path);
    for (const candidate of [path, real]) {
      if (candidate.split(/[\\/]/).some((part) => NAMES.has(foldPath(part)))) return path;
      if (own.some((folder) => isInsideFolded(folder, candidate))) return path;
    }
  }
  return undefined;
}

/**
 * Best effort: a command is text, and may reach a protected file without naming it.
 * @returns the protected name that the command seems to write to
 */
export function protectedInCommand(command: string): string | undefined {
  if (!/>|\btee\b|\b(?:cp|mv|rm|ln|install|sed\s+-i|truncate|chmod|chown|dd|touch|mkdir)\b/.test(command))
    return undefined;
  for (const word of command.split(/[\s;&|<>()'"=]+/)) {
    const part = word.split("/").find((name) => NAMES.has(foldPath(name)));
    if (part !== undefined) return basename(part);
  }
  return undefined;
}
