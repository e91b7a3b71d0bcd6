/** Rules on whole files: every place where one holds, with its line (rules.md: `rules scan`; the audit at a run's end). */
import { posix } from "node:path";
import { looksAtText, type Rule } from "../../capability/rule.js";
import type { Languages } from "../ast/languages.js";
import { languageOf } from "../ast/languages.js";
import { hitsOf, SYNTAX_LIMIT } from "../ast/syntax-check.js";
import { excerptOf } from "../lanes/excerpt.js";
import { KnownLines } from "../lanes/line-runs.js";
import { TtsrManager } from "../manager.js";
import { TriggerMemory } from "../matcher/index.js";
import type { LaneInfo, TtsrMatch } from "../types.js";
import { UNHINDERED } from "../unhindered.js";
import { decide, mayWatch, type RuleWatch, watchOf } from "../watch.js";
import { Sieve } from "./sieve.js";

export interface FileHit {
  rule: Rule;
  /** 1-based, of the beginning of what the rule found. */
  line: number;
  column: number;
  lastLine: number;
  /** The line, up to the end of what was found; at most 120 characters. */
  excerpt: string;
}

export interface FileScannerDeps {
  /** For rules on syntax. */
  languages: Languages;
  /** Of the manager that has registered the rules: it has compiled them. Default: one of its own. */
  memory?: TriggerMemory;
  /** What the rules were loaded for, relative to the project, posix separators; default: the project itself. */
  workingFolder?: string;
  /** Told of each rule on syntax that could not be tried on a file: a part of a sentence, why. */
  undecided?(rule: Rule, why: string): void;
}

/** UTF-16 units of the text. */
interface Found {
  rule: Rule;
  start: number;
  end: number;
}

/** UTF-16 units. A lane looks back on so much of its text only. */
const PIECE = 16_384;
/** The lanes in which a file's text is written. A rule that watches both looks once. */
const LANES: readonly Omit<LaneInfo, "contentIndex">[] = [
  { source: "tool", toolName: "write", argument: "content" },
  { source: "tool", toolName: "edit", argument: "added" },
];

export class FileScanner {
  readonly #watches = new Map<string, RuleWatch>();
  /** One for each rule that a file came as far as; few do. */
  readonly #managers = new Map<string, TtsrManager>();
  /** What all of them have in common. */
  readonly #deps: Required<Omit<FileScannerDeps, "undecided">>;
  readonly #undecided: (rule: Rule, why: string) => void;
  readonly #sieve: Sieve;
  readonly #syntax: RuleWatch[];

  /** @param rules those that watch no file are left out */
  constructor(
    rules: readonly Rule[],
    { languages, memory = new TriggerMemory(), workingFolder = "", undecided }: FileScannerDeps,
  ) {
    this.#undecided = undecided ?? (() => undefined);
    this.#deps = { languages, memory, workingFolder };
    for (const rule of rules) {
      const watch = fileWatchOf(rule);
      if (watch) this.#watches.set(rule.name, watch);
    }
    this.#sieve = new Sieve(
      [...this.#watches.values()].map(({ rule }) => rule),
      memory,
    );
    this.#syntax = [...this.#watches.values()].filter(({ rule }) => rule.astCondition);
  }

  /** How many rules look at files. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * @param path relative to the project, posix separators
   * @param before the old text, where only what touches its added lines counts
   * @returns at most one hit a rule and line, by line, column and name
   */
  async scan(path: string, text: string, before?: string): Promise<FileHit[]> {
    const filePath = this.#deps.workingFolder === "" ? path : posix.relative(this.#deps.workingFolder, path);
    const candidates = this.#sieve.candidates(text);
    if (candidates.size === 0 && this.#syntax.length === 0) return [];
    const lines = new Lines(text);
    const hits: FileHit[] = [];
    const told = new Set<string>();
    for (const { rule, start, end } of [
      ...(await this.#matches(candidates, filePath, text)),
      ...(await this.#onSyntax(filePath, text)),
    ]) {
      const [line, column] = lines.at(start);
      const [lastLine] = lines.at(Math.max(start, end - 1));
      if (before !== undefined && !lines.addsTo(before, line, lastLine)) continue;
      const place = `${line} ${rule.name}`;
      if (told.has(place)) continue;
      told.add(place);
      const excerpt = copyOf(excerptOf(text.slice(0, lines.endOf(line, end))));
      hits.push({ rule, line, column, lastLine, excerpt });
    }
    return hits.sort((a, b) => a.line - b.line || a.column - b.column || (a.rule.name < b.rule.name ? -1 : 1));
  }

  async #matches(candidates: Iterable<string>, filePath: string, text: string): Promise<Found[]> {
    const found: Found[] = [];
    for (const name of candidates) {
      const watch = this.#watches.get(name);
      const lane = watch && laneFor(watch, filePath);
      if (!lane) continue;
      const open = this.#manager(watch.rule).openLane(lane, { wholeFile: false, every: true });
      const matches: TtsrMatch[] = [];
      for (let at = 0; at < text.length; at += PIECE) matches.push(...open.push(text.slice(at, at + PIECE)));
      const { now, late } = open.close();
      matches.push(...now, ...(await late));
      for (const { start, end } of matches) found.push({ rule: watch.rule, start, end });
    }
    return found;
  }

  #manager(rule: Rule): TtsrManager {
    let manager = this.#managers.get(rule.name);
    if (!manager) {
      manager = new TtsrManager(UNHINDERED, this.#deps);
      manager.addRule({ ...rule, enabled: true });
      this.#managers.set(rule.name, manager);
    }
    return manager;
  }

  async #onSyntax(filePath: string, text: string): Promise<Found[]> {
    const { languages } = this.#deps;
    const language = languageOf(filePath);
    if (this.#syntax.length === 0 || language === undefined || text.length > SYNTAX_LIMIT) return [];
    const watching = this.#syntax.filter((watch) => laneFor(watch, filePath));
    if (watching.length === 0 || languages.missing(language) !== undefined) return [];
    const conditions = watching.map(({ rule }) => rule.astCondition ?? []);
    const answers = await languages.checker.check(languages.placeOf(language), text, conditions);
    return watching.flatMap(({ rule }, index) => {
      const answer = answers[index];
      if (answer && "undecided" in answer) this.#undecided(rule, answer.undecided);
      const standing = hitsOf(answer).filter((hit) => !this.#manager(rule).isExcused(rule, text, hit));
      return standing.map(({ start, end }) => ({ rule, start, end }));
    });
  }
}

/** A part of a text keeps the whole of it in memory, here that of every file with a hit. */
function copyOf(part: string): string {
  return Buffer.from(part, "utf16le").toString("utf16le");
}

/** Whether the rule looks at files at all. */
export function watchesFiles(rule: Rule): boolean {
  return fileWatchOf(rule) !== undefined;
}

function fileWatchOf(rule: Rule): RuleWatch | undefined {
  const watch = looksAtText(rule) ? watchOf(rule).watch : undefined;
  const looks = watch && LANES.some(({ toolName = "" }) => mayWatch(watch, "tool", toolName, { readOnly: false }));
  return looks ? watch : undefined;
}

/** @returns the lane in which the rule sees the text of this file; undefined: in none */
function laneFor(watch: RuleWatch, filePath: string): LaneInfo | undefined {
  for (const lane of LANES) {
    const info = { ...lane, contentIndex: 0, filePath };
    if (decide(watch, info, { readOnly: false }) === "yes") return info;
  }
  return undefined;
}

/** The lines of one text, made when the first hit asks for them. */
class Lines {
  #starts: number[] | undefined;
  #added: boolean[] | undefined;

  constructor(private readonly text: string) {}

  /** @returns line and column, 1-based */
  at(offset: number): [number, number] {
    const starts = this.#all();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  }

  /** @returns the offset, or the end of the line where it comes first */
  endOf(line: number, offset: number): number {
    const next = this.#all()[line];
    return next === undefined ? offset : Math.min(offset, next - 1);
  }

  /** @returns whether one of these lines, both ends included, does not stand in the old text */
  addsTo(before: string, first: number, last: number): boolean {
    if (!this.#added) {
      const known = new KnownLines(before);
      this.#added = this.text.split("\n").map((line) => !known.has(line.endsWith("\r") ? line.slice(0, -1) : line));
    }
    return this.#added.slice(first - 1, last).some(Boolean);
  }

  #all(): number[] {
    if (!this.#starts) {
      this.#starts = [0];
      for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
    }
    return this.#starts;
  }
}
