/** The rules as the user sees and steers them in a session (TTSR-10.3): what each is, did, and would do now. */
import type { Message } from "../agent/messages.js";
import { onlyDetects, onlyJudgesCalls, type Rule } from "../capability/rule.js";
import { UserError } from "../platform/errors.js";
import type { Ledger } from "../ttsr/ledger.js";
import type { TtsrManager } from "../ttsr/manager.js";
import type { RulePolicy } from "../ttsr/policy.js";
import { countsIn, warmUpOf } from "../ttsr/warm-up.js";
import type { BareStatus } from "./rule-statuses.js";
import type { FalseAlarm, RuleStatus } from "./ui.js";

export interface RuleDeskDeps {
  statuses(): readonly BareStatus[];
  manager: TtsrManager;
  policy: RulePolicy;
  ledger: Ledger;
  /** The branch. */
  messages(): readonly Message[];
  addSilentExample(path: string, example: FalseAlarm): Promise<void>;
}

/** Whose files may be changed on the user's word: their own and the project's, not those of other tools or of this program. */
const OWN_PROVIDERS: ReadonlySet<string> = new Set(["user", "project", "flag"]);

export class RuleDesk {
  constructor(private readonly deps: RuleDeskDeps) {}

  /** Every rule file that was seen. */
  rules(): RuleStatus[] {
    const { ledger, policy } = this.deps;
    const turns = this.#turns();
    return this.deps.statuses().map((rule) => {
      const pause = rule.state === "armed" ? this.#pauseOf(rule, turns) : undefined;
      const base = { ...rule, ...ledger.of(rule.name), muted: policy.isMuted(rule.name) };
      return pause ? { ...base, pause } : base;
    });
  }

  get armed(): number {
    const { policy } = this.deps;
    return this.deps.statuses().filter((rule) => rule.state === "armed" && !policy.isMuted(rule.name)).length;
  }

  /** Whether a rule is not to speak of what stands in files: the user muted it, or it has not held as often as it must before it acts. */
  isSilent(name: string): boolean {
    const rule = this.deps.manager.ruleNamed(name);
    const warmUp = rule && this.#warmUpOf(rule);
    return this.deps.policy.isMuted(name) || (warmUp !== undefined && warmUp.seen < warmUp.of);
  }

  async reportFalseAlarm(name: string, example: FalseAlarm): Promise<void> {
    const rule = this.deps.statuses().find((each) => each.name === name && each.state !== "shadowed");
    if (!rule) throw new UserError("unknown-rule", `There is no rule "${name}".`);
    if (!OWN_PROVIDERS.has(rule.provider)) {
      throw new UserError(
        "foreign-rule",
        `${rule.path} belongs to ${rule.provider} and is left alone; mute the rule instead.`,
      );
    }
    const known = this.deps.manager.ruleNamed(name);
    if (known && onlyDetects(known)) {
      const message = `One paragraph does not show what ${name} found, so it cannot be kept as an example; mute the rule, or let it through once.`;
      throw new UserError("no-example", message);
    }
    if (known && onlyJudgesCalls(known)) {
      const message = `${name} looks at calls as a whole, and of this one only a part is at hand; write the call into \`examples.silent\` of ${rule.path}.`;
      throw new UserError("no-example", message);
    }
    await this.deps.addSilentExample(rule.path, example);
    this.deps.ledger.falseAlarm(name);
  }

  #pauseOf({ name, provider }: BareStatus, turns: number): RuleStatus["pause"] {
    const { manager, policy } = this.deps;
    if (policy.isAllowedOnce(name)) return { kind: "allowed-once" };
    if (policy.isSpent({ name, provider })) return { kind: "spent" };
    const rule = manager.ruleNamed(name);
    const warmUp = rule && this.#warmUpOf(rule);
    if (warmUp && warmUp.seen + 1 < warmUp.of) return { kind: "warming-up", ...warmUp };
    const ago = manager.turnsSinceInjected(name);
    if (!rule || ago === undefined || manager.mayFire(rule)) return undefined;
    return { kind: "quiet", sinceTurn: Math.max(1, turns - ago + 1) };
  }

  #warmUpOf(rule: Rule): ReturnType<typeof warmUpOf> {
    return warmUpOf(rule, countsIn(this.deps.messages()));
  }

  /** Turns that have ended in this branch (TTSR-5.2: a cut attempt is none). */
  #turns(): number {
    return this.deps.messages().filter((message) => message.role === "assistant" && message.abortReason !== "ttsr")
      .length;
  }
}
