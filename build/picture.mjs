/**
 * Draws docs/interrupt.svg: the demo runs in a real pty, and the screen on which the rule has cut the model off becomes a picture.
 * Run by `npm run picture`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { toSvg } from "./screen-to-svg.mjs";

const COLUMNS = 84;
const ROWS = 30;

const state = mkdtempSync(join(tmpdir(), "ttsr-picture-"));
const env = {
  ...process.env,
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  COLORFGBG: "15;0",
  TTSR_AGENT_HOME: state,
  TTSR_AGENT_STATE: state,
};
delete env.CI;
delete env.NO_COLOR;

const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 500, allowProposedApi: true });
const child = spawn(process.execPath, ["bin/ttsr-agent.js", "demo"], {
  cols: COLUMNS,
  rows: ROWS,
  name: "xterm-256color",
  env,
});
let pending = 0;
child.onData((data) => {
  pending++;
  terminal.write(data, () => pending--);
});
terminal.onData((data) => child.write(data));

const text = () => {
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "").join("\n");
};
const end = Date.now() + 40_000;
while (pending > 0 || !/tokens cut[\s\S]*• edit src\/calc\.js\n.*\+/.test(text())) {
  if (Date.now() > end) throw new Error(`The interrupt never came:\n${text()}`);
  await new Promise((resolve) => setTimeout(resolve, 30));
}
writeFileSync("docs/interrupt.svg", toSvg(terminal, "ttsr-agent demo"));
child.kill();
rmSync(state, { recursive: true, force: true });
process.exit(0);
