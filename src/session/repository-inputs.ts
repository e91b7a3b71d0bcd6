/** What a repository would have obeyed beside its rules: its settings and its context files, each in its present state (TTSR-1.7). */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { projectSettingsFile } from "../config/settings.js";
import type { TrustFile, TrustStore } from "../config/trust.js";
import { projectContextFiles } from "../context/context-files.js";
import { reasonOf, UserError } from "../platform/errors.js";
import { errorCode } from "../platform/paths.js";
import { projectRoot } from "../platform/project-root.js";

/** @returns the files that are there, with the hash of what stands in them */
export function repositoryInputs(cwd: string): TrustFile[] {
  return [projectSettingsFile(cwd), ...projectContextFiles(cwd, projectRoot(cwd))].flatMap((path) => {
    const hash = hashOf(path);
    return hash === undefined ? [] : [{ path, hash }];
  });
}

/** @returns the paths of those that the user has accepted in this state */
export function acceptedInputs(cwd: string, store: TrustStore, inputs: readonly TrustFile[]): Set<string> {
  const state = store.trustState(projectRoot(cwd), inputs);
  if (state === "new") return new Set();
  const changed = state === "trusted" ? [] : state.changed;
  const off = new Set(changed.map(({ path }) => path));
  return new Set(inputs.map(({ path }) => path).filter((path) => !off.has(path)));
}

/** @returns whether the repository's settings hold as they are now */
export function obeysProjectSettings(cwd: string, store: TrustStore): boolean {
  return acceptedInputs(cwd, store, repositoryInputs(cwd)).has(projectSettingsFile(cwd));
}

/** @returns undefined where there is no regular file */
function hashOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    const reason = errorCode(error) ?? reasonOf(error);
    throw new UserError("input-unreadable", `${path} cannot be read (${reason}); make it readable or remove it.`, 1, {
      cause: error,
    });
  }
}
