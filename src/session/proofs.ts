/**
 * Which rules fail their own examples (rules.md). Tried once for each state of a file, in the quiet after the start; what came out is kept in
 * the user's state, and is only a cache: without it the examples are tried again.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Rule } from "../capability/rule.js";
import type { RuleSet } from "../capability/rule-capability.js";
import { faultsOfExamples, proveRule } from "../ttsr/proving/prove.js";
import type { Lab } from "../ttsr/proving/run-sample.js";

/** States of files that are kept; the oldest go first. */
const KEPT = 2_000;
const PROVED = "";

/** Between two examples whatever the user does comes first. */
const breath = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export class Proofs {
  /** From the hash of a file to what is wrong with its examples, `PROVED` where nothing is. */
  #known: Map<string, string> | undefined;
  /** Of the cache. */
  private readonly file: string | undefined;

  /**
   * @param state the user's state folder, absolute; undefined: nothing is kept
   * @param version of the program: another one may judge otherwise
   */
  constructor(
    state: string | undefined,
    private readonly version: string,
    private readonly lab: Lab,
  ) {
    this.file = state === undefined ? undefined : join(state, "proofs.json");
  }

  /** @returns in one sentence what is wrong with the rule's examples; undefined where nothing is known to be */
  faultOf({ hash }: Rule): string | undefined {
    return this.#cache().get(hash) || undefined;
  }

  /**
   * Tries those that were never tried in this state. The bundled ones are proved before they are shipped.
   * @returns those that fail
   */
  async prove(rules: readonly Rule[]): Promise<Rule[]> {
    const untried = rules.filter(({ provider, examples, hash }) => {
      return provider !== "bundled" && examples !== undefined && !this.#cache().has(hash);
    });
    for (const rule of untried) {
      const proof = await proveRule(rule, this.lab, false, breath);
      // What could not be tried now may be the next time.
      if (proof.some(({ verdicts }) => verdicts.some((each) => each.untried !== undefined))) continue;
      const [fault] = faultsOfExamples(rule, proof);
      this.#cache().set(rule.hash, fault?.message ?? PROVED);
    }
    if (untried.length > 0) this.#save();
    return untried.filter((rule) => this.faultOf(rule) !== undefined);
  }

  /** @returns the set with the rules that fail their examples among the broken ones */
  withoutFailed(set: RuleSet): RuleSet {
    const failed = set.items.filter((rule) => this.faultOf(rule) !== undefined);
    if (failed.length === 0) return set;
    return {
      ...set,
      items: set.items.filter((rule) => !failed.includes(rule)),
      broken: [...set.broken, ...failed.map((rule) => ({ rule, reason: this.faultOf(rule) ?? "" }))],
    };
  }

  #cache(): Map<string, string> {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): Map<string, string> {
    if (this.file === undefined) return new Map();
    try {
      const { version, proofs } = JSON.parse(readFileSync(this.file, "utf8")) as {
        version?: unknown;
        proofs?: unknown;
      };
      if (version !== this.version || !Array.isArray(proofs)) return new Map();
      return new Map(
        proofs.filter((each): each is [string, string] => {
          return Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string";
        }),
      );
    } catch {
      // Not there, or damaged: it is a cache.
      return new Map();
    }
  }

  #save(): void {
    if (this.file === undefined) return;
    const proofs = [...this.#cache()].slice(-KEPT);
    const temporary = `${this.file}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, JSON.stringify({ version: this.version, proofs }), { mode: 0o600 });
      renameSync(temporary, this.file);
    } catch {
      // The examples are tried again next time.
    }
  }
}
