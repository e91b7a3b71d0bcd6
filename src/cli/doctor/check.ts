/** What one thing that was looked at came to. */
export interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  /** What was found, one line. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message };
}

export function warn(name: string, message: string, advice: string): Check {
  return { name, status: "warn", message, advice };
}

export function fail(name: string, message: string, advice: string): Check {
  return { name, status: "fail", message, advice };
}
