import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type ExitCode, UserError } from "../../../platform/errors.js";
import { displayPath } from "../../../platform/paths.js";
import { projectRoot } from "../../../platform/project-root.js";
import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";
import { filesBelow } from "../../../tools/files-below.js";
import { type FileHit, FileScanner } from "../../../ttsr/scan/scanner.js";
import { count, printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { languages, loadRules } from "./load.js";
import { allRules } from "./named.js";
import { sarifOf } from "./sarif.js";

/** Bytes. A larger file is data. */
const FILE_LIMIT = 1024 * 1024;
/** Bytes at the beginning in which a NUL says that a file is no text. */
const PROBE = 8_000;

export interface Scanned {
  files: number;
  hits: { path: string; hit: FileHit }[];
  /** Files that are too large. */
  skipped: number;
  ms: number;
}

/** `ttsr-agent rules scan` */
export function addScan(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("scan")
    .description("every place of a working tree where a rule on files holds; exit 6 when there is one")
    .argument("[dir]", "the folder", ".")
    .option("--format <format>", "text, json or sarif", "text")
    .option("--json", "as JSON")
    .option("--only <rule...>", "these rules alone")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules scan src --format sarif > rules.sarif")
    .action(async (dir: string, { format, json, only }: { format: string; json?: boolean; only?: string[] }) => {
      const wanted = json ? "json" : format;
      if (wanted !== "text" && wanted !== "json" && wanted !== "sarif") {
        throw new UserError("bad-flag", `--format is text, json or sarif, not "${format}".`, 2);
      }
      const scanned = await scan(dir, only);
      if (wanted === "json") printJson(asJson(scanned));
      else if (wanted === "sarif") printJson(sarifOf(scanned.hits));
      else print(scanned);
      done(scanned.hits.length > 0 ? 6 : 0);
    });
}

async function scan(dir: string, only: readonly string[] | undefined): Promise<Scanned> {
  const began = performance.now();
  const folder = resolve(dir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError("no-folder", `${dir}: there is no such folder.`, 2);
  }
  const { set, manager } = await loadRules({ trusted: true });
  for (const name of only ?? []) {
    if (!allRules(set).some((rule) => rule.name === name)) {
      throw new UserError("no-rule", `--only ${name}: there is no such rule; "ttsr-agent rules list" shows them.`, 2);
    }
  }
  const scanner = new FileScanner(
    manager.rules().filter(({ name }) => only === undefined || only.includes(name)),
    languages,
  );
  if (scanner.size === 0) throw new UserError("no-rule", "There is no rule that looks at files.", 2);
  const { files } = await filesBelow(folder, {}, new AbortController().signal);
  const root = projectRoot(folder);
  const progress = progressLine("files scanned");
  const scanned: Scanned = { files: 0, hits: [], skipped: 0, ms: 0 };
  for (const file of files.sort()) {
    const text = textOf(file);
    if (text === "large") scanned.skipped++;
    if (text === undefined || text === "large") continue;
    const path = displayPath(root, file);
    for (const hit of await scanner.scan(path, text.text)) scanned.hits.push({ path, hit });
    progress.at(++scanned.files, files.length);
  }
  progress.end();
  scanned.ms = Math.round(performance.now() - began);
  return scanned;
}

/** @returns undefined where it is no text that can be read */
function textOf(path: string): { text: string } | "large" | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  if (stats.size > FILE_LIMIT) return "large";
  try {
    const bytes = readFileSync(path);
    return bytes.subarray(0, PROBE).includes(0) ? undefined : { text: bytes.toString("utf8") };
  } catch {
    // Not readable: git would not read it either.
    return undefined;
  }
}

function asJson({ files, hits, ms }: Scanned): unknown {
  return {
    files,
    hits: hits.map(({ path, hit: { rule, line, column, excerpt } }) => ({
      rule: rule.name,
      path,
      line,
      column,
      excerpt,
      severity: rule.severity ?? "warning",
    })),
    ms,
  };
}

function print({ files, hits, skipped, ms }: Scanned): void {
  for (const { path, hit } of hits) {
    const { line, column, excerpt, rule } = hit;
    printLine(`${sanitizeTerminal(path)}:${line}:${column}: ${rule.name}: ${sanitizeTerminal(excerpt.trim())}`);
  }
  const left = skipped === 0 ? "" : `, ${count(skipped, "file")} of more than 1 MB left out`;
  printLine(`${count(hits.length, "hit")} in ${count(files, "file")}${left}, ${(ms / 1000).toFixed(1)} s.`);
}
