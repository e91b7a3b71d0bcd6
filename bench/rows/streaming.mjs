/** Headless, 5,000 deltas of four characters: user CPU beyond start-up, per delta. */
import { BIN, bestOf, openWorld, run } from "../kit.mjs";

const DELTAS = 5_000;
const N = 5;
const TEXT = "plain ".repeat(Math.ceil((DELTAS * 4) / 6)).slice(0, DELTAS * 4);

/** How the reply comes: in one socket write, as from a local or cached model, or each delta in one of its own, without a pause. */
const WAYS = [
  { name: "at once", options: { burst: true } },
  { name: "one write each", options: {} },
];

export async function streaming() {
  const rows = [];
  for (const rules of [0, 1, 100]) {
    // One rule is there anyway; without any it is switched off.
    const world = await openWorld(answers, { rules: Math.max(0, rules - 1) });
    const flags = rules === 0 ? ["--no-rules"] : [];
    const cost = async (prompt) => (await run([BIN, ...world.headless(...flags, prompt)], world, { usage: true })).user;
    try {
      const armed = rules === 0 ? 0 : await armedRules(world);
      if (armed !== rules) throw new Error(`${armed} rules are armed, not ${rules}.`);
      const costs = await bestOf(N, {
        short: () => cost("short"),
        ...Object.fromEntries(WAYS.map(({ name }) => [name, () => cost(name)])),
      });
      for (const { name } of WAYS) {
        const beyond = costs[name].least - costs.short.least;
        rows.push({
          what: `user CPU a delta, ${rules} ${rules === 1 ? "rule" : "rules"}, ${name}`,
          measured: (beyond * 1000) / DELTAS,
          unit: "µs",
          reach: 10,
          note: `${Math.round(beyond)} ms for ${DELTAS} deltas; median ${Math.round(costs[name].median - costs.short.median)}`,
        });
      }
    } finally {
      await world.close();
    }
  }
  return rows;
}

const answers =
  ({ say }) =>
  (request) => {
    const way = WAYS.find(({ name }) => request.raw.includes(name));
    return way ? say(TEXT, way.options) : say("ok");
  };

/** A rule that is not armed costs nothing and would make the figure a lie. */
async function armedRules(world) {
  const { stdout } = await run([BIN, "rules", "list", "--trust", "--json"], world);
  return JSON.parse(stdout).filter(({ state, path }) => state === "armed" && path.startsWith(world.cwd)).length;
}
