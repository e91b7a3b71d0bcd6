/** The face at work: routes keys, asks questions, sends prompts. Knows neither React nor Ink. */
import { join } from "node:path";
import type { Clock } from "../../agent/ports.js";
import { CommandDesk } from "./command-desk.js";
import { COMMANDS, commandOf } from "./commands/index.js";
import { DialogHost } from "./dialogs/dialog-host.js";
import { PermissionDialog } from "./dialogs/permission.js";
import { TrustDialog } from "./dialogs/trust.js";
import { TypingGuard } from "./dialogs/typing-guard.js";
import { DraftFile } from "./editor/draft.js";
import { EditorController, type Sent } from "./editor/editor-controller.js";
import { FileIndex } from "./editor/file-index.js";
import { PromptHistory } from "./editor/history.js";
import { EventController } from "./event-controller.js";
import type { FaceSession, PermissionMode, SessionUi } from "./session-port.js";
import type { TtsrNotice } from "./store/pieces.js";
import { emptyState } from "./store/state.js";
import { UiStore } from "./store/store.js";
import { Transcript } from "./store/transcript.js";
import { wholeOf } from "./store/whole.js";
import type { Action, Bindings } from "./term/bindings.js";
import { editText } from "./term/external-editor.js";
import type { Key, TermInput } from "./term/key-parser.js";
import type { Theme } from "./theme.js";

/** A second Ctrl+C within this time quits. Milliseconds. */
const QUIT_MS = 2_000;
const HINT_MS = 2_500;
/** What Shift+Tab goes through. `yolo` is not slipped into: /permissions or the flag. */
const MODES: readonly PermissionMode[] = ["ask", "auto-edit", "plan"];

export interface FacePort {
  clock: Clock;
  theme: Theme;
  bindings: Bindings;
  stateDir: string;
  home: string | undefined;
  env: NodeJS.ProcessEnv;
  flushMs: number;
  size(): { columns: number; rows: number };
  blocked(): boolean;
  quit(): void;
  /** Stops the program; resolves when it was woken. */
  suspend(): Promise<void>;
  /** Relative paths below a folder. */
  listFiles(cwd: string): Promise<readonly string[]>;
  /** Gives the terminal to the user's editor until it is closed. */
  editFile(path: string): Promise<void>;
  /** @returns false where it is too long */
  copy(text: string): boolean;
  /** What works here and what does not, in lines. */
  diagnose(cwd: string): Promise<string>;
}

export class Face {
  readonly store: UiStore;
  readonly #transcript = new Transcript();
  readonly #dialogs: DialogHost;
  readonly #editor: EditorController;
  readonly #draft: DraftFile;
  readonly #events: EventController;
  readonly #files: FileIndex;
  #session: FaceSession | undefined;
  #desk: CommandDesk | undefined;
  #lastInterrupt: TtsrNotice | undefined;
  /** Sent before the session was there. */
  #early: Sent[] = [];
  #quitAt = Number.NEGATIVE_INFINITY;
  readonly #guard: TypingGuard;
  /** A dialog that opens now was asked for by a key. */
  #handling = false;
  #stopHint: (() => void) | undefined;
  /** Another program has the terminal, or is about to get it. */
  #away = false;

  constructor(private readonly port: FacePort) {
    const { bindings } = port;
    const keys = {
      expand: bindings.keyOf("expand"),
      choices: bindings.keyOf("rule-choices"),
      mend: bindings.keyOf("mend"),
    };
    this.store = new UiStore(emptyState(port.size(), keys, port.home), port.theme);
    this.#guard = new TypingGuard(port.clock);
    this.#dialogs = new DialogHost((dialog, dialogVersion) => {
      this.#guard.shown(dialog, !this.#handling && !this.#editor.isEmpty);
      this.store.update({ dialog, dialogVersion });
      this.#events.refresh();
    });
    const problem = (error: unknown): void => this.say(`Could not be kept: ${reason(error)}`, "warning");
    this.#draft = new DraftFile(port.stateDir, port.clock, problem);
    const list = (): Promise<readonly string[]> => port.listFiles(this.#session?.cwd ?? process.cwd());
    this.#files = new FileIndex(list, port.clock, () => this.#refresh());
    this.#editor = new EditorController({
      history: new PromptHistory(join(port.stateDir, "history.jsonl"), problem),
      bindings: port.bindings,
      commands: COMMANDS,
      files: () => this.#files.files,
      columns: () => this.store.state.columns,
      changed: (text) => this.#draft.changed(text),
      submit: (sent) => this.#submit(sent),
      takeQueued: () => this.#session?.takeLastQueued(),
    });
    this.#events = new EventController({
      store: this.store,
      transcript: this.#transcript,
      clock: port.clock,
      blocked: port.blocked,
      asking: () => this.#dialogs.present?.kind === "question",
      flushMs: port.flushMs,
    });
  }

  /** Who answers the session's questions. */
  readonly ui: SessionUi = {
    askPermission: (question, signal) =>
      new Promise((resolve) => {
        const dialog = this.#dialogs.open(
          (close) =>
            new PermissionDialog(question, this.port.bindings, (answer) => {
              close();
              resolve(answer);
              if (!answer.allow && answer.stop && !signal.aborted) this.#session?.abort();
            }),
        );
        if (signal.aborted) dialog.dismiss();
        else signal.addEventListener("abort", () => dialog.dismiss(), { once: true });
      }),
    askTrust: (question) =>
      new Promise((resolve) => {
        this.#dialogs.open(
          (close) =>
            new TrustDialog(question, (trusted) => {
              close();
              resolve(trusted);
            }),
        );
      }),
  };

  get session(): FaceSession | undefined {
    return this.#session;
  }

  greet(lines: readonly string[]): void {
    if (lines.length > 0) this.#transcript.add({ kind: "greeting", lines });
    this.#events.refresh();
  }

  /** The session is there: what was typed meanwhile is sent. */
  attach(session: FaceSession): void {
    this.#session = session;
    this.#desk = this.#makeDesk(session);
    if (session.messages.length > 0) this.#transcript.replay(session.messages);
    session.subscribe((event) => {
      if (event.type === "ttsr_triggered") this.#lastInterrupt = event;
    });
    this.#events.attach(session);
    const draft = this.#draft.open(session.cwd);
    if (draft !== "" && this.#editor.isEmpty) this.#editor.put(draft);
    for (const sent of this.#early.splice(0)) this.#submit(sent);
    this.#refresh();
  }

  /** Puts words of the program into the transcript. */
  say(text: string, level: "quiet" | "info" | "warning" = "info"): void {
    this.#transcript.add({ kind: "note", level, text });
    this.#events.refresh();
  }

  send(text: string, when: "queue" | "steer" = "queue"): void {
    if (!this.#session) {
      this.#early.push({ text, how: when, literal: true });
      return;
    }
    // The model may be silent for long: no event of its draws what waits.
    const onQueued = (): void => this.#events.refresh();
    this.#run(this.#session.prompt(text, { when, onQueued }).then(({ status }) => status === "ok" || this.#takeBack()));
    this.#refresh();
  }

  /** @param inputs that came together: what they come to is drawn once */
  handle(inputs: readonly TermInput[]): void {
    if (inputs.length === 0) return;
    this.store.batch(() => {
      this.#handling = true;
      try {
        for (const input of inputs) {
          if (input.type === "reply") continue;
          if (input.type !== "key" || !input.ctrl) this.#quitAt = Number.NEGATIVE_INFINITY;
          this.#route(input);
        }
      } finally {
        this.#handling = false;
      }
      this.#refresh();
    });
  }

  #route(input: Exclude<TermInput, { type: "reply" }>): void {
    if (this.#dialogs.present && !isGlobal(input)) {
      if (this.#guard.keeps(input)) this.#keep(input);
      else if (!this.#showWhole(input) && !this.#dialogs.handle(input) && this.#guard.keepsUnused(input))
        this.#keep(input);
    } else if (!this.#global(input)) this.#write(input);
  }

  #write(input: TermInput): void {
    this.#editor.handle(input);
    this.#guard.typed();
  }

  /** Typed while a question stands there. */
  #keep(input: TermInput): void {
    this.#write(input);
    this.hint("That went into your draft. To answer: ↑↓ or Tab, or a second without typing.");
  }

  /** Ctrl+O in front of a dialog: what it shows only a part of, else what was shortened above it. */
  #showWhole(input: TermInput): boolean {
    if (input.type !== "key" || this.port.bindings.actionOf(input) !== "expand") return false;
    const whole = this.#dialogs.present?.whole?.();
    if (whole) this.#transcript.addAhead({ kind: "full", ...whole });
    else this.#expand();
    return true;
  }

  /** Types as a user would; for the demo. */
  type(text: string): void {
    this.handle([{ type: "paste", text }]);
  }

  resize(): void {
    this.store.update(this.port.size());
    this.#refresh();
  }

  /** The last frame: nothing but what is printed stays. What was queued or never sent is a draft the next time. */
  close(): void {
    this.#dialogs.dismissAll();
    const waiting = [...this.#early.splice(0).map(({ text }) => text), ...(this.#session?.takeQueue() ?? [])];
    if (waiting.length > 0) this.#editor.put(waiting.join("\n"));
    this.#draft.save();
    this.#stopHint?.();
    this.#events.refresh();
    this.#events.stop();
    this.store.update({ closed: true });
  }

  hint(text: string): void {
    this.#stopHint?.();
    this.store.update({ hint: text });
    this.#stopHint = this.port.clock.after(HINT_MS, () => this.store.update({ hint: undefined }));
  }

  #submit(sent: Sent): void {
    const { text, how, literal } = sent;
    if (!this.#session || !this.#desk) this.#early.push(sent);
    else if (literal) this.send(text, how);
    else if (/^!\s*\S/.test(text)) this.#runCommand(this.#session, text.slice(1).trim());
    else this.#runOrSend(text, how, this.#desk);
  }

  #runCommand(session: FaceSession, command: string): void {
    if (session.state.running) this.hint("It runs as soon as the present work is done.");
    this.#run(session.runCommand(command).finally(() => this.#refresh()));
  }

  #runOrSend(text: string, how: "queue" | "steer", desk: CommandDesk): void {
    const meant = commandOf(text);
    if (meant === undefined) this.send(text, how);
    else if ("refusal" in meant) {
      this.#editor.put(text);
      this.hint(meant.refusal);
    } else {
      try {
        meant.command.run(desk, meant.argument);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #makeDesk(session: FaceSession): CommandDesk {
    const { port } = this;
    return new CommandDesk(session, {
      dialogs: this.#dialogs,
      transcript: this.#transcript,
      bindings: port.bindings,
      env: port.env,
      say: (text, level) => this.say(text, level),
      refresh: () => this.#events.refresh(),
      hint: (text) => this.hint(text),
      run: (work) => this.#run(work),
      editFile: (path) => this.#giveTerminal(() => port.editFile(path)),
      copy: (text) => port.copy(text),
      diagnose: (cwd) => port.diagnose(cwd),
      takeQueueBack: () => this.#takeBack(),
      quit: port.quit,
    });
  }

  /** Keys that mean the same everywhere, once nobody nearer wanted them. */
  #global(input: TermInput): boolean {
    if (input.type !== "key") return false;
    if (input.ctrl && input.name === "c") this.#interrupt();
    else if (input.ctrl && input.name === "d" && this.#editor.isEmpty) this.port.quit();
    else if (input.name === "escape" && !this.#editor.hasList) this.#stop();
    else return this.#act(this.port.bindings.actionOf(input));
    return true;
  }

  #act(action: Action | undefined): boolean {
    if (this.#away && (action === "suspend" || action === "external-editor")) return true;
    if (action === "suspend") this.#run(this.#giveTerminal(this.port.suspend));
    else if (action === "expand") this.#expand();
    else if (action === "next-mode" && !this.#editor.hasList) this.#nextMode();
    else if (action === "rule-choices") this.#openInterrupt();
    else if (action === "mend") this.#mend();
    else if (action === "external-editor") this.#writeOutside();
    else return false;
    return true;
  }

  /** Ctrl+C: a question and its run, else the run, else the text; after a question and where there is nothing: twice, the program. */
  #interrupt(): void {
    const now = this.port.clock.now();
    const { present } = this.#dialogs;
    present?.dismiss();
    if (present?.kind === "panel") return;
    if (!present && now - this.#quitAt <= QUIT_MS) this.port.quit();
    else if (!present && this.#session?.state.running) this.#session.abort();
    else if (!present && (!this.#editor.isEmpty || this.#editor.hasList)) this.#editor.clear();
    else {
      this.#quitAt = now;
      this.hint("Ctrl+C again quits.");
    }
  }

  #stop(): void {
    if (this.#session?.state.running) this.#session.abort();
  }

  #openInterrupt(): void {
    const notice = this.#lastInterrupt;
    if (!notice) this.hint("No rule has interrupted yet.");
    else if (!this.#desk?.openInterrupt(notice)) {
      const names = notice.rules.map(({ name }) => name).join(", ");
      this.hint(`${names} ${notice.rules.length === 1 ? "is" : "are"} not armed any more; /rules shows why.`);
    }
  }

  /** What the last run left behind goes to the model as the next prompt. */
  #mend(): void {
    const prompt = this.#session?.takeAuditPrompt();
    if (prompt !== undefined) this.send(prompt);
    else this.hint("The last run left nothing behind that breaks a rule.");
  }

  #writeOutside(): void {
    const edited = editText(this.#editor.text, (path) => this.#giveTerminal(() => this.port.editFile(path)));
    this.#run(
      edited.then((text) => {
        this.#editor.replace(text);
        this.#refresh();
      }),
    );
  }

  /** Nothing is drawn while another program has the terminal. */
  async #giveTerminal(use: () => Promise<void>): Promise<void> {
    this.#away = true;
    this.store.hold(true);
    try {
      await use();
    } finally {
      this.#away = false;
      this.store.hold(false);
      this.#refresh();
    }
  }

  /** What was queued behind a run that did not end well goes back into the editor. */
  #takeBack(): void {
    const texts = this.#session?.takeQueue() ?? [];
    if (texts.length > 0) this.#editor.put(texts.join("\n"));
    this.#refresh();
  }

  #nextMode(): void {
    const { session } = this;
    if (!session) return;
    const next = MODES[(MODES.indexOf(session.state.permissionMode) + 1) % MODES.length] ?? "ask";
    session.setPermissionMode(next);
  }

  #expand(): void {
    if (this.#transcript.toggleNotice()) return;
    for (let body = this.#transcript.takeExpandable(); body; body = this.#transcript.takeExpandable()) {
      const whole = wholeOf(body);
      if (!whole) continue;
      this.#transcript.addAhead(whole);
      return;
    }
    this.hint("Nothing further back was shortened.");
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#transcript.add({ kind: "error", text: reason(error) });
    this.#events.refresh();
  }

  #refresh(): void {
    this.store.update({ editor: this.#editor.view, completion: this.#editor.completion });
    this.#events.refresh();
  }
}

/** Ctrl+C and Ctrl+Z reach through a question. */
function isGlobal(input: TermInput): input is Key {
  return input.type === "key" && input.ctrl && (input.name === "c" || input.name === "z");
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
