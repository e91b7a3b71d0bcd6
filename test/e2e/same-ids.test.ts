import { afterEach, describe, expect, it } from "vitest";
import { say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

describe("calls of one answer that a server gives the same id", () => {
  // On the fourth wire a call that comes again with the id of another is that one told twice.
  it.each(["anthropic-messages", "openai-chat", "openai-responses"] as const)(
    "are two, each with its result, on %s",
    async (wire) => {
      const call = (command: string) => ({ type: "call" as const, name: "bash", args: { command }, id: "x" });
      world = await World.open([{ blocks: [call("echo one"), call("echo two")] }, say("end")]);
      expect(await world.print(["--permission-mode", "yolo", "go"], wire)).toMatchObject({ code: 0, stdout: "end\n" });
      const messages = world.server.requests.at(-1)?.neutral().messages ?? [];
      const calls = messages.flatMap((message) => message.calls.map(({ id }) => id));
      const results = messages.flatMap((message) => message.results.map(({ id, text }) => [id, text.trim()]));
      expect(new Set(calls).size).toBe(2);
      expect(results).toEqual([
        [calls[0], "one"],
        [calls[1], "two"],
      ]);
    },
  );
});
