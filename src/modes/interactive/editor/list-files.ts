/** The files of a project, for `@` in the editor: by git where it knows them, else by a bounded walk. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { childEnv } from "../../../platform/child-env.js";
import { runProcess } from "../../../platform/process.js";

const MAX_FILES = 50_000;
const MAX_BYTES = 8 * 1024 * 1024;
const GIT_MS = 3_000;
/** Without git: folders looked into, and levels down. */
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 12;
/** Never what somebody means. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "target", "dist", ".cache"]);

/** @returns paths relative to `cwd` with `/`, at most 50,000 */
export async function listFiles(cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  return (await byGit(cwd, env)) ?? (await byWalk(cwd));
}

async function byGit(cwd: string, env: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { ended, exitCode } = await runProcess({
    file: "git",
    args: [
      "-c",
      "core.fsmonitor=false",
      "ls-files",
      "-z",
      "--cached",
      "--others",
      "--exclude-standard",
      "--deduplicate",
    ],
    cwd,
    env: childEnv(env),
    signal: new AbortController().signal,
    timeoutMs: GIT_MS,
    onOutput: (chunk, from) => {
      if (from !== "stdout" || size > MAX_BYTES) return;
      size += chunk.length;
      chunks.push(Buffer.from(chunk));
    },
  });
  if (ended !== "exit" || exitCode !== 0) return undefined;
  const names = Buffer.concat(chunks).toString("utf8").split("\0");
  // The last one may have been cut in its middle.
  return names.slice(0, -1).slice(0, MAX_FILES);
}

async function byWalk(cwd: string): Promise<string[]> {
  const files: string[] = [];
  const queue: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
  for (let looked = 0; queue.length > 0 && looked < MAX_FOLDERS && files.length < MAX_FILES; looked++) {
    const folder = queue.shift();
    if (!folder) break;
    // A folder that cannot be read has nothing to offer.
    const entries = await readdir(join(cwd, folder.path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && folder.depth < MAX_DEPTH && !SKIPPED.has(entry.name)) {
        queue.push({ path, depth: folder.depth + 1 });
      }
    }
  }
  return files.slice(0, MAX_FILES);
}
