/** One folder as a list: folders first, then files; what git ignores in one line at the end. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { revealControls } from "../platform/sanitize-terminal.js";
import { IgnoreRules } from "./ignore-rules.js";

const MAX_ENTRIES = 500;
const MAX_IGNORED = 20;

/**
 * @param folder absolute real path
 * @returns the text for the model
 */
export async function listFolder(folder: string): Promise<string> {
  const [entries, rules] = await Promise.all([readdir(folder, { withFileTypes: true }), IgnoreRules.forFolder(folder)]);
  const folders: string[] = [];
  const files: string[] = [];
  const ignored: string[] = [];
  for (const entry of entries) {
    const mark = entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : "";
    const name = `${showName(entry.name)}${mark}`;
    if (rules.ignores(join(folder, entry.name), entry.isDirectory())) ignored.push(name);
    else (entry.isDirectory() ? folders : files).push(name);
  }
  const all = [...folders.sort(), ...files.sort()];
  const lines = all.slice(0, MAX_ENTRIES);
  if (all.length === 0) lines.push(ignored.length === 0 ? "(empty folder)" : "(nothing that git would keep)");
  if (all.length > MAX_ENTRIES) lines.push(`[${MAX_ENTRIES} of ${all.length} entries shown. Use glob to narrow.]`);
  if (ignored.length > 0) {
    const more = ignored.length > MAX_IGNORED ? ` and ${ignored.length - MAX_IGNORED} more` : "";
    lines.push(`[ignored by git: ${ignored.sort().slice(0, MAX_IGNORED).join(" ")}${more}]`);
  }
  return lines.join("\n");
}

/** @returns a file name in one line, whatever it holds */
export function showName(name: string): string {
  return revealControls(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
