import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { PATIENCE_MS, pause, until } from "./wait.js";

export const BIN = fileURLToPath(new URL("../../bin/ttsr-agent.js", import.meta.url));

/** Synchronised output: Ink puts each frame between these. */
const FRAME_BEGINS = "\u001b[?2026h";
const FRAME_ENDS = "\u001b[?2026l";

export interface PtyOptions {
  args?: readonly string[];
  /** Run in place of the program, which it may start: a shell. */
  shell?: { file: string; args: readonly string[] };
  cwd: string;
  env: Record<string, string>;
  /** Put into the environment as they are, whatever is taken out of it otherwise. */
  keep?: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** The shipped program in a real pty, its screen in a headless terminal that answers queries as a terminal does. */
export class PtyProgram {
  readonly #child: IPty;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  #pending = 0;
  #exit: { exitCode: number; signal?: number | undefined } | undefined;
  /** Every byte that the program wrote. */
  raw = "";

  constructor({ args = [], shell, cwd, env, keep = {}, columns = 80, rows = 24 }: PtyOptions) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 2000, allowProposedApi: true });
    const { file, args: words } = shell ?? { file: process.execPath, args: [BIN, ...args] };
    this.#child = spawn(file, [...words], {
      cols: columns,
      rows,
      name: "xterm-256color",
      cwd,
      env: { ...environment(env), ...keep },
    });
    this.#child.onData((data) => {
      this.raw += data;
      this.#pending++;
      this.#terminal.write(data, () => void this.#pending--);
    });
    this.#terminal.onData((data) => this.#child.write(data));
    this.#child.onExit((exit) => {
      this.#exit = exit;
    });
  }

  /** For a picture of the screen. */
  get terminal(): InstanceType<typeof xterm.Terminal> {
    return this.#terminal;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exitCode(): number | undefined {
    return this.#exit?.exitCode;
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.#terminal.buffer.active;
    return { x, y };
  }

  write(text: string): void {
    this.#child.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#child.resize(columns, rows);
  }

  kill(signal?: string): void {
    if (!this.#exit) this.#child.kill(signal);
  }

  /** What a person sees. */
  screen(): string {
    const { viewportY } = this.#terminal.buffer.active;
    return this.#lines(viewportY, viewportY + this.#terminal.rows);
  }

  /** With the scrollback. */
  all(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  /** Waits until the screen is as wanted, at the end of a frame. */
  async until(wanted: string | ((screen: string) => boolean), ms = PATIENCE_MS): Promise<void> {
    const holds = typeof wanted === "string" ? (screen: string) => screen.includes(wanted) : wanted;
    const end = Date.now() + ms;
    while (this.#isDrawing || !holds(this.screen())) {
      if (Date.now() > end) throw new Error(`The screen never showed ${wanted}; it is:\n${this.all()}`);
      await pause(10);
    }
  }

  /** Waits until nothing has been written for so long. */
  async untilQuiet(ms: number): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (let seen = -1; seen !== this.raw.length; ) {
      if (Date.now() > end) throw new Error(`The program never stopped to write; its screen is:\n${this.all()}`);
      seen = this.raw.length;
      await pause(ms);
    }
  }

  async untilExit(): Promise<number> {
    await until(
      () => this.#exit !== undefined && this.#pending === 0,
      () => `The program never ended; its screen is:\n${this.all()}`,
    );
    return this.#exit?.exitCode ?? Number.NaN;
  }

  /** Bytes are on their way to the screen, or the last of them begin a frame that has not come whole. */
  get #isDrawing(): boolean {
    return this.#pending > 0 || this.raw.lastIndexOf(FRAME_BEGINS) > this.raw.lastIndexOf(FRAME_ENDS);
  }

  #lines(from: number, to: number): string {
    const rows: string[] = [];
    for (let y = from; y < to; y++) rows.push(this.#terminal.buffer.active.getLine(y)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  }
}

/** Without what tells Ink that nobody is looking. */
function environment(env: Record<string, string>): Record<string, string> {
  const own = { ...process.env, TERM: "xterm-256color", ...env } as Record<string, string>;
  for (const name of ["CI", "CONTINUOUS_INTEGRATION", "NO_COLOR", "FORCE_COLOR"]) delete own[name];
  for (const name of Object.keys(own))
    if (/_API_KEY$|_BASE_URL$/.test(name) && env[name] === undefined) delete own[name];
  return own;
}
