import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A rule that fires on `pattern`. */
export const ruleText = (pattern: string, keys = ""): string =>
  `---\nttsr_trigger: ${pattern}\n${keys}---\nDo not ${pattern}.\n`;

/** A temporary folder, gone after the test, with a repository in `repo` and the user's folders beside it. */
export function workspace(files: Readonly<Record<string, string>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-rules-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string | Uint8Array): string => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    return at(path);
  };
  mkdirSync(at("repo/.git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, at, write, repo: at("repo"), dirs: { config: at("config"), state: at("state") } };
}
