/** From what a provider said about a failure to what it means for the user. */
import type { ModelErrorKind } from "../agent/errors.js";
import { isContextOverflow } from "./overflow.js";

export interface Told {
  /** HTTP status; in a stream, the number that stands for one. */
  status?: number;
  /** The vendor's word: `overloaded_error`, `insufficient_quota`, `RESOURCE_EXHAUSTED` … */
  code?: string;
  message: string;
  retryAfterMs?: number;
}

export interface Verdict {
  kind: ModelErrorKind;
  /** Set where the kind alone says otherwise. */
  retryable?: boolean;
}

const BILLING_CODES =
  /insufficient_(?:quota|balance|credits|funds)|billing|payment_required|quota_exceeded|credit_balance|arrearage|account_(?:deactivated|suspended)/i;
const BILLING_WORDS =
  /credit balance is too low|insufficient (?:balance|credits?|funds|quota)|exceeded your current quota|out of credits|payment required|requires (?:more|at least .{0,20}) credits|spend(?:ing)? limit|monthly (?:usage )?limit|usage limits|purchase (?:more )?credits|add credits|overdue|in arrears/i;
const DAILY = /per[ _-]?day|daily|\b[TR]PD\b|per month|monthly/i;
const RATE_CODES = /rate_?limit|too_?many_?requests|resource_exhausted|throttl|tokens_exceeded|concurrency/i;
const RATE_WORDS = /rate[ _-]?limit|too many requests|throttl|tokens per min|requests per min|\b[TR]PM\b/i;
const AUTH_CODES =
  /authentication|unauthenticated|unauthorized|invalid_api_key|api_key_invalid|permission|forbidden|access_denied|invalid_token|expired/i;
const AUTH_WORDS =
  /api[ _-]?key|unauthorized|unauthenticated|authentication|invalid (?:token|credentials|x-api-key)|permission denied/i;
const REFUSED =
  /content[ _-]?(?:filter|policy|management)|safety|moderation|flagged|usage polic|invalid_prompt|prohibited[ _]content|data_inspection/i;
const NOT_FOUND_CODES = /not_found|model_not_(?:found|exist)|unknown_model|invalid_model|model_not_supported/i;
const NOT_FOUND_WORDS =
  /model.{0,80}(?:not found|does not exist|not exist|is not supported|no longer available|not available|deprecated)|no such model|unknown model|not a valid model|try pulling it/i;
const OVERLOADED_CODES =
  /overloaded|unavailable|internal|server_error|api_error|timeout|deadline_exceeded|engine|capacity|aborted|cancelled|provider_error/i;
const OVERLOADED_WORDS =
  /overloaded|at capacity|temporarily unavailable|try again later|internal (?:server )?error|server error|upstream|no healthy|currently busy|bad gateway/i;

/** @returns the kind of failure; what nobody names is a bad request below status 500 and an overload above or without one */
export function classify(told: Told): Verdict {
  const { status, message } = told;
  const code = told.code ?? "";
  if (status !== 429 && status !== 401 && isContextOverflow(told.code, message)) return { kind: "context-overflow" };
  if (status === 429 && told.code === "context_length_exceeded") return { kind: "context-overflow" };
  if (status === 413) return { kind: "context-overflow" };

  const limited = status === 429 || RATE_CODES.test(code);
  if (status === 402 || BILLING_CODES.test(code)) return { kind: "billing" };
  if (BILLING_WORDS.test(message)) {
    // The same words stand over limits per minute, where the provider says how long to wait.
    if (!limited || told.retryAfterMs === undefined) return { kind: "billing" };
  }
  if (limited) return DAILY.test(message) ? { kind: "rate-limit", retryable: false } : { kind: "rate-limit" };
  if (REFUSED.test(code) || ((status === 400 || status === 403) && REFUSED.test(message))) return { kind: "refused" };
  if (status === 401 || AUTH_CODES.test(code)) return { kind: "auth" };
  if ((status === 400 || status === 403) && AUTH_WORDS.test(message)) return { kind: "auth" };
  if (status === 403) return { kind: "auth" };
  if (status === 404 || NOT_FOUND_CODES.test(code)) return { kind: "not-found" };
  if (status !== undefined && status < 500 && NOT_FOUND_WORDS.test(message)) return { kind: "not-found" };
  if (status !== undefined && (status >= 500 || status === 408 || status === 409 || status === 425)) {
    return status === 501 || status === 505 ? { kind: "bad-request" } : { kind: "overloaded" };
  }
  if (OVERLOADED_CODES.test(code)) return { kind: "overloaded" };
  if (RATE_WORDS.test(message)) return { kind: "rate-limit" };
  if (status !== undefined || /invalid|unsupported|bad_request/i.test(code)) {
    return OVERLOADED_WORDS.test(message) ? { kind: "overloaded" } : { kind: "bad-request" };
  }
  return { kind: "overloaded" };
}
