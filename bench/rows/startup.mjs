/** Start-up: version, the way to the first request, the prompt on the screen; and what it costs to sit there. */
import { readdirSync, readFileSync } from "node:fs";
import { spawn } from "@lydell/node-pty";
import { BIN, bestOf, nodeFloor, openWorld, run } from "../kit.mjs";

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
    let idle;
    const { floor, version, toRequest, visible } = await bestOf(N, {
      floor: nodeFloor,
      version: async () => (await run([BIN, "--version"])).wall,
      async toRequest() {
        const before = world.server.requests.length;
        const started = world.now();
        // As a user starts it, with the bundled rules.
        await run([BIN, "-p", "--trust", "--no-session", "-m", "bench/m", "hi"], world);
        return world.server.requests[before].arrivedAt - started;
      },
      async visible() {
        // Once is enough to see whether it sits still.
        const prompt = await promptVisible(world, idle === undefined);
        idle ??= prompt;
        return prompt.ms;
      },
    });
    const note = ({ least, median }) =>
      `${Math.round(least)} ms (median ${Math.round(median)}); node ${Math.round(floor.least)} (${Math.round(floor.median)})`;
    return [
      {
        what: "--version / node -e 0",
        measured: version.least / floor.least,
        unit: "x",
        reach: 1.3,
        note: note(version),
      },
      {
        what: "-p: spawn to request / node -e 0",
        measured: toRequest.least / floor.least,
        unit: "x",
        reach: 6,
        note: note(toRequest),
      },
      {
        what: "prompt visible / node -e 0",
        measured: visible.least / floor.least,
        unit: "x",
        reach: 9,
        note: note(visible),
      },
      {
        what: "idle memory (PSS)",
        measured: idle.pss,
        unit: "MB",
        reach: 90,
        // PSS halves what two processes share, and the bench is a node too; what is its own alone, and what stands in memory.
        note: `private ${Math.round(idle.own)} MB, RSS ${Math.round(idle.rss)} MB`,
      },
      { what: "idle CPU over 2 s", measured: idle.cpu, unit: "ms", reach: 0 },
      { what: "idle bytes over 2 s", measured: idle.bytes, unit: "B", reach: 0 },
    ];
  } finally {
    await world.close();
  }
}

function promptVisible({ env, cwd }, sit) {
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
      if (!sit) {
        child.kill("SIGKILL");
        resolve({ ms });
        return;
      }
      // Some time for what a start leaves behind, then quiet.
      setTimeout(() => {
        const before = { cpu: cpuMs(child.pid), bytes: output.length };
        setTimeout(() => {
          resolve({
            ms,
            cpu: cpuMs(child.pid) - before.cpu,
            bytes: output.length - before.bytes,
            ...memoryMb(child.pid),
          });
          child.kill("SIGKILL");
        }, QUIET_MS);
      }, 1_500);
    });
  });
}

/** What all its threads ran, user and system, by the scheduler's clock of nanoseconds. */
function cpuMs(pid) {
  const ran = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function memoryMb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mb = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  return { pss: mb("Pss"), rss: mb("Rss"), own: mb("Private_Clean") + mb("Private_Dirty") };
}
