/** `--resume` without an id: which session? */
import { createInterface } from "node:readline";
import { UserError } from "../platform/errors.js";
import { sanitizeTerminal } from "../platform/sanitize-terminal.js";
import { listSessions, type SessionSummary } from "../session/session-list.js";

/** What fits on a small screen. */
const MOST = 15;

/**
 * Lets the user choose among the newest sessions of the folder, by a number; where there is one only, it is that one.
 * @param terminal whether there is somebody to choose
 * @returns the id; undefined where the folder has no session
 * @throws UserError (exit 2) where nobody can choose, or chose nothing
 */
export async function chooseSession(stateDir: string, cwd: string, terminal: boolean): Promise<string | undefined> {
  const sessions = listSessions(stateDir, { cwd });
  const [first, second] = sessions;
  if (first === undefined) return undefined;
  if (!terminal) {
    const sentence =
      '--resume needs an id where nobody can choose; "ttsr-agent sessions list" shows them, and --continue takes the newest.';
    throw new UserError("no-session-id", sentence, 2);
  }
  return second === undefined ? first.id : await ask(sessions.slice(0, MOST), sessions.length);
}

async function ask(shown: readonly SessionSummary[], all: number): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const say = (text: string): boolean => process.stderr.write(text);
  for (const [at, session] of shown.entries()) say(`${rowOf(at + 1, session)}\n`);
  if (all > shown.length) say(`${all - shown.length} older ones: ttsr-agent sessions list\n`);
  say("Which one? [1] ");
  try {
    for await (const line of lines) {
      const wanted = line.trim();
      const found = shown[wanted === "" ? 0 : Number(wanted) - 1] ?? shown.find(({ id }) => id === wanted);
      if (found) return found.id;
      say(`A number from 1 to ${shown.length}; Ctrl+C to leave. [1] `);
    }
  } finally {
    lines.close();
  }
  throw new UserError("no-session-id", "No session was chosen.", 2);
}

function rowOf(number: number, { updatedAt, title, messages }: SessionSummary): string {
  const when = updatedAt.slice(0, 16).replace("T", " ");
  return `${String(number).padStart(3)}  ${when}  ${sanitizeTerminal(title).replaceAll(/\s+/g, " ")} (${messages})`;
}
