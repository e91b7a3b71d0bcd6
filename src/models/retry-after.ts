/** How long a provider asks to wait, in all the ways in which they say it. Milliseconds everywhere. */

/**
 * @param now wall clock, for a date in the header where the server sent no `date`
 * @returns the wait that `retry-after-ms` or `retry-after` (seconds or an HTTP date) ask for
 */
export function retryAfterHeader(headers: Headers, now: Date): number | undefined {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number.parseFloat(value) * 1000);
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  // The server's own clock, so that ours may be wrong.
  const server = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(server) ? now.getTime() : server));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const ASKED =
  /(?:try again|retry|available|resets?) (?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|s(?:ec(?:onds?)?)?|m(?:in(?:utes?)?)?|h(?:ours?)?)\s*)+)/i;

/** @returns the wait that a sentence names ("Please try again in 1m2.5s"), undefined where it names none */
export function retryAfterIn(text: string): number | undefined {
  const asked = ASKED.exec(text)?.[1];
  return asked === undefined ? undefined : durationOf(asked);
}

/** @param text "48s", "1.5s", "20ms", "6m0s" @returns undefined where it is no duration */
export function durationOf(text: string): number | undefined {
  let total = 0;
  let found = false;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h)/gi)) {
    total += Number.parseFloat(amount ?? "0") * (UNITS[(unit ?? "s").toLowerCase()] ?? 0);
    found = true;
  }
  return found ? Math.ceil(total) : undefined;
}
