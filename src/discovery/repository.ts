/** What a repository offers, in our own format and in those of other tools: the same way to look for it, and the same trust. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { LoadResult, RuleProvider } from "../capability/rule-capability.js";
import { TrustStore } from "../config/trust.js";
import { resolveDirs } from "../platform/dirs.js";
import { projectRoot } from "../platform/project-root.js";
import type { Dialect } from "./dialect.js";
import { addFile, addFolder, emptyResult, type FolderShape } from "./load-folder.js";

/** A folder of rule files, or one file, at a path below a folder of the project (posix separators). Without a dialect: our own keys. */
export type RepositorySource = ({ folder: string } & FolderShape) | { file: string; name: string; dialect: Dialect };

export interface RepositoryProvider extends RuleProvider {
  readonly sources: readonly RepositorySource[];
}

/** @returns whose format a file is in, by where it stands; undefined: ours */
export function dialectAmong(providers: readonly RepositoryProvider[], path: string): Dialect | undefined {
  const posix = path.split(sep).join("/");
  for (const source of providers.flatMap(({ sources }) => sources)) {
    const stands =
      "file" in source
        ? posix.endsWith(`/${source.file}`)
        : posix.includes(`/${source.folder}/`) && (source.endings ?? []).some((ending) => posix.endsWith(ending));
    if (stands) return source.dialect;
  }
  return undefined;
}

/** A provider that looks into the working folder and every folder up to the repository's root, nearest first. Nothing of it acts untrusted. */
export function repositoryProvider(
  id: string,
  priority: number,
  sources: readonly RepositorySource[],
): RepositoryProvider {
  return {
    id,
    priority,
    sources,
    async load({ cwd, dirs = resolveDirs(process.env), trusted = false, reading }) {
      const result = emptyResult();
      const root = projectRoot(cwd);
      if (!existsSync(root)) return result;
      const boundary = realpathSync(root);
      for (const folder of foldersUpTo(root, cwd)) {
        const known = result.found.length;
        for (const source of sources) {
          if ("file" in source)
            addFile(result, join(folder, source.file), { ...source, provider: id, boundary, reading });
          else addFolder(result, join(folder, source.folder), { ...source, provider: id, boundary, reading });
        }
        const below = relative(folder, resolve(cwd)).split(sep).join("/");
        if (below !== "") for (const { rule } of result.found.slice(known)) rule.below = below;
      }
      if (!trusted && result.found.length > 0) judge(result, root, new TrustStore(dirs.state));
      return result;
    },
    places: ({ cwd }) =>
      foldersUpTo(projectRoot(cwd), cwd).flatMap((folder) => {
        return sources.map((source) => join(folder, "file" in source ? source.file : source.folder));
      }),
  };
}

/** @returns the folders from `cwd` up to `root`, both included */
function foldersUpTo(root: string, cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === root || folder === dirname(folder)) return folders;
  }
}

/** Marks what the user has not accepted. */
function judge(result: LoadResult, root: string, store: TrustStore): void {
  const state = store.trustState(
    root,
    result.found.map(({ rule }) => rule),
  );
  if (state === "trusted") return;
  const changed = state === "new" ? undefined : new Map(state.changed.map(({ path, kind }) => [path, kind]));
  for (const found of result.found) {
    const how = changed === undefined ? "new" : changed.get(found.rule.path);
    if (how !== undefined) found.untrusted = how;
  }
}
