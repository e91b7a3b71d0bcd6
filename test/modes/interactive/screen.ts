import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm from "@xterm/headless";
import type { LookSettings } from "../../../src/modes/interactive/index.js";
import type { InteractiveScript } from "../../../src/modes/interactive/script.js";
import type { SessionUi } from "../../../src/modes/interactive/session-port.js";
import { systemClock } from "../../../src/platform/clock.js";
import { PATIENCE_MS, pause, until } from "../../support/wait.js";
import { FakeSession } from "./fake-session.js";

// Ink draws nothing that moves where it believes itself to be watched by nobody.
delete process.env["CI"];
delete process.env["CONTINUOUS_INTEGRATION"];
const { runInteractive } = await import("../../../src/modes/interactive/index.js");

class FakeStdin extends EventEmitter {
  isTTY = true;
  raw = false;
  setRawMode(on: boolean): this {
    this.raw = on;
    return this;
  }
  setEncoding(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

class FakeStdout extends EventEmitter {
  isTTY = true;
  writable = true;
  writableNeedDrain = false;
  writes: string[] = [];
  pending = 0;
  constructor(
    public columns: number,
    public rows: number,
    private readonly terminal: InstanceType<typeof xterm.Terminal>,
  ) {
    super();
  }
  write(text: string): boolean {
    this.writes.push(text);
    this.pending++;
    this.terminal.write(text.replaceAll(/(?<!\r)\n/g, "\r\n"), () => void this.pending--);
    return true;
  }
}

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  prompt?: string;
  greeting?: string[];
  script?: InteractiveScript;
  look?: Partial<LookSettings>;
  env?: NodeJS.ProcessEnv;
  /** Called instead of answering with the fake session at once. */
  start?(ui: SessionUi, session: FakeSession): Promise<void>;
}

/** The whole face, drawn by Ink into a headless terminal in this process. */
export class Screen {
  readonly session = new FakeSession();
  readonly stdin = new FakeStdin();
  readonly stdout: FakeStdout;
  readonly done: Promise<number>;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #stateDir = mkdtempSync(join(tmpdir(), "ttsr-screen-"));

  constructor({ columns = 80, rows = 24, prompt = "", greeting = [], script, start, look, env }: ScreenOptions = {}) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
    this.stdout = new FakeStdout(columns, rows, this.#terminal);
    this.#terminal.onData((data) => void this.stdin.emit("data", data));
    this.done = runInteractive({
      start: async (ui) => {
        await start?.(ui, this.session);
        return { session: this.session, greeting, ...(script ? { script } : {}) };
      },
      stdin: this.stdin as unknown as NodeJS.ReadStream,
      stdout: this.stdout as unknown as NodeJS.WriteStream,
      env: { TERM: "xterm-256color", HOME: "/home/ada", ...env },
      stateDir: this.#stateDir,
      configDir: this.#stateDir,
      diagnose: () => Promise.resolve(""),
      prompt,
      look: { theme: "auto", flushMs: 33, screenReader: false, reducedMotion: false, ...look },
      clock: systemClock,
    });
  }

  get raw(): string {
    return this.stdout.writes.join("");
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.#terminal.buffer.active;
    return { x, y };
  }

  type(text: string): void {
    this.stdin.emit("data", Buffer.from(text));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.stdout.columns = columns;
    this.stdout.rows = rows;
    this.stdout.emit("resize");
  }

  text(): string {
    const { viewportY } = this.#terminal.buffer.active;
    return this.#lines(viewportY, viewportY + this.#terminal.rows);
  }

  /** With the scrollback. */
  all(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  async until(wanted: string | ((screen: string) => boolean), ms = PATIENCE_MS): Promise<void> {
    const holds = typeof wanted === "string" ? (text: string) => text.includes(wanted) : wanted;
    const end = Date.now() + ms;
    while (this.stdout.pending > 0 || !holds(this.text())) {
      if (Date.now() > end) throw new Error(`The screen never showed ${wanted}; it is:\n${this.all()}`);
      await pause(10);
    }
  }

  /** Waits until nothing has been written for so long. */
  async untilQuiet(ms: number): Promise<void> {
    for (let seen = -1; seen !== this.stdout.writes.length || this.stdout.pending > 0; ) {
      seen = this.stdout.writes.length;
      await pause(ms);
    }
  }

  async end(): Promise<number> {
    this.type("\u0003");
    this.type("\u0003");
    this.type("\u0003");
    const code = await this.done;
    // The terminal takes its time with what was written.
    await until(() => this.stdout.pending === 0);
    rmSync(this.#stateDir, { recursive: true, force: true });
    return code;
  }

  #lines(from: number, to: number): string {
    const rows: string[] = [];
    for (let y = from; y < to; y++) rows.push(this.#terminal.buffer.active.getLine(y)?.translateToString(true) ?? "");
    return rows.join("\n").trimEnd();
  }
}
