/** Exit codes that scripts rely on (see `docs`): 130 is "interrupted". */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;

/**
 * A failure that is told to the user: one plain sentence with what to do, a stable code, and the exit code that fits.
 * Anything else that reaches the top of the program is a bug.
 */
export class UserError extends Error {
  override readonly name = "UserError";
  constructor(
    readonly code: string,
    sentence: string,
    readonly exitCode: ExitCode = 1,
    options?: { cause?: unknown },
  ) {
    super(sentence, options);
  }
}

/** @returns the message of anything that was thrown, in one line */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, " ").trim();
}
