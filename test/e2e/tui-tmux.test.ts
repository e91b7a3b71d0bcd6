/** The face on an empty screen, in a terminal that keeps what is wiped. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { BIN, World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";
import { until } from "../support/wait.js";

const ARGS = ["-m", "anthropic-messages/m", "--trust", "--no-builtin-rules"];

let world: World | undefined;
let stop: (() => void) | undefined;
afterEach(async () => {
  stop?.();
  stop = undefined;
  await world?.close();
});

describe("tmux", () => {
  it("would keep what is erased from the upper left corner of the screen, so nothing is", async () => {
    world = await World.open([]);
    const screen = new PtyProgram({ args: ARGS, cwd: world.project, env: world.env });
    stop = () => void screen.kill("SIGKILL");
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

  it.skipIf(!hasTmux)("shows the prompt once on an empty screen (needs tmux)", async () => {
    world = await World.open([]);
    const socket = join(world.root, "tmux");
    const env = { ...world.env, TERM: "xterm-256color" };
    const tmux = (...args: string[]): string =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8", env });
    stop = () => void tmux("kill-server");
    tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", world.project, `node "${BIN}" ${ARGS.join(" ")}`);
    const all = (): string => tmux("capture-pane", "-p", "-S", "-");
    await until(() => all().includes("1 rule ·"), all);
    expect(all().split("› Ask for").length - 1, all()).toBe(1);
    expect(all().split("starting").length - 1, all()).toBe(0);
  });
});
