/** Rules on whole files: every place where one holds, with its line (rules.md: `rules scan`; the audit at a run's end). */
import type { Rule } from "../../capability/rule.js";
import { findHits } from "../ast/ast-rule.js";
import type { Languages } from "../ast/languages.js";
import { languageOf } from "../ast/languages.js";
import { SYNTAX_LIMIT } from "../ast/syntax-check.js";
import { excerptOf } from "../lanes/excerpt.js";
import { KnownLines } from "../lanes/line-runs.js";
import { TtsrManager } from "../manager.js";
import type { LaneInfo, TtsrMatch } from "../types.js";
import { UNHINDERED } from "../unhindered.js";
import { decide, mayWatch, type RuleWatch, watchOf } from "../watch.js";

export interface FileHit {
  rule: Rule;
  /** 1-based, of the beginning of what the rule found. */
  line: number;
  column: number;
  lastLine: number;
  /** The line, up to the end of what was found; at most 120 characters. */
  excerpt: string;
}

/** UTF-16 units. A lane looks back on so much of its text only. */
const PIECE = 16_384;
/** The lanes in which a file's text is written. A rule that watches both looks once. */
const LANES: readonly Omit<LaneInfo, "contentIndex">[] = [
  { source: "tool", toolName: "write", argument: "content" },
  { source: "tool", toolName: "edit", argument: "added" },
];

export class FileScanner {
  readonly #managers: { lane: Omit<LaneInfo, "contentIndex">; manager: TtsrManager }[] = [];
  readonly #syntax: RuleWatch[] = [];

  /** @param rules those that watch no file are left out */
  constructor(
    rules: readonly Rule[],
    private readonly languages: Languages,
  ) {
    const left = new Set(rules);
    for (const lane of LANES) {
      const manager = new TtsrManager(UNHINDERED, { languages });
      for (const rule of left) {
        const { watch } = watchOf(rule);
        if (!watch || !mayWatch(watch, "tool", lane.toolName ?? "", { readOnly: false })) continue;
        left.delete(rule);
        if (!manager.addRule({ ...rule, enabled: true })) continue;
        if (rule.astCondition) this.#syntax.push(watch);
      }
      this.#managers.push({ lane, manager });
    }
  }

  /** How many rules look at files. */
  get size(): number {
    return this.#managers.reduce((sum, { manager }) => sum + manager.rules().length, 0);
  }

  /**
   * @param filePath relative to the project, posix separators
   * @param before the old text, where only what touches its added lines counts
   * @returns at most one hit a rule and line, by line, column and name
   */
  async scan(filePath: string, text: string, before?: string): Promise<FileHit[]> {
    const lines = new Lines(text);
    const hits: FileHit[] = [];
    for (const { rule, start, end } of [
      ...(await this.#matches(filePath, text)),
      ...(await this.#onSyntax(filePath, text)),
    ]) {
      const [line, column] = lines.at(start);
      const [lastLine] = lines.at(Math.max(start, end - 1));
      if (before !== undefined && !lines.addsTo(before, line, lastLine)) continue;
      if (hits.some((hit) => hit.rule === rule && hit.line === line)) continue;
      hits.push({ rule, line, column, lastLine, excerpt: excerptOf(text.slice(0, lines.endOf(line, end))) });
    }
    return hits.sort((a, b) => a.line - b.line || a.column - b.column || (a.rule.name < b.rule.name ? -1 : 1));
  }

  async #matches(filePath: string, text: string): Promise<TtsrMatch[]> {
    const found: TtsrMatch[] = [];
    for (const { lane, manager } of this.#managers) {
      if (!manager.hasRules()) continue;
      const open = manager.openLane({ ...lane, contentIndex: 0, filePath }, { wholeFile: false, every: true });
      for (let at = 0; at < text.length; at += PIECE) found.push(...open.push(text.slice(at, at + PIECE)));
      const { now, late } = open.close();
      found.push(...now, ...(await late));
    }
    return found;
  }

  async #onSyntax(filePath: string, text: string): Promise<{ rule: Rule; start: number; end: number }[]> {
    const language = languageOf(filePath);
    if (this.#syntax.length === 0 || language === undefined || text.length > SYNTAX_LIMIT) return [];
    const watching = this.#syntax.filter((watch) =>
      LANES.some((lane) => decide(watch, { ...lane, contentIndex: 0, filePath }, { readOnly: false }) === "yes"),
    );
    if (watching.length === 0 || this.languages.missing(language) !== undefined) return [];
    const astGrep = this.languages.load();
    if ("missing" in astGrep) return [];
    const found = await Promise.all(
      watching.map(async ({ rule }) => {
        const hits = await findHits(rule.astCondition ?? [], text, language, astGrep);
        return hits.map(({ start, end }) => ({ rule, start, end }));
      }),
    );
    return found.flat();
  }
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
