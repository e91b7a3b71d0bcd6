/** Headless, 5,000 deltas of four characters as fast as the socket takes them: user CPU beyond start-up, per delta. */
import { BIN, best, openWorld, run } from "../kit.mjs";

const DELTAS = 5_000;
const N = 5;

export async function streaming() {
  const rows = [];
  for (const rules of [0, 100]) {
    const text = "plain ".repeat(Math.ceil((DELTAS * 4) / 6)).slice(0, DELTAS * 4);
    const world = await openWorld(
      ({ say }) =>
        (request) =>
          request.raw.includes("LONG") ? say(text) : say("ok"),
      { rules },
    );
    try {
      const cost = (prompt) => best(N, async () => (await run([BIN, ...world.headless(prompt)], world)).user);
      const short = await cost("short");
      const long = await cost("LONG");
      rows.push({
        what: `user CPU a delta, ${rules} more rules armed`,
        measured: ((long - short) * 1000) / DELTAS,
        unit: "µs",
        reach: 10,
        note: `${Math.round(long - short)} ms for ${DELTAS} deltas`,
      });
    } finally {
      await world.close();
    }
  }
  return rows;
}
