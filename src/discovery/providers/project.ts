import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { LoadResult, RuleProvider } from "../../capability/rule-capability.js";
import { TrustStore } from "../../config/trust.js";
import { resolveDirs } from "../../platform/dirs.js";
import { projectRoot } from "../../platform/project-root.js";
import { addFolder, emptyResult } from "../load-folder.js";

/** `.rules/` of the working folder and of every folder up to the repository's root, nearest first. Nothing of it acts untrusted. */
export const projectProvider: RuleProvider = {
  id: "project",
  priority: 90,
  async load({ cwd, dirs = resolveDirs(process.env), trusted = false }) {
    const result = emptyResult();
    const root = projectRoot(cwd);
    if (!existsSync(root)) return result;
    const boundary = realpathSync(root);
    for (const folder of foldersUpTo(root, cwd)) addFolder(result, join(folder, ".rules"), "project", boundary);
    if (!trusted && result.found.length > 0) judge(result, root, new TrustStore(dirs.state));
    return result;
  },
  places: ({ cwd }) => foldersUpTo(projectRoot(cwd), cwd).map((folder) => join(folder, ".rules")),
};

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
  const changed = state === "new" ? undefined : new Set(state.changed.map((file) => file.path));
  for (const found of result.found) {
    if (changed === undefined) found.untrusted = "new";
    else if (changed.has(found.rule.path)) found.untrusted = "changed";
  }
}
