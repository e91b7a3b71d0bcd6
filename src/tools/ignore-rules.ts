/** What git leaves out of a folder, from the `.gitignore` and `.ignore` files on the way down to it. */
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { UserError } from "../platform/errors.js";
import { readWhole } from "../platform/files.js";
import { errorCode } from "../platform/paths.js";
import { repositoryRoot } from "../platform/project-root.js";

/** A longer file has no rules. Bytes. */
const FILE_LIMIT = 1024 * 1024;

/**
 * Stars of a line, in all and in one part of a path. The patterns become regular expressions that backtrack, on names that whoever made the
 * repository has chosen as well: the cost grows with the length of a name to the power of this.
 */
const MOST_STARS = { line: 6, part: 3 };

interface Level {
  folder: string;
  rules: Ignore;
}

/** The rules that hold in one folder: its own and those of the folders above, nearest last. */
export class IgnoreRules {
  private constructor(private readonly levels: readonly Level[]) {}

  /** @param folder absolute; rules count from the repository's root, or from the folder itself where there is no repository */
  static async forFolder(folder: string): Promise<IgnoreRules> {
    const top = repositoryRoot(folder) ?? folder;
    const way = [folder];
    for (let at = folder; at !== top; ) {
      at = dirname(at);
      way.unshift(at);
    }
    let rules = new IgnoreRules([]);
    for (const step of way) {
      // Who names a folder that is ignored wants to see into it.
      if (step !== top && rules.ignores(step, true)) rules = new IgnoreRules([]);
      rules = await rules.enter(step);
    }
    return rules;
  }

  async enter(folder: string): Promise<IgnoreRules> {
    const files = [join(folder, ".git", "info", "exclude"), join(folder, ".gitignore"), join(folder, ".ignore")];
    const texts = (await Promise.all(files.map(readOrEmpty))).filter((text) => text !== "");
    if (texts.length === 0) return this;
    return new IgnoreRules([
      ...this.levels,
      { folder, rules: ignore({ allowRelativePaths: true }).add(texts.flatMap(readableLines)) },
    ]);
  }

  /** @param path absolute, below the folder that these rules are of */
  ignores(path: string, isFolder: boolean): boolean {
    let ignored = false;
    for (const { folder, rules } of this.levels) {
      const name = relative(folder, path).replaceAll(sep, "/") + (isFolder ? "/" : "");
      const verdict = rules.test(name);
      ignored = verdict.ignored || (ignored && !verdict.unignored);
    }
    return ignored;
  }
}

/** A line that would be slow is left out: it hides nothing. */
function readableLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => {
    const parts = line.split("/").map((part) => part.match(/\*+/g)?.length ?? 0);
    return (
      parts.every((stars) => stars <= MOST_STARS.part) &&
      parts.reduce((sum, stars) => sum + stars, 0) <= MOST_STARS.line
    );
  });
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    const { bytes } = await readWhole(path, FILE_LIMIT);
    return bytes.toString("utf8");
  } catch (error) {
    // A file that is not there or may not be read has no rules; a folder, a pipe or, as for git, a link of that name neither.
    if (error instanceof UserError) return "";
    if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "ELOOP", "ENXIO"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}
