/** The face in terminals that are made narrower and break its rows, and in one that begins with an empty screen. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { holdAfter, say } from "../server/index.js";
import { BIN, World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";
import { door, pause, until } from "../support/wait.js";

const ARGS = ["-m", "anthropic-messages/m", "--trust", "--no-builtin-rules"];
const PROMPT = "› Ask for someth";

let world: World | undefined;
let tui: PtyProgram | undefined;
let stopTmux: (() => void) | undefined;
afterEach(async () => {
  tui?.kill("SIGKILL");
  stopTmux?.();
  stopTmux = undefined;
  await world?.close();
});

async function open(script: Parameters<typeof World.open>[0] = []): Promise<PtyProgram> {
  world = await World.open(script);
  tui = new PtyProgram({ args: ARGS, cwd: world.project, env: world.env });
  return tui;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a window made narrower", () => {
  it("leaves no ghost of the prompt, and the cursor where it was", async () => {
    const screen = await open();
    await screen.until("1 rule ·");
    for (const columns of [20, 80, 40, 24, 120, 60, 80]) {
      screen.resize(columns, 24);
      // A frame that is the same in the new size is not drawn again, so there is nothing to wait for.
      await pause(200);
      await screen.untilQuiet(100);
      expect(count(screen.all(), PROMPT), `at ${columns} columns:\n${screen.all()}`).toBe(1);
      expect(count(screen.all(), "ttsr-agent")).toBe(1);
      expect(screen.cursor.x).toBe(2);
      expect(screen.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.raw.lastIndexOf("\u001b[?25l"));
    }
  });

  it("leaves none of what still grows, and eats nothing of the past", async () => {
    const words = Array.from({ length: 60 }, (_, i) => `word${i}`);
    const rest = door();
    const screen = await open([say("It was said before."), say(words.join(" "), holdAfter(50, rest.opened))]);
    await screen.until("1 rule ·");
    screen.write("one\r");
    await screen.until((now) => now.includes("said before") && now.includes(PROMPT));
    screen.write("two\r");
    await screen.until("word20 ");
    screen.resize(50, 24);
    await pause(200);
    rest.open();
    await screen.until((now) => now.includes("word59") && now.includes(PROMPT) && !now.includes("working"));
    const seen = screen.all();
    for (const word of [...words, "› one", "It was said before.", "› two"])
      expect(seen.match(new RegExp(`${word}\\b|${word}$`, "gm"))?.length, `${word} in\n${seen}`).toBe(1);
  });
});

describe("tmux", () => {
  it("would keep what is erased from the upper left corner of the screen, so nothing is", async () => {
    const screen = await open();
    const corners: string[] = [];
    screen.terminal.parser.registerCsiHandler({ final: "J" }, () => {
      const { cursorX: x, cursorY: y, baseY } = screen.terminal.buffer.active;
      corners.push(`${x},${y + baseY}`);
      return false;
    });
    await screen.until("1 rule ·");
    screen.write("x");
    await screen.until("› x");
    expect(corners.length).toBeGreaterThan(1);
    expect(corners).not.toContain("0,0");
  });

  const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
  /** @param shell a command of the shell; `program` is ours */
  async function inTmux(shell: string): Promise<{ tmux(...args: string[]): string; all(): string }> {
    world = await World.open([]);
    const socket = join(world.root, "tmux");
    const env = { ...world.env, TERM: "xterm-256color", program: BIN };
    const tmux = (...args: string[]): string =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8", env });
    stopTmux = () => void tmux("kill-server");
    tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", world.project, shell);
    const all = (): string => tmux("capture-pane", "-p", "-S", "-");
    await until(() => all().includes("1 rule ·"), all);
    return { tmux, all };
  }

  it.skipIf(!hasTmux)("shows the prompt once on an empty screen (needs tmux)", async () => {
    const { all } = await inTmux(`node "$program" ${ARGS.join(" ")}`);
    expect(count(all(), "› Ask for"), all()).toBe(1);
    expect(count(all(), "starting"), all()).toBe(0);
  });

  // At the top of its screen tmux itself scrolls rows away that still have room.
  it.skipIf(!hasTmux)("made narrower, breaks no ghost off further down (needs tmux)", async () => {
    const { tmux, all } = await inTmux(`seq 30; node "$program" ${ARGS.join(" ")}`);
    tmux(
      "send-keys",
      "-l",
      "a long draft of words that goes over the whole row and then some more of it, on a second row",
    );
    await until(() => all().includes("on a second row"), all);
    for (const columns of [50, 20, 80]) {
      tmux("resize-window", "-x", String(columns));
      await pause(300);
      expect(count(all(), "› a long"), `at ${columns} columns:\n${all()}`).toBe(1);
      expect(all()).toMatch(/^30$/m);
    }
  });
});
