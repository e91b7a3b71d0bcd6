/** The interactive face: Ink, inline, with the terminal's own scrollback. */
import { join } from "node:path";
import { render } from "ink";
import type { Clock } from "../../agent/ports.js";
import { type ExitCode, UserError } from "../../platform/errors.js";
import { App } from "./components/app.js";
import { listFiles } from "./editor/list-files.js";
import { Face } from "./face.js";
import { onLanguage, stopLoading } from "./rows/highlight.js";
import { type InteractiveScript, ScriptPlayer } from "./script.js";
import type { FaceSession, SessionUi } from "./session-port.js";
import { loadBindings } from "./term/bindings.js";
import { clipboardSequence } from "./term/clipboard.js";
import { captureConsole } from "./term/console-capture.js";
import { editFile } from "./term/external-editor.js";
import { FrameOutput } from "./term/frame-output.js";
import { Presence } from "./term/presence.js";
import { StdinSource } from "./term/stdin-source.js";
import { type OutputStream, Terminal } from "./term/terminal.js";
import { createTheme, type ThemeName, themeOfReply } from "./theme.js";

export type { InteractiveScript } from "./script.js";

/** What a start comes to. */
export interface Opening {
  session: FaceSession;
  /** Lines before everything else. */
  greeting?: readonly string[];
  script?: InteractiveScript;
}

/** The settings `tui.*`. */
export interface LookSettings {
  theme: "auto" | ThemeName;
  /** Milliseconds between two frames. */
  flushMs: number;
  screenReader: boolean;
  reducedMotion: boolean;
}

export interface InteractiveOptions {
  /** Opens the session while the prompt is already on the screen; may ask through `ui`. */
  start(ui: SessionUi): Promise<Opening>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** History and drafts. */
  stateDir: string;
  /** Key bindings. */
  configDir: string;
  /** What works here and what does not, in lines. */
  diagnose(cwd: string): Promise<string>;
  /** Sent as soon as the session is there. */
  prompt: string;
  look: LookSettings;
  clock: Clock;
}

/** A stop that does not come (nobody could wake us) has not come by then. */
const STOP_MS = 300;
/** How often the last frame is waited for, and how long at most: by then the terminal takes nothing any more. Milliseconds. */
const SETTLE_STEP_MS = 5;
const SETTLE_MS = 1_000;
/** Ink counts its empty frame as one row below its place and goes back over it; whatever was written in between must not be there. */
const ROW_UP = "\u001b[1A";
/** A terminal that tells no size. */
const COLUMNS = 80;
const ROWS = 24;

/**
 * Runs until the user leaves.
 * @returns the exit code
 * @throws UserError when the session cannot be opened, or a key binding cannot be read; the terminal is whole again by then
 */
export async function runInteractive(options: InteractiveOptions): Promise<ExitCode> {
  const { stdin, stdout, clock, env, look } = options;
  const screenReader = look.screenReader || /^(?:1|true)$/.test(env["INK_SCREEN_READER"] ?? "");
  const themed = { screenReader, reducedMotion: look.reducedMotion };
  const theme = createTheme(env, { ...themed, name: look.theme === "auto" ? undefined : look.theme });
  const asksBackground = look.theme === "auto" && theme.colors && !env["COLORFGBG"];
  const bindings = loadBindings(options.configDir);
  const terminal = new Terminal(stdout as OutputStream, asksBackground);
  const presence = new Presence((sequence) => output.write(sequence), env, screenReader);
  let leave: (code: ExitCode) => void = () => undefined;
  const left = new Promise<ExitCode>((resolve) => {
    leave = resolve;
  });
  let player: ScriptPlayer | undefined;

  const face = new Face({
    clock,
    theme,
    bindings,
    env,
    stateDir: options.stateDir,
    home: env["HOME"],
    flushMs: look.flushMs,
    size: () => ({ columns: stdout.columns || COLUMNS, rows: stdout.rows || ROWS }),
    blocked: () => stdout.writableNeedDrain,
    quit: () => leave(0),
    suspend: () => (process.platform === "win32" ? Promise.resolve() : outside(stopped)),
    listFiles: (cwd) => listFiles(cwd, env),
    editFile: (path) => outside(() => editFile(path, env)),
    copy: (text) => {
      const sequence = clipboardSequence(text);
      if (sequence !== undefined) stdout.write(sequence);
      return sequence !== undefined;
    },
    diagnose: options.diagnose,
  });
  const keys = new StdinSource(
    stdin,
    clock,
    (inputs) => {
      // Each in its turn: a word of the terminal may come before a key or behind it.
      face.handle(inputs.filter((input) => (input.type === "reply" ? onReply(input.sequence) : onKey())));
    },
    () => leave(130),
  );

  /** @returns whether it is for the face; the demo takes some */
  function onKey(): boolean {
    presence.touched();
    return player?.key() !== true;
  }

  /** @returns false: it is nothing that somebody typed */
  function onReply(sequence: string): false {
    terminal.reply(sequence);
    presence.reply(sequence);
    const name = asksBackground ? themeOfReply(sequence) : undefined;
    if (name) face.store.setTheme(createTheme(env, { ...themed, name }));
    return false;
  }

  /** The keyboard is raw before the terminal is asked anything, and until it reports nothing more: else its answers stand on the screen. */
  function enter(): void {
    keys.start();
    terminal.enter();
  }

  function giveBack(): void {
    terminal.leave();
    keys.stop();
  }

  const releaseConsole = captureConsole(join(options.stateDir, "console.log"), clock);
  const output = new FrameOutput(stdout);
  enter();
  // Code that has been drawn plain is drawn anew.
  const unlisten = onLanguage(() => face.resize());
  const unfollow = face.store.subscribe(() => presence.follow(face.store.state));
  let frames = 0;
  const ink = render(<App store={face.store} />, {
    onRender: () => void frames++,
    stdout: output as unknown as NodeJS.WriteStream,
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 30,
    // The rows are made for a screen reader already; Ink's own way would leave the cursor out.
    isScreenReaderEnabled: false,
  });

  /**
   * The store's frame is empty by now. React would draw it in a later task, and Ink holds frames back, twice: resolves when the terminal has
   * it, or takes nothing any more.
   */
  async function blank(): Promise<void> {
    const before = frames;
    ink.rerender(<App store={face.store} />);
    for (let waited = 0; waited < SETTLE_MS && (frames === before || !output.isBlank); waited += SETTLE_STEP_MS)
      await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS));
  }

  /** The store is held by now: once Ink has drawn the empty frame, it draws nothing more. */
  async function outside(use: () => Promise<void>): Promise<void> {
    await blank();
    stdout.write(ROW_UP);
    giveBack();
    try {
      await use();
    } finally {
      // See ROW_UP.
      stdout.write("\n");
      enter();
      presence.again();
      onResize();
    }
  }

  /** Ctrl+Z means everything in front of the terminal, as it does without raw mode: npm, a script that started us. */
  function stopped(): Promise<void> {
    return new Promise((resolve) => {
      process.once("SIGCONT", resolve);
      process.kill(0, "SIGTSTP");
      // Without a shell that could wake us the system does not let us stop.
      clock.after(STOP_MS, () => {
        process.off("SIGCONT", resolve);
        resolve();
      });
    });
  }

  // First the frame for the new size, drawn at once; then Ink may compare the widths.
  const onResize = (): void => {
    face.resize();
    ink.rerender(<App store={face.store} />);
    output.emit("resize");
  };
  // A closed terminal fails on writing: there is nobody left to tell.
  const onBroken = (): void => {
    output.close();
    leave(130);
  };
  const onSignal = (): void => leave(130);
  const onExit = (): void => terminal.leave();
  stdout.on("resize", onResize);
  stdout.on("error", onBroken);
  process.once("SIGTERM", onSignal);
  process.once("SIGHUP", onSignal);
  process.once("exit", onExit);

  let failure: unknown;
  options.start(face.ui).then(
    (opening) => {
      face.greet(opening.greeting ?? []);
      face.attach(opening.session);
      if (opening.script) {
        player = new ScriptPlayer(opening.script, face, clock);
        player.start();
      }
      if (options.prompt !== "") face.send(options.prompt);
    },
    (error: unknown) => {
      failure = error;
      leave(error instanceof UserError ? error.exitCode : 1);
    },
  );

  const code = await left;
  player?.stop();
  const { session } = face;
  session?.abort();
  unfollow();
  unlisten();
  stopLoading();
  face.close();
  await blank();
  ink.unmount();
  giveBack();
  stdout.off("resize", onResize);
  process.off("SIGTERM", onSignal);
  process.off("SIGHUP", onSignal);
  process.off("exit", onExit);
  releaseConsole();
  await session?.dispose();
  if (failure !== undefined) throw failure;
  if (session?.state.file !== undefined && session.messages.length > 0 && code === 0) {
    stdout.write(`Go on with: ttsr-agent --resume ${session.id}\n`);
  }
  return code;
}
