/** Told about a listener that threw or rejected: whose it is, and the reason. */
export type ReportFault = (owner: string, reason: string) => void;

/**
 * Calls one foreign listener without waiting for it. Whatever it does, throw, reject or hang, changes nothing for the caller (TTSR-7.1).
 * @param owner who registered it, for the report
 */
export function notify(owner: string, call: () => unknown, report: ReportFault): void {
  const fault = (error: unknown): void => report(owner, error instanceof Error ? error.message : String(error));
  try {
    const result = call();
    if (result instanceof Promise) result.catch(fault);
  } catch (error) {
    fault(error);
  }
}
