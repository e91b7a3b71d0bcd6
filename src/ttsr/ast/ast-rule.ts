/** The `astCondition` of a rule, compiled (TTSR-4.5). */
import type { SgNode } from "@ast-grep/napi";
import type { AstPattern, Rule } from "../../capability/rule.js";
import { didYouMean } from "../../platform/did-you-mean.js";
import { excessOf, matcherOf } from "./condition.js";
import { type AstGrep, BUILT_IN_LANGUAGES, type Languages, languageOf } from "./languages.js";

/** Languages whose metavariables are plain words, so that a pattern can be parsed as it stands: meant where nobody names another. */
const PLAIN_METAVARIABLES: readonly string[] = ["TypeScript", "Tsx", "JavaScript"];

/**
 * @param likely names of files that the rule is about, as far as its globs say
 * @returns in one sentence each: what is wrong with which condition; undefined stands for all of them
 */
export function problemsOf(
  rule: Rule,
  languages: Languages,
  likely: readonly string[],
): { condition?: number; message: string }[] {
  const conditions = rule.astCondition ?? [];
  if (conditions.length === 0) return [];
  const astGrep = languages.load();
  if ("missing" in astGrep) return [{ message: astGrep.missing }];
  const named = [...new Set(likely.flatMap((path) => languageOf(path) ?? []))];
  if (likely.length > 0 && named.length === 0) {
    return [{ message: `No language is known for ${likely.join(", ")}, and astCondition needs one.` }];
  }
  const lacking = named.flatMap((language) => languages.missing(language) ?? []);
  if (named.length > 0 && lacking.length === named.length) return [{ message: lacking[0] ?? "" }];
  const known = named.filter((language) => languages.missing(language) === undefined);
  return conditions.flatMap((condition, index) => {
    // A piece of code could be one of any language; of the syntax of one a kind is enough.
    const unnamed = typeof condition === "string" ? PLAIN_METAVARIABLES : BUILT_IN_LANGUAGES;
    const faults = (named.length > 0 ? known : unnamed).map((language) => faultOf(condition, language, astGrep));
    // One language that takes it is enough: nobody said which one is meant.
    return faults.some((fault) => fault === undefined) ? [] : [{ condition: index, message: faults[0] ?? "" }];
  });
}

function faultOf(condition: AstPattern, language: string, astGrep: AstGrep): string | undefined {
  const excess = excessOf(condition);
  if (excess !== undefined) return `The pattern ${JSON.stringify(condition)} cannot be used: ${excess}.`;
  try {
    astGrep
      .parse(language, "")
      .root()
      .find(matcherOf(condition) as never);
    if (
      typeof condition === "string" &&
      PLAIN_METAVARIABLES.includes(language) &&
      isUnfinished(condition, language, astGrep)
    ) {
      return `The pattern ${JSON.stringify(condition)} is no whole piece of ${language}, so it can never match.`;
    }
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The pattern ${JSON.stringify(condition)} cannot be used: ${plainReason(reason, language)}.`.replace(
      /\?\.$/,
      "?",
    );
  }
}

/** What ast-grep says, for those who do not know its insides. */
function plainReason(said: string, language: string): string {
  const reason = said.replaceAll(/\s*\n[\s|>-]*/g, " ");
  const [, kind] = /Invalid Kind Kind `([^`]*)`/.exec(reason) ?? [];
  if (kind !== undefined) return `the syntax of ${language} has no kind "${kind}"`;
  const [, key = "", known] = /unknown field `([^`]*)`, expected (?:one of )?(.*)/.exec(reason) ?? [];
  if (known === undefined) return reason.replace(/[\s.]+$/, "");
  const names = known.match(/[A-Za-z]+/g) ?? [];
  const meant = didYouMean(key, names);
  return `it has no key "${key}"; ${meant === undefined ? `its keys are ${names.join(", ")}` : `did you mean "${meant}"?`}`;
}

/** ast-grep takes half a statement without a word, and then finds nothing. */
function isUnfinished(pattern: string, language: string, astGrep: AstGrep): boolean {
  const root = astGrep.parse(language, pattern).root();
  return root.find({ rule: { kind: "ERROR" } }) !== null || hasGap(root);
}

/** What the parser put in to make a whole of it has no text. */
function hasGap(node: SgNode): boolean {
  const children = node.children();
  return children.length === 0 ? node.parent() !== null && node.text() === "" : children.some(hasGap);
}
