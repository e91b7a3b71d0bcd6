/** File patterns that can be read and match no file, or not those that were meant. */
import type { Rule } from "../capability/rule.js";
import { isReadable, splitList } from "./globs.js";

interface Slip {
  message: string;
  suggestion: string;
}

/** Endings that people write as if they were patterns. */
const ENDING =
  /^\.(?:[cm]?[jt]sx?|d\.ts|vue|svelte|py|rb|go|rs|java|kt|swift|cs?|cc|cpp|h|hpp|php|sh|sql|html?|s?css|mdx?|json|ya?ml|toml|xml|tf)$/i;

/** @returns one finding for each pattern of `globs` that no file of a project can match, or that means something else than it seems to */
export function globSlips(rule: Rule): Slip[] {
  const patterns = rule.globs.flatMap(splitList);
  return [...patterns.flatMap((pattern) => slipOf(pattern.replace(/^!/, "")) ?? []), ...orderSlips(patterns)];
}

/** The last pattern that matches decides, so what takes back must stand behind what it takes back from. */
function orderSlips(patterns: readonly string[]): Slip[] {
  const last = patterns.at(-1);
  if (patterns.length > 1 && last !== undefined && /^!(?:\*+|\*\*\/\*+)$/.test(last)) {
    return [
      { message: `The file pattern "${last}" takes every file back, so none is left.`, suggestion: "Take it out." },
    ];
  }
  const first = patterns.findIndex((pattern) => !pattern.startsWith("!"));
  if (first <= 0) return [];
  const shown = patterns.slice(0, first).map((pattern) => `"${pattern}"`);
  const message = `What stands behind ${shown.join(" and ")} decides, so nothing is taken back.`;
  return [{ message, suggestion: "Put the patterns with ! at the end." }];
}

function slipOf(pattern: string): Slip | undefined {
  if (!isReadable(pattern)) {
    const shown = pattern.length > 40 ? `${pattern.slice(0, 40)}…` : pattern;
    const message = `The file pattern "${shown}" is too long or has too many stars and braces; the rule holds as if it stood for every file.`;
    return { message, suggestion: "Write several shorter ones." };
  }
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
  if (!isBalanced(pattern)) {
    const message = `The file pattern "${pattern}" has a bracket or brace without its other half; it matches no file.`;
    return { message, suggestion: "Write *.{ts,tsx}, in quotes." };
  }
  if (/\s+(?:!|\*|\.\/|\S*\/\*)/.test(pattern)) {
    const message = `The file pattern "${pattern}" is one pattern with a blank in it.`;
    return { message, suggestion: "Put commas between several." };
  }
  if (ENDING.test(pattern)) {
    const message = `The file pattern "${pattern}" means a file of just this name.`;
    return { message, suggestion: `Write *${pattern} for every file with that ending.` };
  }
  return undefined;
}

function isBalanced(pattern: string): boolean {
  const open: string[] = [];
  for (const char of pattern) {
    if (char === "{" || char === "[") open.push(char);
    else if (char === "}" || char === "]") if (open.pop() !== (char === "}" ? "{" : "[")) return false;
  }
  return open.length === 0;
}
