/** One markdown file → one `Rule`, and everything that its author should be told. */

import { createHash } from "node:crypto";
import { MAX_INJECTED_BYTES } from "../capability/injected-body.js";
import type { ReadingRoom } from "../capability/reading-room.js";
import { isStreamRule, type Rule, type RuleDiagnostic } from "../capability/rule.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { decodeText } from "../platform/text-codec.js";
import type { Dialect } from "./dialect.js";
import { Fields, type Placed } from "./fields.js";
import { type FrontMatter, parseFrontMatter } from "./front-matter.js";
import { stripHidden } from "./hidden-text.js";
import {
  CONTEXT_MODES,
  DETECTORS,
  INTERRUPT_MODES,
  KNOWN_KEYS,
  MAX_ENTRY_LENGTH,
  MAX_FILE_BYTES,
  MAX_NAME_LENGTH,
  MAX_TRIGGER_LENGTH,
  MAX_TRIGGERS,
  OTHER_NAMES,
  REPEAT_MODES,
  SEVERITIES,
  STREAM_KEYS,
  TRIGGER_KEYS,
  ZONES,
} from "./keys.js";
import { asWritten, reportTraps } from "./pattern-traps.js";

export interface RuleSource {
  /** Absolute path of the file. */
  path: string;
  /** Path below the rules folder, posix separators, without extension. */
  name: string;
  provider: string;
  bytes: Buffer;
  /** Shared with the files that are read with it. */
  reading?: ReadingRoom | undefined;
  /** Whose format it is; default: ours. */
  dialect?: Dialect;
}

export interface RuleFile {
  rule: Rule;
  diagnostics: RuleDiagnostic[];
  /** One sentence: why the file cannot act at all. The rule has its name and nothing else. */
  broken?: string;
  /** One sentence: why its own tool would leave the file out. */
  off?: string;
}

/** Never throws for what the file holds. */
export function readRuleFile({ path, name: given, provider, bytes, reading, dialect }: RuleSource): RuleFile {
  // What other tools call a file is theirs to choose: what no name of ours may hold becomes a dash.
  const name = dialect ? given.replaceAll(/[^A-Za-z0-9._/-]+/g, "-") : given;
  const bare: Rule = {
    name,
    path,
    provider,
    content: "",
    ttsrTrigger: [],
    scope: [],
    globs: [],
    hash: createHash("sha256").update(bytes).digest("hex"),
  };
  const broken = (code: string, message: string): RuleFile => ({
    rule: bare,
    broken: message,
    diagnostics: [{ severity: "error", code, message, path, line: 1 }],
  });
  if (bytes.length > MAX_FILE_BYTES)
    return broken("over-limit", `The file has ${bytes.length} bytes; a rule has at most ${MAX_FILE_BYTES}.`);
  if (name.length > MAX_NAME_LENGTH || !/^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/.test(name)) {
    const rules = `letters A-Z a-z, digits, ".", "_", "-" and folders, at most ${MAX_NAME_LENGTH} characters`;
    return broken("bad-name", `"${printable(name)}" cannot be a rule's name; rename the file: ${rules}.`);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok)
    return broken("not-text", `The file cannot be read as text: it is ${decoded.reason}; save it as UTF-8.`);

  const clean = stripHidden(decoded.text.replaceAll(/\r\n?/g, "\n"), path);
  const front = dialect?.plain ? withoutFrontMatter(clean.text) : parseFrontMatter(clean.text, path, reading);
  const diagnostics = [...clean.diagnostics, ...front.diagnostics.map((each) => inDialect(each, front, dialect))];
  if (front.refused !== undefined) return { rule: bare, diagnostics, broken: front.refused };

  const fields = new Fields(front, path);
  const rule = ruleFrom(bare, front, fields, dialect?.globsKey ?? "globs");
  const long = overLong(rule);
  if (long !== undefined) {
    fields.report("error", "over-limit", long.message, fields.line(long.key));
    return { rule: bare, broken: long.message, diagnostics: [...diagnostics, ...fields.diagnostics] };
  }
  const fires = isStreamRule(rule);
  // A trigger of ours in a file of theirs is meant for us alone.
  const off = fires ? undefined : dialect?.mean(rule, fields);
  if (dialect) reportForeignKeys(front, fields, dialect, fires);
  else reportKeys(front, fields);
  reportUse(rule, front, fields, dialect);
  if (fires) delete rule.alwaysApply;
  return { rule, diagnostics: [...diagnostics, ...fields.diagnostics], ...(off === undefined ? {} : { off }) };
}

function ruleFrom(bare: Rule, front: FrontMatter, fields: Fields, globsKey: string): Rule {
  const triggers = readPatterns(TRIGGER_KEYS, fields);
  const unless = readPatterns(["unless"], fields);
  return {
    ...bare,
    content: front.body,
    ttsrTrigger: triggers.map((trigger) => trigger.text),
    ...present({
      astCondition: fields.patterns("astCondition"),
      detect: fields.choice("detect", DETECTORS),
      callCondition: fields.schemas("callCondition"),
    }),
    triggerLines: triggers.map((trigger) => trigger.line),
    scope: fields.list("scope"),
    globs: fields.list(globsKey),
    ...(unless.length === 0
      ? {}
      : { unless: unless.map(({ text }) => text), unlessLines: unless.map(({ line }) => line) }),
    ...present({
      in: fields.choices("in", ZONES),
      agents: fields.has("agents") ? fields.list("agents") : undefined,
      unlessWithin: fields.count("unlessWithin", "lines"),
      unlessAfter: fields.count("unlessAfter", "lines"),
      description: fields.text("description"),
      instead: fields.text("instead"),
      repeatMode: fields.choice("repeatMode", REPEAT_MODES),
      repeatGap: fields.count("repeatGap", "turns"),
      warmupMatches: fields.count("warmupMatches", "occurrences"),
      contextMode: fields.choice("contextMode", CONTEXT_MODES),
      interruptMode: fields.choice("interruptMode", INTERRUPT_MODES),
      severity: fields.choice("severity", SEVERITIES),
      observe: fields.flag("observe"),
      enabled: fields.flag("enabled"),
      alwaysApply: fields.flag("alwaysApply"),
      examples: fields.examples("examples"),
    }),
  };
}

/** A list cut short would mean something else, so the rule is off. */
function overLong(rule: Rule): { key: string; message: string } | undefined {
  for (const key of ["scope", "globs", "agents"] as const) {
    const length = rule[key]?.find((entry) => entry.length > MAX_ENTRY_LENGTH)?.length;
    if (length === undefined) continue;
    return { key, message: `"${key}" has an entry of ${length} characters, more than ${MAX_ENTRY_LENGTH}.` };
  }
  return undefined;
}

/** @returns the object without the keys that have no value */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function readPatterns(keys: readonly string[], fields: Fields): Placed[] {
  const patterns: Placed[] = [];
  for (const key of keys) {
    for (const { text, line } of fields.texts(key)) {
      if (text === "") {
        fields.report("warning", "empty-trigger", `"${key}" has an empty pattern; it was left out.`, line);
      } else if (text.length > MAX_TRIGGER_LENGTH) {
        const message = `A pattern has ${text.length} characters, more than ${MAX_TRIGGER_LENGTH}; it was left out: "${text.slice(0, 40)}…".`;
        fields.report("error", "over-limit", message, line);
      } else if (patterns.length === MAX_TRIGGERS) {
        fields.report(
          "error",
          "over-limit",
          `A rule has at most ${MAX_TRIGGERS} patterns; this one was left out: "${text.slice(0, 40)}".`,
          line,
        );
      } else {
        patterns.push({ text: asWritten(text, key, line, fields), line });
      }
    }
    reportTraps(key, fields);
  }
  return patterns;
}

/** Unknown keys that are told one by one. */
const MOST_UNKNOWN = 20;

function reportKeys(front: FrontMatter, fields: Fields): void {
  let unknown = 0;
  for (const [key, { line }] of front.entries) {
    if (key === "name") {
      fields.report("info", "name-ignored", 'A rule\'s name is its path; the key "name" was left out.', line);
    } else if (!KNOWN_KEYS.has(key) && ++unknown > MOST_UNKNOWN) {
      fields.report("warning", "unknown-key", "There are more unknown keys; they were left out.", line);
      break;
    } else if (!KNOWN_KEYS.has(key)) {
      const meant = OTHER_NAMES.get(key) ?? didYouMean(key, KNOWN_KEYS);
      const shown = printable(key);
      fields.report(
        "warning",
        "unknown-key",
        `Unknown key "${shown}"; it was left out.`,
        line,
        meant && `Did you mean "${meant}"?`,
      );
    }
  }
}

/** In another tool's file its own keys are at home, and what nobody knows is worth a word, no warning. */
function reportForeignKeys(front: FrontMatter, fields: Fields, dialect: Dialect, fires: boolean): void {
  const { tool, globsKey = "globs", known = [] } = dialect;
  const theirs = new Set<string>([globsKey, "description", "alwaysApply", "enabled", "agents", ...known]);
  for (const [key, { line }] of front.entries) {
    if (theirs.has(key) || (fires && KNOWN_KEYS.has(key) && key !== "globs")) continue;
    fields.report(
      "info",
      "unknown-key",
      `Unknown key "${printable(key)}" in a rule of ${tool}; it was left out.`,
      line,
    );
  }
}

/** Says of every rule that can never act that it cannot. */
function reportUse(rule: Rule, front: FrontMatter, fields: Fields, dialect: Dialect | undefined): void {
  const fires = isStreamRule(rule);
  if (fires && front.entries.has("alwaysApply")) {
    fields.report(
      "info",
      "always-apply-ignored",
      '"alwaysApply" means nothing to a rule with a trigger; it was left out.',
      fields.line("alwaysApply"),
    );
  }
  if (fires && rule.content === "" && rule.instead === undefined) {
    fields.report(
      "warning",
      "empty-body",
      "The rule has no text to put before the model: write below the front matter what to do.",
      1,
    );
  }
  if (fires) reportIdle(rule, fields);
  const bytes = Buffer.byteLength(rule.content);
  if (bytes > MAX_INJECTED_BYTES) {
    const message = `The text has ${bytes} bytes; only the first ${MAX_INJECTED_BYTES} are put before the model.`;
    fields.report("warning", "long-body", message, 1);
  }
  // Whether a file of another tool acts is that tool's to say.
  if (fires || dialect) return;
  const orphan = [...TRIGGER_KEYS, ...STREAM_KEYS].find((key) => front.entries.has(key));
  if (orphan !== undefined) {
    const message = `The rule has "${orphan}" but no trigger that could be read, so it never fires.`;
    fields.report(
      "error",
      "no-trigger",
      message,
      fields.line(orphan),
      "Give it a pattern: ttsr_trigger: '\\bpattern\\b'",
    );
  } else if (rule.enabled === false) {
    // All that is wanted of it is its name: it switches another rule off (TTSR-1.2).
  } else if (rule.description === undefined && rule.alwaysApply !== true && rule.globs.length === 0) {
    // A folder of rules may have a page for people.
    fields.report(
      /(?:^|\/)readme$/i.test(rule.name) ? "info" : "warning",
      "inert",
      "The file has no trigger, no description, no globs and no alwaysApply: nothing of it is used.",
      1,
      "Give it a trigger, or move it out of the rules folder.",
    );
  }
}

/** Keys that mean something only beside another one. */
function reportIdle(rule: Rule, fields: Fields): void {
  const { unless, repeatMode } = rule;
  for (const key of ["unlessWithin", "unlessAfter"] as const) {
    if (unless || rule[key] === undefined) continue;
    const message = `"${key}" says how far "unless" looks, and the rule has none.`;
    fields.report("warning", "idle-key", message, fields.line(key), "Give it a pattern: unless: 'is-fine'");
  }
  if (fields.has("repeatGap") && repeatMode !== undefined && repeatMode !== "after-gap") {
    const message = `"repeatGap" counts only with repeatMode: after-gap, and the rule has "${repeatMode}".`;
    fields.report("warning", "idle-key", message, fields.line("repeatGap"), "Take one of them out.");
  }
}

/** What is a fault in our format may be the way of another. */
function inDialect(diagnostic: RuleDiagnostic, front: FrontMatter, dialect: Dialect | undefined): RuleDiagnostic {
  const globs = dialect?.unquotedGlobs ? front.entries.get(dialect.globsKey ?? "globs") : undefined;
  if (diagnostic.code !== "repaired" || !globs || typeof globs.value !== "string" || diagnostic.line !== globs.line)
    return diagnostic;
  const { suggestion: _, ...told } = diagnostic;
  return { ...told, severity: "info" };
}

function withoutFrontMatter(text: string): FrontMatter {
  return { entries: new Map(), body: text.trim(), lines: text.split("\n"), diagnostics: [] };
}

/** Names come from outside: no control characters, no endless lines. */
function printable(text: string): string {
  const clean = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return clean.length > 80 ? `${clean.slice(0, 80)}…` : clean;
}
