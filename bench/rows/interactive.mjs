/** The streaming reply in the terminal: from its last event to its end on the screen, and what that costs. */
import { readFileSync } from "node:fs";
import { spawn } from "@lydell/node-pty";
import { BIN, openWorld } from "../kit.mjs";

const DELTAS = 5_000;
const WIPE = "\u001b[3J";

export async function interactive() {
  const text = `${"plain words and more of them ".repeat(DELTAS).slice(0, DELTAS * 4 - 8)} the end`;
  const world = await openWorld(
    ({ say }) =>
      (request) =>
        request.raw.includes("LONG") ? say(text) : say("short"),
  );
  try {
    const idle = await reply(world, "hi", "short");
    const long = await reply(world, "LONG", "the end");
    return [
      { what: "end of stream → end visible", measured: long.after, unit: "ms", reach: 150 },
      { what: "user CPU of 5,000 deltas", measured: long.cpu - idle.cpu, unit: "ms", reach: 450 },
      {
        what: "bytes written a byte of the reply",
        measured: (long.bytes - idle.bytes) / text.length,
        unit: "",
        reach: 2,
      },
      { what: "wipes of the scrollback", measured: long.wipes, unit: "", reach: 0 },
    ];
  } finally {
    await world.close();
  }
}

/** Types a prompt and waits until the end of the answer stands on the screen. */
function reply(world, prompt, end) {
  return new Promise((resolve, reject) => {
    const { env, cwd } = world;
    const child = spawn(process.execPath, [BIN, "--trust", "--no-session", "-m", "bench/m"], {
      cols: 100,
      rows: 40,
      name: "xterm-256color",
      cwd,
      env,
    });
    let output = "";
    let asked = false;
    const giveUp = setTimeout(() => reject(new Error(`No end:\n${output.slice(-2_000)}`)), 60_000);
    child.onData((data) => {
      output += data;
      if (!asked && output.includes("bench/m")) {
        asked = true;
        child.write(`${prompt}\r`);
      }
      if (!asked || !output.slice(-20_000).includes(end)) return;
      clearTimeout(giveUp);
      const request = world.server.requests.at(-1);
      const after = world.now() - (request?.eventTimes.at(-1) ?? 0);
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      resolve({ after, cpu: Number(fields[11]) * 10, bytes: output.length, wipes: output.split(WIPE).length - 1 });
      child.kill("SIGKILL");
    });
  });
}
