/** What the face says outside its frame: the window's title, and a word when the user is looking elsewhere. */
import { cleanLine } from "../rows/clean.js";
import type { Activity, UiState } from "../store/state.js";

const BELL = "\u0007";
const TITLE_MAX = 60;

export class Presence {
  #title = "";
  #activity: Activity = "starting";
  /** What the terminal told last of its focus; many tell nothing: they count as looked at. */
  #inFront = true;

  /**
   * @param write outside the frame, so only what moves no cursor
   * @param env tells which kind of notification the terminal shows
   * @param always also while the user looks: for whoever listens instead
   */
  constructor(
    private readonly write: (sequence: string) => void,
    private readonly env: NodeJS.ProcessEnv,
    private readonly always: boolean,
  ) {}

  /** @param sequence an answer or report of the terminal, without `ESC` */
  reply(sequence: string): void {
    if (sequence === "[I") this.#inFront = true;
    else if (sequence === "[O") this.#inFront = false;
  }

  /** A key was pressed. */
  touched(): void {
    this.#inFront = true;
  }

  /** The terminal was another's for a while. */
  again(): void {
    this.#title = "";
  }

  follow({ status }: UiState): void {
    const { activity, session } = status;
    const title = titleOf(activity, session?.cwd);
    if (title !== this.#title) {
      this.#title = title;
      this.write(`\u001b]2;${title}${BELL}`);
    }
    const before = this.#activity;
    this.#activity = activity;
    if (before === activity || (this.#inFront && !this.always)) return;
    if (activity === "asking") this.write(notification("ttsr-agent: a question waits for you", this.env));
    else if (activity === "idle" && before !== "starting" && before !== "asking")
      this.write(notification("ttsr-agent: done", this.env));
  }
}

function titleOf(activity: Activity, cwd: string | undefined): string {
  const folder = cwd === undefined ? "" : cleanLine(cwd.slice(cwd.lastIndexOf("/") + 1));
  const name = folder === "" ? "ttsr-agent" : `${folder.slice(0, TITLE_MAX)} - ttsr-agent`;
  if (activity === "asking") return `? ${name}`;
  return activity === "working" || activity === "rewinding" ? `* ${name}` : name;
}

/** @returns the sequence that the terminal turns into a notification; a bell where it knows none. `text` is our own. */
export function notification(text: string, env: NodeJS.ProcessEnv): string {
  // A multiplexer keeps sequences that it does not know, and shows the bell.
  if (env["TMUX"] || env["STY"]) return BELL;
  const term = env["TERM"] ?? "";
  if (/^(?:iTerm\.app|WezTerm|ghostty)$/.test(env["TERM_PROGRAM"] ?? "") || /kitty|ghostty/.test(term)) {
    return `\u001b]9;${text}${BELL}`;
  }
  if (/^(?:rxvt-unicode|foot)/.test(term)) return `\u001b]777;notify;ttsr-agent;${text}${BELL}`;
  return BELL;
}
