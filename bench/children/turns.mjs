/** Child of the row `memory`: many turns in one session. Arguments: turns, characters of each. Prints what the heap held, as JSON. Needs --expose-gc. */
import { createAgentSession } from "../../dist/sdk.js";
import { scriptedModel } from "./scripted-model.mjs";

const EVERY = 200;

const [turns, size] = process.argv.slice(2).map(Number);
const session = await createAgentSession({
  // Words that go on being new: what repeats itself would be cut off.
  model: scriptedModel(
    Array.from({ length: size }, (_, i) => `word${i}`)
      .join(" ")
      .slice(0, size),
  ),
  trust: true,
  settings: ["session.fsync=false"],
});
const heap = [];
for (let turn = 1; turn <= turns; turn++) {
  const { status, error } = await session.prompt(`go on ${turn}`);
  if (status !== "ok") throw new Error(error?.message ?? status);
  if (turn % EVERY !== 0) continue;
  gc();
  heap.push({ turn, bytes: process.memoryUsage().heapUsed });
}
await session.dispose();
process.stdout.write(JSON.stringify(heap));
process.exit(0);
