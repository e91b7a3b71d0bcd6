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
  | "not-an-api";

const RETRYABLE: ReadonlySet<ModelErrorKind> = new Set([
  "rate-limit",
  "overloaded",
  "network",
  "stalled",
  "incomplete",
]);

export interface ModelErrorDetails {
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

/** A failed request to a model. `message` is one plain sentence for the user. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly raw: string | undefined;
  readonly retryable: boolean;

  constructor(kind: ModelErrorKind, sentence: string, details: ModelErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = kind;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.raw = details.raw?.slice(0, 2000);
    this.retryable = details.retryable ?? RETRYABLE.has(kind);
  }
}
