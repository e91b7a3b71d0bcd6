/** A long conversation: what the heap holds more with every turn. */
import { fileURLToPath } from "node:url";
import { openWorld, run } from "../kit.mjs";

const CHILD = fileURLToPath(new URL("../children/turns.mjs", import.meta.url));
const TURNS = 2_000;
const SIZE = 4_096;
const MB = 1024 * 1024;

export async function memory() {
  const world = await openWorld(() => () => undefined);
  try {
    const { stdout } = await run(["--expose-gc", CHILD, TURNS, SIZE], world);
    const heap = JSON.parse(stdout);
    const growth = slope(heap) * TURNS;
    // The conversation itself is kept, since every request sends it whole.
    const said = TURNS * SIZE;
    return [
      {
        what: `heap growth over ${TURNS} turns of 4 KB, without the text`,
        measured: (growth - said) / MB,
        unit: "MB",
        reach: 5,
        note: `${Math.round(growth / MB)} MB with the ${Math.round(said / MB)} MB that was said; ${Math.round(heap.at(-1).bytes / MB)} MB at the end`,
      },
    ];
  } finally {
    await world.close();
  }
}

/** @returns bytes a turn: the line of least squares through what the heap held after each collection */
function slope(heap) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const turn = mean(heap.map((point) => point.turn));
  const bytes = mean(heap.map((point) => point.bytes));
  return (
    heap.reduce((sum, point) => sum + (point.turn - turn) * (point.bytes - bytes), 0) /
    heap.reduce((sum, point) => sum + (point.turn - turn) ** 2, 0)
  );
}
