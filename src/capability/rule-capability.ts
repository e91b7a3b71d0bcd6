import { holdsFor, TOP_AGENT } from "./agents.js";
import { ReadingRoom } from "./reading-room.js";
import { isOfRepository, isStreamRule, type Rule, type RuleDiagnostic } from "./rule.js";
import { weightOf } from "./rule-weight.js";

/** What a provider may need to know. Only `cwd` must be given; providers fill in the user's usual places. */
export interface RuleContext {
  /** The working folder. */
  cwd: string;
  /** Whose rules these are to be (`agents`, TTSR-3.4); default: "main", the session that a person talks to. */
  agent?: string;
  /** The user's folders; default: from the environment. */
  dirs?: { config: string; state: string };
  /** Folders of `--rules`, as typed. */
  ruleDirs?: readonly string[];
  /** `--trust`: the repository's rules count as trusted for this run; nothing is written down. */
  trusted?: boolean;
  /** `--no-rules` (`false`): no provider runs. */
  rules?: boolean;
  /** `--no-builtin-rules`, `ttsr.builtinRules` (`false`): the bundled pack stays out. */
  builtinRules?: boolean;
  /** What the provider may still read; set by whoever runs several of them. Default: a room of its own. */
  reading?: ReadingRoom;
  /** What extensions brought so far. */
  added?: readonly AddedRules[];
  /** By absolute path. */
  held?: ReadonlyMap<string, HeldFile>;
  /** `ttsr.disabledRules`, by name: of all rules, and of those that the repository brings. */
  disabledRules?: { all: readonly string[]; ofRepository: readonly string[] };
}

/** What an extension brings: a folder of rule files, or one rule as its file would have it. */
export type AddedRules = { owner: string } & ({ folder: string } | { name: string; text: string });

/** One rule file as a provider found it. */
export interface FoundRule {
  rule: Rule;
  /** One sentence: why this file cannot act at all. */
  broken?: string;
  /** One sentence: why the file itself says that it does not act. */
  off?: string;
  /** The user has not trusted the folder ("new"), or not this state of the file ("changed"), or the file came since ("added"); or one of our own tools wrote it. */
  untrusted?: Untrusted;
}

export type Untrusted = "new" | "added" | "changed" | "written";

/** A rule file that one of the agent's own tools touched and that nobody has accepted yet. */
export interface HeldFile {
  provider: string;
  /** What counts instead: the file as it was before. Undefined: there was none, so nothing of it acts. */
  before: FoundRule | undefined;
}

/** A file that was seen and not read: over a limit, or a link that leaves the repository. */
export interface SkippedFile {
  path: string;
  provider: string;
  /** One sentence. */
  reason: string;
}

export interface LoadResult {
  found: FoundRule[];
  skipped: SkippedFile[];
  diagnostics: RuleDiagnostic[];
}

/** A source of rules. Every provider has this shape, one file each. */
export interface RuleProvider {
  /** As it stands in `Rule.provider`. */
  readonly id: string;
  /** Higher comes first, and the first rule of a name wins. */
  readonly priority: number;
  /** Never rejects for what a file holds: that is a diagnostic. */
  load(context: RuleContext): Promise<LoadResult>;
  /** @returns the files and folders, absolute, whether they are there or not, in which a change may change rules; none: nothing to watch */
  places?(context: RuleContext): string[];
}

/** Everything that was found, each file in exactly one list. */
export interface RuleSet {
  /** The rules that hold, in order of priority. */
  items: Rule[];
  /** Rules that lost their name to an earlier one. */
  shadowed: { rule: Rule; by: Rule }[];
  /** They cannot act, but keep their name from others. */
  broken: { rule: Rule; reason: string }[];
  /** Rules of a repository that the user has not accepted. They shadow nothing. */
  untrusted: { rule: Rule; reason: Untrusted }[];
  /** Switched off, by the file or by the settings, or meant for other agents. They keep their name from others. */
  off: { rule: Rule; reason: string }[];
  skipped: SkippedFile[];
  diagnostics: RuleDiagnostic[];
}

/** Rules that take part, of all providers together (`rules.md`, limits). */
const MAX_RULES = 500;
/** Of all rules that hold (`rule-weight.ts`): 500 rules of 1,000 each. Judging so many takes under a second. */
const MAX_WEIGHT = 500_000;

/** The capability "rules": runs its providers in order of priority and lets the first rule of a name win (TTSR-1.2). */
export class RuleCapability {
  readonly id = "rules";
  readonly #providers = new Map<string, RuleProvider>();

  /** Adds a provider; one with the same id is replaced. */
  register(provider: RuleProvider): void {
    this.#providers.set(provider.id, provider);
  }

  /** @returns the registered providers, highest priority first */
  providers(): RuleProvider[] {
    return [...this.#providers.values()].sort((a, b) => b.priority - a.priority);
  }

  /** @returns where rules may appear while the program runs */
  places(context: RuleContext): string[] {
    if (context.rules === false) return [];
    return this.providers().flatMap((provider) => provider.places?.(context) ?? []);
  }

  async load(context: RuleContext): Promise<RuleSet> {
    const set: RuleSet = { items: [], shadowed: [], broken: [], untrusted: [], off: [], skipped: [], diagnostics: [] };
    if (context.rules === false) return set;
    // A repository takes none of the room of what the user has. One after the other: who comes first has the room.
    const rooms = { own: new ReadingRoom(), ofRepository: new ReadingRoom() };
    const results: ({ id: string } & LoadResult)[] = [];
    for (const provider of this.providers()) {
      const reading = isOfRepository({ provider: provider.id }) ? rooms.ofRepository : rooms.own;
      results.push({ id: provider.id, ...(await provider.load({ ...context, reading })) });
    }
    const holders = new Map<string, Rule>();
    const files = results.map(({ id, found }) => withHeld(found, id, context.held));
    const room = new Room(files.flat());
    for (const [index, { skipped, diagnostics }] of results.entries()) {
      set.skipped.push(...skipped);
      set.diagnostics.push(...diagnostics);
      for (const found of files[index] ?? []) {
        if (room.takes(found)) place(found, set, holders, context);
        else {
          const { path, provider } = found.rule;
          set.skipped.push({ path, provider, reason: `there are more than ${MAX_RULES} rules` });
        }
      }
    }
    skipCrowded(set);
    set.diagnostics.push(...sameTwice(set.items));
    return set;
  }
}

/** Who may still take part. A repository with many rules crowds out none of those that the user has, or the program. */
class Room {
  #own = MAX_RULES;
  #ofRepository: number;

  constructor(files: readonly FoundRule[]) {
    const own = files.filter(({ untrusted, rule }) => untrusted === undefined && !isOfRepository(rule));
    this.#ofRepository = MAX_RULES - own.length;
  }

  takes({ untrusted, rule }: FoundRule): boolean {
    if (untrusted !== undefined) return true;
    return (isOfRepository(rule) ? this.#ofRepository-- : this.#own--) > 0;
  }
}

const TOO_MUCH =
  "all rules together have more than may be compiled: patterns with their counts written out, schemas, file patterns and examples";

/** Puts what counts in the place of files that are held; a held file that was deleted still counts as it was. */
function withHeld(found: FoundRule[], provider: string, held: RuleContext["held"] = new Map()): FoundRule[] {
  if (held.size === 0) return found;
  const paths = new Set(found.map(({ rule }) => rule.path));
  const gone = [...held].flatMap(([path, file]) => {
    return file.provider === provider && file.before && !paths.has(path) ? [file.before] : [];
  });
  const present = found.map((file): FoundRule => {
    const instead = held.get(file.rule.path);
    return instead ? (instead.before ?? { ...file, untrusted: "written" }) : file;
  });
  return [...present, ...gone];
}

function place(found: FoundRule, set: RuleSet, holders: Map<string, Rule>, context: RuleContext): void {
  const { rule } = found;
  if (found.untrusted !== undefined) {
    set.untrusted.push({ rule, reason: found.untrusted });
    return;
  }
  const by = holders.get(rule.name);
  if (by !== undefined) {
    set.shadowed.push({ rule, by });
    return;
  }
  holders.set(rule.name, rule);
  const off = found.off ?? whyOff(rule, context);
  if (found.broken !== undefined) set.broken.push({ rule, reason: found.broken });
  else if (off !== undefined) set.off.push({ rule, reason: off });
  else set.items.push(rule);
}

/** Takes out the rules for which there is no room behind those that come first. */
function skipCrowded(set: RuleSet): void {
  let room = MAX_WEIGHT;
  const out = new Set<Rule>();
  // A repository crowds out none of the rules that the user has, or the program.
  const ownFirst = [...set.items].sort((a, b) => Number(isOfRepository(a)) - Number(isOfRepository(b)));
  for (const rule of ownFirst) {
    const weight = weightOf(rule);
    if (weight <= room) room -= weight;
    else out.add(rule);
  }
  for (const { path, provider } of out) set.skipped.push({ path, provider, reason: TOO_MUCH });
  set.items = set.items.filter((rule) => !out.has(rule));
}

/** A backup beside its rule is a rule too: both would fire. */
function sameTwice(rules: readonly Rule[]): RuleDiagnostic[] {
  const first = new Map<string, Rule>();
  const diagnostics: RuleDiagnostic[] = [];
  for (const rule of rules) {
    if (!isStreamRule(rule)) continue;
    const same = first.get(rule.hash);
    if (!same) first.set(rule.hash, rule);
    else {
      const message = `The rule "${rule.name}" is a copy of "${same.name}" (${same.path}), so both fire.`;
      const suggestion = "Delete one of the files, or move it out of the rules folder.";
      diagnostics.push({ severity: "warning", code: "copy", message, path: rule.path, suggestion });
    }
  }
  return diagnostics;
}

function whyOff(rule: Rule, { disabledRules, agent = TOP_AGENT }: RuleContext): string | undefined {
  if (rule.enabled === false) return "enabled: false in the file";
  if (!holdsFor(rule.agents, agent)) return `agents: it is not for ${agent}`;
  const { all = [], ofRepository = [] } = disabledRules ?? {};
  const named = all.includes(rule.name) || (isOfRepository(rule) && ofRepository.includes(rule.name));
  return named ? "named in ttsr.disabledRules" : undefined;
}

/** The rules that providers were registered for; the sdk registers the usual ones on import. */
export const ruleCapability = new RuleCapability();
