/** `contextMode: rewind` over HTTP: the lines before the match are all that the retry sends of the cut answer. */
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, SERVED_WIRES, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const SETTING = ["--set", "ttsr.contextMode=rewind", "--permission-mode", "yolo"];
const BAD_LINE = { type: "text", text: "First I read it.\nThen I call eval(source) for that." } as const;
const CALL = { type: "call", name: "bash", args: { command: "node -e 'eval(1)'" } } as const;

describe.each(SERVED_WIRES)("TTSR-6.4 rewind over %s", (wire) => {
  /** @returns what the retry sends of the cut answer */
  const kept = async (blocks: NonNullable<Answer["blocks"]>, flags: readonly string[] = []) => {
    world = await World.open([{ blocks }, say("It is done with a parser.")]);
    const run = await world.print([...SETTING, ...flags, "go"], wire);
    expect(run).toMatchObject({ code: 0, stdout: "It is done with a parser.\n" });
    expect(world.server.requests).toHaveLength(2);
    const retry = world.server.requests[1]!;
    // Some wires refuse empty texts, all of them do not need them.
    expect(JSON.stringify(retry.body)).not.toMatch(/"(text|content)":""/);
    const { messages } = retry.neutral();
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[2]!.text).toContain('rule="no-eval"');
    return messages[1]!;
  };

  it("text: up to the line of the match", async () => {
    expect(await kept([BAD_LINE])).toMatchObject({ text: "First I read it.\n", calls: [], thinking: [] });
  });

  it("text before a call: all of it, and not the call", async () => {
    expect(await kept([{ type: "text", text: "One.\nTwo." }, CALL])).toMatchObject({ text: "One.\nTwo.", calls: [] });
  });

  it("a call alone, a first line: what was cut is said instead", async () => {
    const call = "[call to bash cut off by rule no-eval; not run]";
    expect(await kept([CALL])).toMatchObject({ text: call, calls: [] });
    await world.close();
    const answer = "[answer cut off by rule no-eval; not run]";
    expect(await kept([{ type: "text", text: "I call eval(x)" }])).toMatchObject({ text: answer, calls: [] });
  });

  it("signed thinking goes back complete, and with its signature", async () => {
    const thinking = { type: "thinking", thinking: "I think.\nLong.", signature: "c2lnbmVk" } as const;
    const sent = await kept([thinking, BAD_LINE], ["--thinking", "high"]);
    expect(sent.text).toBe("First I read it.\n");
    expect(sent.thinking).toEqual(SIGNED[wire]);
  });
});

/** A compatible server takes thinking back only where a gateway has signed it, and Gemini signs the part that follows. */
const SIGNED = {
  "anthropic-messages": [{ text: "I think.\nLong.", signature: "c2lnbmVk" }],
  "openai-responses": [{ text: "I think.\nLong.", signature: "c2lnbmVk" }],
  "openai-chat": [],
  gemini: [],
};
