/** The interrupt, by the server's clock: from the violating delta to the closed socket, and from there to the retry. */
import { BIN, openWorld, run, spread } from "../kit.mjs";

const N = 7;
const GAP_MS = 5;
/** The violation stands in the middle; delta k is sent at about k gaps after the first. */
const BEFORE = "safe ".repeat(40);
const AFTER = " and on".repeat(200);
/** Index of the event with the bracket: message_start, ping and content_block_start come first, then four characters each. */
const VIOLATING = 3 + Math.ceil((BEFORE.length + "eval(".length) / 4) - 1;

export async function interrupt() {
  const toRetry = { 50: [], 0: [] };
  const closing = [];
  const through = [];
  for (const delay of [50, 0]) {
    const world = await openWorld(
      ({ say }) =>
        (request) =>
          request.raw.includes("system-interrupt rea")
            ? say("Done.")
            : say(`${BEFORE}eval(${AFTER}`, { gapMs: GAP_MS }),
    );
    try {
      for (let i = 0; i < N; i++) {
        const at = world.server.requests.length;
        await run([BIN, ...world.headless("--set", `ttsr.retryDelayMs=${delay}`, "go")], world);
        const [first, retry] = world.server.requests.slice(at);
        if (!retry || !first.closedEarly) throw new Error("The violation was not cut off.");
        toRetry[delay].push(retry.arrivedAt - first.closedAt);
        const sent = first.eventTimes[VIOLATING];
        through.push(first.eventTimes.filter((time) => time > sent && time < first.closedAt).length);
        closing.push(first.closedAt - sent);
      }
    } finally {
      await world.close();
    }
  }
  const burst = await burstDeltas();
  return [
    row("violation → socket closed", "ms", 3, closing, `; server's clock, ${GAP_MS} ms deltas`),
    { ...row("deltas sent after the violating one", "", 0, through), measured: spread(through).median },
    { what: "burst: deltas handled after it", measured: burst, unit: "", reach: 0 },
    row("socket closed → retry, delay 50", "ms", 58, toRetry[50]),
    row("socket closed → retry, delay 0", "ms", 8, toRetry[0]),
  ];
}

function row(what, unit, reach, values, note = "") {
  const { least, median, most } = spread(values);
  const round = (value) => Math.round(value * 10) / 10;
  return { what, measured: least, unit, reach, note: `median ${round(median)}, most ${round(most)}${note}` };
}

/** The whole reply is in the socket already: how many deltas of it are told after the violation. */
async function burstDeltas() {
  const world = await openWorld(
    ({ say }) =>
      (request) =>
        request.raw.includes("system-interrupt rea") ? say("Done.") : say(`${BEFORE}eval(${AFTER}`, { burst: true }),
  );
  try {
    const { stdout } = await run([BIN, ...world.headless("--output-format", "stream-json", "go")], world);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const cut = events.findIndex((event) => event.type === "ttsr_triggered");
    const retry = events.findIndex((event) => event.type === "ttsr_retry");
    return events.slice(cut, retry).filter((event) => event.type === "message_update").length;
  } finally {
    await world.close();
  }
}
