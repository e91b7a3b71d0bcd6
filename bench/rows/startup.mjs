/** Start-up: version, the way to the first request, the prompt on the screen; and what it costs to sit there. */
import { readFileSync } from "node:fs";
import { spawn } from "@lydell/node-pty";
import { BIN, best, nodeFloor, openWorld, run } from "../kit.mjs";

const N = 7;
const QUIET_MS = 2_000;
const PROMPT = "Ask for something";

export async function startup() {
  const world = await openWorld(
    ({ say }) =>
      () =>
        say("Hello."),
  );
  try {
    const floor = await nodeFloor(N);
    const version = await best(N, async () => (await run([BIN, "--version"])).wall);
    const toRequest = await best(N, async () => {
      const before = world.server.requests.length;
      const started = world.now();
      await run([BIN, ...world.headless("hi")], world);
      return world.server.requests[before].arrivedAt - started;
    });
    const prompts = [];
    for (let i = 0; i < 5; i++) prompts.push(await promptVisible(world));
    const visible = Math.min(...prompts.map((prompt) => prompt.ms));
    const idle = prompts.at(-1);
    return [
      {
        what: "--version / node -e 0",
        measured: version / floor,
        unit: "x",
        reach: 1.3,
        note: `${Math.round(version)} ms`,
      },
      {
        what: "-p: spawn to request / node -e 0",
        measured: toRequest / floor,
        unit: "x",
        reach: 6,
        note: `${Math.round(toRequest)} ms`,
      },
      {
        what: "prompt visible / node -e 0",
        measured: visible / floor,
        unit: "x",
        reach: 9,
        note: `${Math.round(visible)} ms`,
      },
      { what: "idle memory (PSS)", measured: idle.pss, unit: "MB", reach: 90 },
      { what: "idle CPU over 2 s", measured: idle.cpu, unit: "ms", reach: 0 },
      { what: "idle bytes over 2 s", measured: idle.bytes, unit: "B", reach: 0 },
    ];
  } finally {
    await world.close();
  }
}

function promptVisible({ env, cwd }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, [BIN, "--trust", "--no-session", "-m", "bench/m"], {
      cols: 100,
      rows: 30,
      name: "xterm-256color",
      cwd,
      env,
    });
    let output = "";
    let ms;
    const giveUp = setTimeout(() => reject(new Error(`No prompt:\n${output}`)), 20_000);
    child.onData((data) => {
      output += data;
      if (ms !== undefined || !output.includes(PROMPT)) return;
      ms = performance.now() - started;
      clearTimeout(giveUp);
      // Some time for what a start leaves behind, then quiet.
      setTimeout(() => {
        const before = { cpu: cpuMs(child.pid), bytes: output.length };
        setTimeout(() => {
          resolve({
            ms,
            cpu: cpuMs(child.pid) - before.cpu,
            bytes: output.length - before.bytes,
            pss: pssMb(child.pid),
          });
          child.kill("SIGKILL");
        }, QUIET_MS);
      }, 1_500);
    });
  });
}

/** Linux counts in clock ticks of 10 ms. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function pssMb(pid) {
  const line = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(line?.[1]) / 1024;
}
