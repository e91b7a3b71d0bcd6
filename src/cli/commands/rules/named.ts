/** A rule by its name or by its file, and a folder's rule files on their own. */
import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve, sep } from "node:path";
import { isStreamRule, type Rule, type RuleDiagnostic } from "../../../capability/rule.js";
import type { RuleSet } from "../../../capability/rule-capability.js";
import { dialectOf } from "../../../discovery/index.js";
import { readRuleFile } from "../../../discovery/rule-file.js";
import { walkRules } from "../../../discovery/walk.js";
import { didYouMean } from "../../../platform/did-you-mean.js";
import { UserError } from "../../../platform/errors.js";
import { armAlone, type Lab } from "../../../ttsr/proving/run-sample.js";

/**
 * @param word a rule's name, or the path of a rule file
 * @returns the rule, and what there was to tell when its file was read
 * @throws UserError `no-rule` (2) where it is neither
 */
export function ruleNamed(word: string, set: RuleSet): { rule: Rule; told: RuleDiagnostic[] } {
  const path = resolve(word);
  const known = allRules(set).find((each) => each.name === word || each.path === path);
  const found = known ?? (isFile(word) ? allRules(filesAsSet([word]))[0] : undefined) ?? refuse(word, allRules(set));
  const from = known ? set : filesAsSet([word]);
  return { rule: found, told: from.diagnostics.filter((each) => each.path === found.path) };
}

/** @throws UserError where nothing can make the rule fire: `no-trigger` (2), `broken-rule` (1) */
export function refuseUseless(rule: Rule, lab: Lab): void {
  if (!isStreamRule(rule)) throw new UserError("no-trigger", `${rule.name} has no trigger, so it fires on nothing.`, 2);
  const { armed, diagnostics } = armAlone({ ...rule, enabled: true }, lab);
  const fault = diagnostics.find(({ severity }) => severity === "error");
  if (!armed && fault) {
    const { message, suggestion = "" } = fault;
    throw new UserError("broken-rule", `${rule.name} is broken, so it never fires: ${message} ${suggestion}`.trim(), 1);
  }
}

/**
 * Rule files, and those of folders, as if they were all there is.
 * @throws UserError `no-rule` (2) where one is not there
 */
export function filesAsSet(paths: readonly string[]): RuleSet {
  const set: RuleSet = { items: [], shadowed: [], broken: [], untrusted: [], off: [], skipped: [], diagnostics: [] };
  for (const typed of paths) {
    const path = resolve(typed);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      const { files, skipped } = walkRules(path, { provider: PROVIDER });
      set.skipped.push(...skipped);
      for (const file of files) addFile(set, file);
    } else if (stats?.isFile()) addFile(set, { path, bytes: readFileSync(path) });
    else throw new UserError("no-rule", `${typed}: there is no such file or folder.`, 2);
  }
  return set;
}

const PROVIDER = "file";

function addFile(set: RuleSet, { path, bytes }: { path: string; bytes: Buffer }): void {
  if (allRules(set).some((rule) => rule.path === path)) return;
  const dialect = dialectOf(path);
  const source = { path, name: nameOf(path), provider: PROVIDER, bytes, ...(dialect ? { dialect } : {}) };
  const { rule, diagnostics, broken } = readRuleFile(source);
  set.diagnostics.push(...diagnostics);
  if (broken === undefined) set.items.push(rule);
  else set.broken.push({ rule, reason: broken });
}

/** As it would be in a session, where the file lies in a folder of rules. */
function nameOf(path: string): string {
  const bare = path
    .slice(0, path.length - extname(path).length)
    .split(sep)
    .join("/");
  return /^.*\/\.?rules\/(.+)$/.exec(bare)?.[1] ?? basename(bare);
}

export function allRules(set: RuleSet): Rule[] {
  const others = [...set.off, ...set.broken, ...set.untrusted, ...set.shadowed].map(({ rule }) => rule);
  return [...set.items, ...others];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function refuse(word: string, rules: readonly Rule[]): never {
  throw new UserError("no-rule", `There is no rule and no file "${word}"; ${insteadOf(word, rules)}`, 2);
}

/** @returns what to do in place of naming a rule that is not there */
export function insteadOf(word: string, rules: readonly Rule[]): string {
  const near = didYouMean(
    word,
    rules.map(({ name }) => name),
  );
  return near === undefined ? `"ttsr-agent rules list" shows them.` : `did you mean ${near}?`;
}
