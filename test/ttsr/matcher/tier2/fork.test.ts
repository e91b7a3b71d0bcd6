import { afterEach, describe, expect, it } from "vitest";
import { SlowTier } from "../../../../src/ttsr/matcher/tier2/slow-tier.js";
import { startWorker, type WorkerLike } from "../../../../src/ttsr/matcher/tier2/worker-link.js";
import type { Settled } from "../../../../src/ttsr/matcher/types.js";
import { pause, until } from "../../../support/wait.js";

const LIMITS = { msPerTest: 2_000, msPerStream: 60_000, bufferUnits: 32 };

let open: SlowTier[] = [];
afterEach(() => {
  for (const tier of open) tier.dispose();
  open = [];
});

function tierOf(rules: Record<string, string>, start?: (answered: Int32Array) => WorkerLike): SlowTier {
  const triggers = Object.entries(rules).map(([ruleId, pattern]) => ({ ruleId, index: 0, pattern }));
  const tier = new SlowTier(triggers, LIMITS, () => expect.unreachable(), start);
  open.push(tier);
  return tier;
}

const show = ({ ruleId, position, settledBy, start }: Settled): string => `${ruleId} ${start}-${position} ${settledBy}`;

describe("a stream of tier 2 that goes on from another one", () => {
  it("knows what that one knows, also where text was let go of", async () => {
    const rules = { a: "(x)y\\1", b: "^(x)", c: "(?m)^(foo)", d: "(q)[^]*\\1", e: "(.)!\\1$" };
    const text = `${"-".repeat(50)}xyx\n${"-".repeat(9)}\nfoo q${"-".repeat(14)}q\n${"-".repeat(70)}1!1`;
    const tier = tierOf(rules);
    const told: Settled[] = [];
    const stream = tier.open(
      () => true,
      (settled) => told.push(settled),
    );
    for (let at = 0; at <= text.length; at += 7) {
      const found = [...told];
      const fork = stream.fork((settled) => found.push(settled));
      fork.feed(text.slice(at));
      found.push(...(await fork.end()));
      expect(found.map(show).sort(), `${at}`).toEqual([
        "a 50-53 unit",
        "c 64-67 unit",
        "d 68-84 unit",
        "e 155-158 end",
      ]);
      stream.feed(text.slice(at, at + 7));
      await pause(2);
    }
  });

  it("is told what was found, at whatever moment it begins", async () => {
    const forks: Settled[][] = [];
    let begin = (): void => undefined;
    const tier = tierOf({ a: "(x)\\1" }, (answered) => {
      const worker = startWorker(answered);
      return {
        postMessage: (question) => worker.postMessage(question),
        on: (event: string, listener: (message: never) => void) =>
          worker.on(event as "message", (message) => {
            listener(message as never);
            if (message !== "ready") begin();
          }),
        terminate: () => worker.terminate(),
        ref: () => worker.ref(),
        unref: () => worker.unref(),
      };
    });
    let known = false;
    const stream = tier.open(
      () => true,
      () => {
        known = true;
      },
    );
    const fork = (): void => {
      // Whoever begins when the listener was told already has to hear it from whom that one told.
      if (known) return;
      const told: Settled[] = [];
      forks.push(told);
      stream.fork((settled) => told.push(settled));
    };
    const answered = new Promise<void>((resolve) => {
      begin = () => {
        begin = () => undefined;
        fork();
        const again = (left: number): void => {
          fork();
          if (left > 0) queueMicrotask(() => again(left - 1));
          else resolve();
        };
        queueMicrotask(() => again(8));
      };
    });
    stream.feed("-xx\n");
    await answered;
    expect(forks.length).toBeGreaterThan(1);
    for (const told of forks) {
      await until(() => told.length > 0);
      expect(told.map(show)).toEqual(["a 1-3 unit"]);
    }
  });
});
