import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Command } from "commander";
import { type ExitCode, UserError } from "../../../platform/errors.js";
import { projectRoot } from "../../../platform/project-root.js";
import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";
import { filesBelow } from "../../../tools/files-below.js";
import { showName } from "../../../tools/listing.js";
import { bundledRipgrep } from "../../../tools/ripgrep.js";
import { isRuleFile } from "../../../ttsr/rule-files.js";
import { type FileHit, FileScanner } from "../../../ttsr/scan/scanner.js";
import { count, printJson, printLine } from "../../output.js";
import { progressLine } from "../../progress.js";
import { languages, loadRules } from "./load.js";
import { allRules, insteadOf } from "./named.js";
import { sarifOf } from "./sarif.js";
import { FileReader, type LeftOut } from "./scan-file.js";

export interface Scanned {
  files: number;
  hits: { path: string; hit: FileHit }[];
  /** By rule that only observes, and was not asked for by name: how many hits. */
  observed: Map<string, number>;
  /** How many files were left out, and why. */
  leftOut: Map<LeftOut, number>;
  /** Rules that could not be tried on every file, and why. */
  undecided: Map<string, string>;
  /** What else the user should know. */
  note?: string;
  ms: number;
}

/** `ttsr-agent rules scan` */
export function addScan(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("scan")
    .description("every place in files where a rule holds; exit 6 when there is one")
    .argument("[paths...]", "files, and folders with all that git sees in them", ["."])
    .option("--format <format>", "text, json, or sarif for code scanning", "text")
    .option("--json", "as JSON")
    .option("--only <rule...>", "these rules and no others")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules scan src --format sarif > rules.sarif")
    .action(async (paths: string[], { format, json, only }: { format: string; json?: boolean; only?: string[] }) => {
      const wanted = json ? "json" : format;
      if (wanted !== "text" && wanted !== "json" && wanted !== "sarif") {
        throw new UserError("bad-flag", `--format is text, json or sarif, not "${format}".`, 2);
      }
      const scanned = await scan(paths, only);
      if (wanted === "json") printJson(asJson(scanned));
      else if (wanted === "sarif") printJson(sarifOf(scanned.hits));
      else print(scanned);
      done(scanned.hits.length > 0 ? 6 : 0);
    });
}

async function scan(paths: readonly string[], only: readonly string[] | undefined): Promise<Scanned> {
  const began = performance.now();
  const progress = progressLine("files scanned");
  const root = rootOf(paths);
  // The files are listed by another process. It is started before the rules are read, which leaves no time for anything else.
  const ripgrep = await bundledRipgrep();
  const [{ files, note }, { set, manager }] = await Promise.all([
    filesAt(paths, ripgrep),
    setImmediate().then(() => loadRules({ trusted: true })),
  ]);
  for (const name of only ?? []) {
    const known = allRules(set);
    if (!known.some((rule) => rule.name === name)) {
      throw new UserError("no-rule", `--only ${name}: there is no such rule; ${insteadOf(name, known)}`, 2);
    }
  }
  const scanner = new FileScanner(
    manager.rules().filter(({ name }) => only === undefined || only.includes(name)),
    {
      languages,
      memory: manager.memory,
      workingFolder: workingFolderBelow(root),
      undecided: ({ name }, why) => scanned.undecided.set(name, why),
    },
  );
  if (scanner.size === 0) {
    const none = only ? `Of ${only.join(", ")} none` : "There is no rule that";
    throw new UserError("no-rule", `${none} looks at files.`, 2);
  }
  const below = pathsBelow(root);
  const reader = new FileReader();
  const scanned: Scanned = {
    files: 0,
    hits: [],
    observed: new Map(),
    leftOut: new Map(),
    undecided: new Map(),
    ...(note ? { note } : {}),
    ms: 0,
  };
  for (const [index, file] of files.sort().entries()) {
    progress.at(index, files.length);
    const path = below(file);
    // A rule quotes what it forbids.
    const read = isRuleFile(path) ? "rules" : reader.read(file);
    if (typeof read === "string") {
      scanned.leftOut.set(read, (scanned.leftOut.get(read) ?? 0) + 1);
      continue;
    }
    scanned.files++;
    for (const hit of await scanner.scan(path, read.text)) {
      const { name, observe } = hit.rule;
      if (observe && only === undefined) scanned.observed.set(name, (scanned.observed.get(name) ?? 0) + 1);
      else scanned.hits.push({ path, hit });
    }
  }
  progress.end();
  scanned.ms = Math.round(performance.now() - began);
  return scanned;
}

/** @throws UserError where one is not there, or they are of several projects */
function rootOf(paths: readonly string[]): string {
  const roots = paths.map((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UserError("no-file", `${path}: there is no such file or folder.`, 2);
    return projectRoot(stats.isDirectory() ? path : dirname(resolve(path)));
  });
  const [first = projectRoot("."), ...others] = new Set(roots);
  if (others.length > 0)
    throw new UserError("two-projects", "These are files of several projects; scan one at a time.", 2);
  return first;
}

/** @returns each file once */
async function filesAt(
  paths: readonly string[],
  ripgrep: string | undefined,
): Promise<{ files: string[]; note: string | undefined }> {
  const files = new Set<string>();
  let note: string | undefined;
  for (const path of paths.map((each) => resolve(each))) {
    if (!statSync(path).isDirectory()) {
      files.add(path);
      continue;
    }
    const below = await filesBelow(path, { ripgrep: async () => ripgrep }, new AbortController().signal);
    for (const file of below.files) files.add(file);
    note ??= below.note;
  }
  return { files: [...files], note };
}

/** @returns the working folder below the root, posix separators; empty where it lies elsewhere */
function workingFolderBelow(root: string): string {
  const below = relative(root, process.cwd()).split(sep).join("/");
  return below.startsWith("..") || isAbsolute(below) ? "" : below;
}

/** @returns what `displayPath` says of files that lie below, for so many of them that it counts */
function pathsBelow(root: string): (file: string) => string {
  const from = root.endsWith(sep) ? root.length : root.length + 1;
  return sep === "/" ? (file) => file.slice(from) : (file) => file.slice(from).replaceAll(sep, "/");
}

function asJson({ files, hits, observed, leftOut, undecided, note, ms }: Scanned): unknown {
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
    observed: Object.fromEntries(observed),
    leftOut: Object.fromEntries(leftOut),
    ...(undecided.size > 0 ? { undecided: Object.fromEntries(undecided) } : {}),
    ...(note ? { note } : {}),
    ms,
  };
}

function print({ files, hits, observed, leftOut, undecided, note, ms }: Scanned): void {
  for (const { path, hit } of hits) {
    const { line, column, excerpt, rule } = hit;
    printLine(
      `${sanitizeTerminal(showName(path))}:${line}:${column}: ${rule.name}: ${sanitizeTerminal(excerpt.trim())}`,
    );
  }
  printLine(`${count(hits.length, "hit")} in ${count(files, "file")}, ${(ms / 1000).toFixed(1)} s.`);
  if (observed.size > 0) {
    const counts = [...observed].map(([name, n]) => `${name} ${n}`).join(", ");
    printLine(`Observed only (--only shows them): ${counts}.`);
  }
  if (leftOut.size > 0) {
    printLine(`Left out: ${[...leftOut].map(([why, n]) => `${n} ${WHY[why]}`).join(", ")}.`);
  }
  for (const [name, why] of undecided) printLine(`Rule ${name} was not tried on every file: ${sanitizeTerminal(why)}.`);
  if (note) printLine(sanitizeTerminal(note));
}

const WHY: Readonly<Record<LeftOut, string>> = {
  rules: "rule files",
  large: "too large (more than 1 MB)",
  binary: "binary",
  lock: "lock files",
  minified: "minified",
  generated: "generated",
  unreadable: "that could not be read",
};
