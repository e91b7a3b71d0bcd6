/** Files that hold rules: writing one that quotes what it forbids breaks no rule (TTSR-2.7). */

const FOLDERS = [
  ".rules",
  "rules",
  ".omp/rules",
  ".agent/rules",
  ".agents/rules",
  ".cursor/rules",
  ".claude/rules",
  ".windsurf/rules",
  ".clinerules",
  ".continue/rules",
  ".github/instructions",
];
const FILES = [".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md"];

const inFolder = new RegExp(`(?:^|/)(?:${FOLDERS.map(quoted).join("|")})/(?:.*/)?[^/]+\\.(?:mdc?|txt)$`);
const named = new RegExp(`(?:^|/)(?:${FILES.map(quoted).join("|")})$`);

function quoted(text: string): string {
  return text.replaceAll(".", "\\.");
}

/** @param path posix separators */
export function isRuleFile(path: string): boolean {
  return inFolder.test(path) || named.test(path);
}
