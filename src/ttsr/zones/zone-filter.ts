/** `in:`, which lexical zones of a text a rule looks at (TTSR-3.3). The others are hidden unit by unit, so that offsets and lines stay. */
import type { Rule, Zone } from "../../capability/rule.js";
import { hide, PROSE_KINDS, ProseFilter, type ProseKind } from "../prose.js";
import type { Scope } from "../scope.js";
import type { LaneInfo, TextBefore } from "../types.js";
import { CodeTokenizer } from "./code.js";
import { languageOf } from "./languages.js";
import { SearchedWords } from "./searched.js";
import { ShellTokenizer } from "./shell.js";
import type { Kind, Tokenizer } from "./tokenizer.js";

/** Stands between a text and the rules. What comes out is as long as what went in, and depends on the text alone, not on the cuts. */
export interface TextFilter {
  /** @returns what is decided by now */
  push(delta: string): string;
  /** The text is complete. @returns the rest */
  close(): string;
}

const NOTHING_HIDDEN: TextFilter = { push: (text) => text, close: () => "" };
/** Tools whose one text is a script. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(["bash", "shell"]);
/** Which parts of prose are which zone. A block quote in a message says what others said: only `any` shows it. */
const PROSE_ZONES: Readonly<Record<ProseKind, Zone | undefined>> = {
  prose: "prose",
  fence: "code",
  span: "code",
  quote: undefined,
};

/** Stands for all of a command but what it searches for. */
const UNSEARCHED = "unsearched";

/**
 * @param named whether the rule names the lane's tool
 * @returns the zones of a rule as one word; undefined: it sees the text as rules without `in` see others
 */
export function zonesKey(rule: Rule, info: LaneInfo, named: boolean): string | undefined {
  if (!rule.in || rule.in.length === 0) return isScript(info) && !named ? UNSEARCHED : undefined;
  // On a tool's text nothing else is hidden by default.
  if (rule.in.includes("any")) return info.source === "tool" ? undefined : "any";
  return [...rule.in].sort().join(" ");
}

/** Whether the rule looks only at zones that none of its lanes can have. */
export function zonesUnreachable(rule: Rule, { tools }: Scope): boolean {
  if (!rule.in || rule.in.length === 0 || tools.length > 0) return false;
  return rule.in.every((zone) => zone === "comment" || zone === "string");
}

/** Whether the file, which is not known yet, will say what is code and what is not. */
export function zonesWait(info: LaneInfo): boolean {
  return info.source === "tool" && info.filePath === undefined && !isScript(info);
}

/** Whether the lane is a command, not a file. */
export function isScript({ source, toolName = "", filePath }: LaneInfo): boolean {
  return source === "tool" && filePath === undefined && SHELL_TOOLS.has(toolName);
}

/**
 * @param key as `zonesKey` gave it
 * @param before the text that the lane goes on with
 */
export function zoneFilter(key: string, info: LaneInfo, before?: TextBefore): TextFilter {
  if (key === "any") return NOTHING_HIDDEN;
  if (key === UNSEARCHED) return new ZoneFilter(new SearchedWords(tokenizerOf(info)), (kind) => kind !== "searched");
  const zones = new Set(key.split(" "));
  const hiddenProse = (quotes: boolean): ReadonlySet<ProseKind> =>
    new Set(PROSE_KINDS.filter((kind) => !zones.has((quotes && kind === "quote" ? "prose" : PROSE_ZONES[kind]) ?? "")));
  if (info.source !== "tool") return new ProseFilter(hiddenProse(false));
  // In a file, a quote is as much the author's as the rest.
  if (isProse(info)) return new ProseFilter(hiddenProse(true));
  const shows = (kind: Kind): boolean => {
    if (kind === "mark") return zones.has("code") || zones.has("string");
    return zones.has(kind === "searched" ? "string" : kind);
  };
  return new ZoneFilter(before?.at(info) ?? tokenizerOf(info), shows);
}

/** @returns the tokenizer of a lane that is no prose */
export function tokenizerOf({ filePath, toolName = "" }: LaneInfo): Tokenizer {
  if (filePath === undefined) return SHELL_TOOLS.has(toolName) ? new ShellTokenizer() : ALL_CODE;
  const language = languageOf(filePath);
  if (language === "shell") return new ShellTokenizer();
  return language === undefined || language === "prose" ? ALL_CODE : new CodeTokenizer(language);
}

function isProse({ filePath }: LaneInfo): boolean {
  return filePath !== undefined && languageOf(filePath) === "prose";
}

const ALL_CODE: Tokenizer = {
  next: (text, at) => ({ length: text.length - at, kind: "code" }),
  clone: () => ALL_CODE,
};

class ZoneFilter implements TextFilter {
  #held = "";

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly shows: (kind: Kind) => boolean,
  ) {}

  push(delta: string): string {
    return this.#decide(delta, false);
  }

  close(): string {
    return this.#decide("", true);
  }

  #decide(delta: string, final: boolean): string {
    const text = this.#held + delta;
    let out = "";
    let at = 0;
    while (at < text.length) {
      const piece = this.tokenizer.next(text, at, final);
      if (!piece) break;
      const part = text.slice(at, at + piece.length);
      out += this.shows(piece.kind) ? part : hide(part);
      at += piece.length;
    }
    this.#held = text.slice(at);
    return out;
  }
}
