/** Going on with a very long session: how long until it stands there, and what it takes against the size of its file. */
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BIN, openWorld, run, spread } from "../kit.mjs";

const CHILD = fileURLToPath(new URL("../children/open.mjs", import.meta.url));
const ENTRIES = 100_000;
const BYTES = 200e6;
const N = 3;

export async function session() {
  const world = await openWorld(
    ({ say }) =>
      () =>
        say("Hello."),
  );
  try {
    const bytes = await grow(world);
    const runs = [];
    for (let i = 0; i < N; i++) runs.push(JSON.parse((await run([CHILD], world)).stdout));
    const seconds = spread(runs.map((told) => told.seconds));
    const rss = spread(runs.map((told) => told.rss));
    const cpu = spread(runs.map((told) => told.cpu));
    return [
      {
        what: `opening ${ENTRIES} entries, ${Math.round(bytes / 1e6)} MB`,
        measured: seconds.least,
        unit: "s",
        reach: 3,
        note: `median ${seconds.median.toFixed(2)}, most ${seconds.most.toFixed(2)}; CPU ${cpu.least.toFixed(2)} s`,
      },
      {
        what: "the same: peak RSS / size of the file",
        measured: rss.least / bytes,
        unit: "x",
        reach: 3,
        note: `${Math.round(rss.least / 1e6)} MB`,
      },
    ];
  } finally {
    await world.close();
  }
}

/** A real session first, so that the file is as the program writes it; then its last answer again and again, about 2 KB each. @returns bytes */
async function grow(world) {
  await run([BIN, "-p", "--trust", "-m", "bench/m", "hi"], world);
  const folder = join(world.env.TTSR_AGENT_STATE, "sessions");
  const file = readdirSync(folder, { recursive: true }).find((name) => name.endsWith(".jsonl"));
  const path = join(folder, file);
  const entries = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const entry = entries.at(-1);
  const fd = openSync(path, "a");
  const text = "plain words and more of them ".repeat((BYTES / ENTRIES - 250) / 29);
  let parentId = entry.id;
  let held = "";
  for (let i = entries.length; i < ENTRIES; i++) {
    const id = i.toString(16).padStart(8, "0");
    const role = i % 2 === 0 ? "user" : "assistant";
    const content = [{ type: "text", text }];
    const message = role === "user" ? { role, content } : { ...entry.message, content };
    held += `${JSON.stringify({ ...entry, id, parentId, message })}\n`;
    parentId = id;
    if (held.length < 1_000_000 && i < ENTRIES - 1) continue;
    writeSync(fd, held);
    held = "";
  }
  closeSync(fd);
  return statSync(path).size;
}
