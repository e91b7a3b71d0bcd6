/** File patterns that can be read and match no file, or not those that were meant. */
import type { Rule } from "../capability/rule.js";
import { splitList } from "./globs.js";

interface Slip {
  message: string;
  suggestion: string;
}

/** @returns one finding for each pattern of `globs` that no file of a project can match, or that is a regular expression */
export function globSlips(rule: Rule): Slip[] {
  return rule.globs.flatMap(splitList).flatMap((pattern) => slipOf(pattern.replace(/^!/, "")) ?? []);
}

function slipOf(pattern: string): Slip | undefined {
  if (/^\^|.\$$|\.\+|\(\?|\\[.dws]/.test(pattern)) {
    return {
      message: `The file pattern "${pattern}" is a regular expression; \`globs\` takes patterns as in .gitignore.`,
      suggestion: "Write *.ts for every file with that ending.",
    };
  }
  if (pattern.includes("\\")) {
    const meant = pattern.replaceAll("\\", "/");
    return {
      message: `The file pattern "${pattern}" has backslashes, and no path has them here; it matches nothing.`,
      suggestion: `Write ${meant}`,
    };
  }
  if (/^(?:[A-Za-z]:|~|\/(?:home|Users|root|tmp|var|mnt)\/)/.test(pattern)) {
    return {
      message: `The file pattern "${pattern}" is a place on a disk, but paths are counted from the project's folder.`,
      suggestion: "Write it from there, as in src/**/*.ts.",
    };
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) {
    return {
      message: `The file pattern "${pattern}" leaves the project's folder, and no path does.`,
      suggestion: "Write it from there, as in src/**/*.ts.",
    };
  }
  return undefined;
}
