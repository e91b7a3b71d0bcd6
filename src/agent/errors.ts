/** What can go wrong between us and a model, told apart by what the user can do about it. */
export type ModelErrorKind =
  | "rate-limit"
  | "overloaded"
  | "auth"
  | "billing"
  | "context-overflow"
  | "refused"
  | "bad-request"
  | "not-found"
  | "network"
  | "stalled"
  | "incomplete"
  | "leaked"
  | "not-an-api";

const RETRYABLE: ReadonlySet<ModelErrorKind> = new Set([
  "rate-limit",
  "overloaded",
  "network",
  "stalled",
  "incomplete",
  "leaked",
]);

export interface ModelErrorDetails {
  /** What to do about it, as the end of the sentence: "check the address". Left out while the program itself tries again. */
  advice?: string;
  /** The provider's words, in one line, after all else. */
  words?: string;
  status?: number;
  requestId?: string;
  /** Milliseconds to wait, as the provider asked. */
  retryAfterMs?: number;
  /** The provider's own words, at most 2,000 characters. */
  raw?: string;
  /** `false` where the kind alone would be retried but this case cannot heal (a spent quota). */
  retryable?: boolean;
  cause?: unknown;
}

/** A failed request to a model. `message` is one plain sentence for the user: what happened, and what to do. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorKind;
  /** What happened, without what to do: one sentence, with its end. */
  readonly fact: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly raw: string | undefined;
  readonly retryable: boolean;

  /** @param fact what happened, in words that may stand before "; <advice>" */
  constructor(kind: ModelErrorKind, fact: string, details: ModelErrorDetails = {}) {
    const { advice, words, cause } = details;
    const said = words === undefined || words === "" ? "" : `: ${words}`;
    const whole = advice === undefined ? fact : `${fact.replace(/\.$/, "")}; ${advice}`;
    super(ended(`${whole}${said}`), cause === undefined ? undefined : { cause });
    this.code = kind;
    this.fact = ended(`${said === "" ? fact : fact.replace(/\.$/, "")}${said}`);
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.raw = details.raw?.slice(0, 2000);
    this.retryable = details.retryable ?? RETRYABLE.has(kind);
  }
}

/** @returns what happened, in words that may stand before "; <advice>" */
export function leakFact({ provider, model }: { provider: string; model: string }, token: string): string {
  return `${model} of ${provider} wrote ${token}, a control token of its chat template, into its answer`;
}

/** The end of a sentence may stand inside of what is quoted. */
function ended(text: string): string {
  return /[.!?…]["'”’)\]]*$/.test(text) ? text : `${text}.`;
}
