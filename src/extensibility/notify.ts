import { reasonOf } from "../platform/errors.js";

/** Told about a listener that threw or rejected: whose it is, and the reason. */
export type ReportFault = (owner: string, reason: string) => void;

/**
 * Calls one foreign listener without waiting for it. Whatever it does, throw, reject or hang, changes nothing for the caller (TTSR-7.1).
 * @param owner who registered it, for the report
 */
export function notify<E>(owner: string, listener: (event: E) => unknown, event: E, report: ReportFault): void {
  try {
    const result = listener(event);
    if (result instanceof Promise) result.catch((error: unknown) => report(owner, reasonOf(error)));
  } catch (error) {
    report(owner, reasonOf(error));
  }
}
