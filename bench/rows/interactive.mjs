/** The streaming reply in the terminal: from its last event to its end on the screen, and what that costs. */
import { spawn } from "@lydell/node-pty";
import { BIN, openWorld, spread, usageProbe } from "../kit.mjs";

const DELTAS = 5_000;
const N = 3;
const WIPE = "\u001b[3J";

export async function interactive() {
  const text = `${"plain words and more of them ".repeat(DELTAS).slice(0, DELTAS * 4 - 8)} the end`;
  const world = await openWorld(
    ({ say }) =>
      (request) =>
        request.raw.includes("LONG") ? say(text) : say("short"),
  );
  try {
    const idle = [];
    const long = [];
    for (let i = 0; i < N; i++) {
      idle.push(await reply(world, "hi", "short"));
      long.push(await reply(world, "LONG", "the end"));
    }
    const of = (replies, what) => spread(replies.map((told) => told[what]));
    const after = of(long, "after");
    const bytes = of(long, "bytes").median - of(idle, "bytes").median;
    return [
      {
        what: "end of stream → end visible",
        measured: after.least,
        unit: "ms",
        reach: 150,
        note: `median ${Math.round(after.median)}, most ${Math.round(after.most)}; ${DELTAS} deltas, one write each`,
      },
      {
        what: "user CPU of 5,000 deltas",
        measured: of(long, "cpu").least - of(idle, "cpu").least,
        unit: "ms",
        reach: 450,
        note: `median ${Math.round(of(long, "cpu").median - of(idle, "cpu").median)}`,
      },
      { what: "bytes written a byte of the reply", measured: bytes / text.length, unit: "", reach: 2 },
      { what: "wipes of the scrollback", measured: of(long, "wipes").most, unit: "", reach: 0 },
    ];
  } finally {
    await world.close();
  }
}

/** Types a prompt and waits until the end of the answer stands on the screen. */
function reply(world, prompt, end) {
  return new Promise((resolve, reject) => {
    const probe = usageProbe();
    const child = spawn(process.execPath, [...probe.args, BIN, "--trust", "--no-session", "-m", "bench/m"], {
      cols: 100,
      rows: 40,
      name: "xterm-256color",
      cwd: world.cwd,
      env: { ...world.env, ...probe.env },
    });
    let output = "";
    let asked = false;
    let seen;
    const giveUp = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`No end:\n${output.slice(-2_000)}`));
    }, 60_000);
    child.onData((data) => {
      output += data;
      if (!asked && output.includes("bench/m")) {
        asked = true;
        child.write(`${prompt}\r`);
      }
      if (!asked || seen || !output.slice(-20_000).includes(end)) return;
      const request = world.server.requests.at(-1);
      seen = {
        after: world.now() - (request?.eventTimes.at(-1) ?? 0),
        bytes: output.length,
        wipes: output.split(WIPE).length - 1,
      };
      // It ends in order, and tells its CPU time as it does.
      child.kill("SIGTERM");
    });
    child.onExit(() => {
      clearTimeout(giveUp);
      if (seen) resolve({ ...seen, cpu: probe.user() });
      else reject(new Error(`It ended before the answer:\n${output.slice(-2_000)}`));
    });
  });
}
