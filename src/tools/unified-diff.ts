/** Unified diffs for people: line ends do not count, and the time that a diff may take is bounded. */
import type { AlignLines, LineRun } from "./edit-plan.js";
import { toLf } from "./edit-source.js";

const DIFF_MS = 500;
const ALIGN_MS = 200;
/** UTF-16 units of both texts together; above, only the part between the common start and the common end is shown. */
const MAX_DIFFED = 2_000_000;
const CONTEXT = 3;

/**
 * @param path as it should stand in the header
 * @param before undefined for a file that does not exist yet
 * @returns "" where nothing differs
 */
export async function unifiedDiff(path: string, before: string | undefined, after: string): Promise<string> {
  const old = toLf(before ?? "");
  const fresh = toLf(after);
  if (before !== undefined && old === fresh) return "";
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  if (old.length + fresh.length <= MAX_DIFFED) {
    const { createTwoFilesPatch } = await import("diff");
    const options = { context: CONTEXT, timeout: DIFF_MS };
    const patch = createTwoFilesPatch(from, `b/${path}`, old, fresh, undefined, undefined, options);
    if (patch !== undefined) return patch.replace(/^=+\n/, "");
  }
  return `--- ${from}\n+++ b/${path}\n${oneHunk(old.split("\n"), fresh.split("\n"))}`;
}

/** All between the lines that both begin with and the lines that both end with, as one hunk. */
function oneHunk(old: readonly string[], fresh: readonly string[]): string {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const above = old.slice(Math.max(0, head - CONTEXT), head);
  const below = old.slice(old.length - tail, old.length - tail + CONTEXT);
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const start = head - above.length + 1;
  const frame = above.length + below.length;
  return [
    `@@ -${start},${frame + removed.length} +${start},${frame + added.length} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

/** @returns how many lines a unified diff adds and removes */
export function countChanges(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  // The two lines of the header come first and once.
  for (const line of diff.split("\n").slice(2)) {
    if (line.startsWith("+")) added++;
    else if (line.startsWith("-")) removed++;
  }
  return { added, removed };
}

/** @returns a way to tell which lines stay; where that takes too long, none do */
export async function lineAligner(): Promise<AlignLines> {
  const { diffArrays } = await import("diff");
  return (before, after) => {
    const changes = diffArrays(before, after, { timeout: ALIGN_MS });
    if (changes === undefined) return [{ same: false, before: before.length, after: after.length }];
    const runs: LineRun[] = [];
    for (const { added, removed, count } of changes) {
      const last = runs.at(-1);
      if (!added && !removed) runs.push({ same: true, before: count, after: count });
      else if (last && !last.same) last[added ? "after" : "before"] += count;
      else runs.push({ same: false, before: added ? 0 : count, after: added ? count : 0 });
    }
    return runs;
  };
}
