/** All files below a folder that git does not ignore. */
import { reasonOf } from "../platform/errors.js";
import type { ToolDeps } from "./deps.js";
import { bundledRipgrep, runRipgrep } from "./ripgrep.js";
import { walk } from "./walk.js";

/** Files of a tree that are looked at. */
const MAX_LOOKED_AT = 200_000;

/** What ripgrep says of a folder that it may not enter; of ignore files that it cannot make out it complains too. */
const UNREADABLE = /^rg: (.*) \(os error \d+\)$/;

/** @returns absolute paths in no order, as many as were found in time */
export async function filesBelow(
  folder: string,
  deps: Pick<ToolDeps, "ripgrep" | "env" | "clock">,
  signal: AbortSignal,
): Promise<{ files: string[]; note?: string }> {
  const files: string[] = [];
  const program = await (deps.ripgrep ?? bundledRipgrep)();
  if (program === undefined) {
    for await (const path of walk(folder, signal)) files.push(path);
    return { files };
  }
  const { result, complaint } = await runRipgrep({
    program,
    // With two at work it takes a third of the time; who wants an order sorts.
    options: ["--files", "--null", "--sort=none"],
    root: folder,
    cwd: folder,
    separator: "\0",
    signal,
    deps,
    onPiece(path) {
      files.push(path);
      return files.length < MAX_LOOKED_AT;
    },
  });
  if (result.ended === "not-started") {
    return { files, note: `The search could not be started: ${reasonOf(result.error)}.` };
  }
  if (result.ended !== "exit") {
    return { files, note: `Only the first ${files.length} files were looked at; name a smaller folder.` };
  }
  const [unreadable] = complaint.split("\n").flatMap((line) => UNREADABLE.exec(line)?.[1] ?? []);
  return unreadable === undefined ? { files } : { files, note: `Not all folders could be read: ${unreadable}.` };
}
