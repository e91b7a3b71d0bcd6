import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Face } from "../../../src/modes/interactive/face.js";
import { Bindings } from "../../../src/modes/interactive/term/bindings.js";
import { KeyParser } from "../../../src/modes/interactive/term/key-parser.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeSession } from "./fake-session.js";

/** The face without a terminal: its frame and what it has printed, as plain text. */
export class FaceHarness {
  readonly clock = new FakeClock();
  readonly session = new FakeSession();
  readonly stateDir: string;
  readonly face: Face;
  size: { columns: number; rows: number };
  quits = 0;
  files: string[] = [];
  readonly copied: string[] = [];
  /** What the user does in an editor of their own. */
  editFile: (path: string) => Promise<void> = () => Promise.resolve();
  suspends = 0;
  readonly #parser = new KeyParser();
  readonly #owned: boolean;

  readonly bindings: Bindings;

  constructor(
    columns = 80,
    rows = 24,
    {
      attach = true,
      stateDir,
      bindings = new Bindings(),
    }: { attach?: boolean; stateDir?: string; bindings?: Bindings } = {},
  ) {
    this.bindings = bindings;
    this.size = { columns, rows };
    this.#owned = stateDir === undefined;
    this.stateDir = stateDir ?? mkdtempSync(join(tmpdir(), "ttsr-face-"));
    this.face = new Face({
      clock: this.clock,
      theme: createTheme({ NO_COLOR: "1" }),
      bindings: this.bindings,
      env: {},
      stateDir: this.stateDir,
      home: "/home/ada",
      flushMs: 33,
      size: () => this.size,
      blocked: () => false,
      quit: () => void this.quits++,
      suspend: async () => void this.suspends++,
      listFiles: () => Promise.resolve(this.files),
      editFile: (path) => this.editFile(path),
      copy: (text) => {
        this.copied.push(text);
        return text.length < 1000;
      },
      diagnose: () => Promise.resolve("ok    node  20.19.0"),
    });
    if (attach) this.face.attach(this.session);
  }

  /** Keys as a terminal sends them. */
  type(characters: string): void {
    for (const input of [...this.#parser.push(characters), ...this.#parser.flush()]) this.face.handle([input]);
  }

  paste(text: string): void {
    this.type(`\u001b[200~${text}\u001b[201~`);
  }

  get printed(): string {
    return plain(this.face.store.state.printed.map(({ text }) => text));
  }

  get frame(): string {
    const { ttsr, live, queue, dialog, editor, completion, status } = this.face.store.frame;
    return plain([...ttsr, ...live, ...queue, ...dialog, ...editor, ...completion, ...status]);
  }

  get all(): string {
    return `${this.printed}\n${this.frame}`;
  }

  dispose(): void {
    this.face.close();
    if (this.#owned) rmSync(this.stateDir, { recursive: true, force: true });
  }
}

function plain(rows: readonly string[]): string {
  return stripVTControlCharacters(rows.join("\n"));
}
