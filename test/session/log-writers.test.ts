import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../../src/agent/messages.js";
import { bundle } from "./helpers/kill.js";
import { bench, threeMessages } from "./helpers/session.js";

const on = bench(6);
let script = "";
beforeAll(async () => {
  script = await bundle("writer-child", on.dir);
});
afterAll(() => on.remove());

describe("D8 lines of several writers never interleave", () => {
  it("4 processes, 400 entries of up to 300 kB: every one is whole, in its writer's order", async () => {
    const file = threeMessages(on);
    const codes = await Promise.all(
      [1, 2, 3, 4].map(
        (seed) =>
          new Promise<number | null>((resolve, reject) => {
            const child = spawn(process.execPath, [script, file, String(seed), "100"], { stdio: "inherit" });
            child.on("error", reject);
            child.on("close", resolve);
          }),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    on.reports.length = 0;
    const session = on.open(file);
    expect(on.reports).toEqual([]);
    expect(session.entries.length).toBe(403);
    const order = new Map<string, number[]>();
    for (const entry of session.entries.slice(3)) {
      if (entry.type !== "message") continue;
      const [writer = "", n = ""] = (textOf(entry.message).split(" ")[0] ?? "").split(":");
      order.set(writer, [...(order.get(writer) ?? []), Number(n)]);
    }
    for (const writer of ["1", "2", "3", "4"]) expect(order.get(writer)).toEqual([...Array(100).keys()]);
    session.close();
  });
});
