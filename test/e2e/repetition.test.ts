/** C72, C73 over the wires: the program as it ships, its bundled rule, and a model that goes round in circles. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const SAID = "I have everything that I need now, so I will write the file and run the tests.";
const THEN = "After that the documents are brought up to date, and nothing else remains to be done today.";
const LOOP = say(Array.from({ length: 9 }, () => `${SAID}\n\n${THEN}`).join("\n\n"));
const WRITE = callTool("write", { path: "done.md", content: `${`${SAID}\n\n`.repeat(5)}\n` });

describe.each(SERVED_WIRES)("C72 over %s", (wire) => {
  it("the loop is cut, the model told of it, and the call that follows is run, whatever it repeats (C36)", async () => {
    world = await World.open([LOOP, WRITE, say("Done.")]);
    const run = await world.run(["-p", "--trust", "-m", `${wire}/m`, "--permission-mode", "yolo", "go"]);
    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(run.stderr).toContain(`rule ⟲ prose/repetition  text: …${SAID}`);
    expect(existsSync(join(world.project, "done.md"))).toBe(true);

    expect(world.server.requests).toHaveLength(3);
    const { messages } = world.server.requests[1]!.neutral();
    expect(messages.map(({ role }) => role)).not.toContain("assistant");
    expect(messages.at(-1)?.text).toContain(
      `Cut: your answer, which repeats itself (the same paragraph 3 times): ${SAID}\nDo this instead: `,
    );
  });
});

describe("C72, C73 the commands", () => {
  it("say in words what the rule does, and try it on a text and on transcripts", async () => {
    world = await World.open([], { "said.txt": `${SAID}\n\n`.repeat(3) });
    const rules = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await world.run(["rules", ...args]);
      return stdout + stderr;
    };
    const shown = await rules("show", "prose/repetition");
    expect(shown).toContain("looks at: text, thinking\nfires on: prose that repeats itself (detect: repetition)\n");
    expect(shown).toContain(
      "when the same paragraph ends a 3rd time, with nothing new between,\n          when 8 of the last 12 paragraphs are like an earlier one,\n          or when 48 sentences or lines in a row were there before\n",
    );
    expect(shown).not.toContain("NOT ");
    expect(JSON.parse(await rules("show", "prose/repetition", "--json"))).toMatchObject({
      detect: "repetition",
      state: "armed",
      triggers: [],
    });
    expect(await rules("test", "prose/repetition", "--source", "thinking", "--file", "said.txt")).toBe(
      `fires   in the model's thinking, characters ${SAID.length + 2} to ${3 * (SAID.length + 2)}\n        »${SAID}«\n        because of the same paragraph 3 times\n`,
    );
    expect(await rules("test", "prose/repetition", "--tool", "write", "x")).toBe(
      "silent  in write.content of example.txt: a call is never cut for repeating itself\n",
    );
    const back = await rules("backtest", "prose/repetition", "--sessions", "said.txt");
    expect(back).toContain("prose/repetition: would have fired 1 time; about 60 tokens cut.");
    expect(await rules("scan", "--only", "prose/repetition")).toContain("Of prose/repetition none looks at files.");
  });
});

describe("C73 the ladder of a loop", () => {
  it("past the budget it is delivered, and a violation", async () => {
    world = await World.open([LOOP, LOOP, LOOP]);
    const strict = ["--fail-on-violation", "--output-format", "json"];
    const run = await world.run(["-p", "--trust", "-m", "anthropic-messages/m", ...strict, "go"]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: "ok",
      ttsr: { interrupts: 2, unheeded: ["prose/repetition"] },
    });
    expect(run).toMatchObject({ code: 6, stderr: expect.stringContaining("delivered with a reminder") });
  });

  it("the rule is switched off by its name, or with the whole pack", async () => {
    world = await World.open([LOOP, LOOP], { ".rules/prose/repetition.md": "---\nenabled: false\n---\n" });
    for (const more of [[], ["--no-builtin-rules"]]) {
      const run = await world.run(["-p", "--trust", "-m", "anthropic-messages/m", ...more, "go"]);
      expect(run.stderr).not.toContain("⟲");
      expect(run.stdout.split(SAID)).toHaveLength(10);
    }
  });
});
