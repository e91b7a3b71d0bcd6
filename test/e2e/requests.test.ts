/** What goes over the network: only what the user asked for, and little of it. */
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, SERVED_WIRES, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

/** Characters of English a token, at the least: the usual figure is four. */
const CHARACTERS_A_TOKEN = 3.5;

describe.each(SERVED_WIRES)("the first request over %s", (wire) => {
  it("holds at most 12 KB beside the prompt, and a system prompt of at most 1200 tokens", async () => {
    world = await World.open([say("Hello.")]);
    await world.run(["-p", "-m", `${wire}/m`, "hi"]);
    const [request] = world.server.requests;
    expect(Buffer.byteLength(request!.raw)).toBeLessThanOrEqual(12 * 1024);
    const { system, tools } = request!.neutral();
    expect(system.length / CHARACTERS_A_TOKEN).toBeLessThanOrEqual(1_200);
    expect(tools.map(({ name }) => name).sort()).toEqual(["bash", "edit", "glob", "grep", "ls", "read", "write"]);
    // No clock and no name: the same folder gives the same bytes.
    expect(system).not.toMatch(/\d{4}-\d\d-\d\d|\d\d:\d\d/);
  });

  it("the next request of a run begins with the bytes of the last, so that a provider's cache holds", async () => {
    world = await World.open([callTool("ls", {}), say("Done."), say("Again.")]);
    await world.print(["hi"], wire);
    await world.print(["-c", "more"], wire);
    const [first, second, third] = world.server.requests.map((request) => request.neutral());
    for (const later of [second!, third!]) {
      expect(later.system).toBe(first!.system);
      expect(later.tools).toEqual(first!.tools);
    }
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    expect(third!.messages.slice(0, second!.messages.length)).toEqual(second!.messages);
  });
});

describe("no request is made that the user did not ask for", () => {
  it("one for a prompt and its answer, with the models of the server not asked for", async () => {
    world = await World.open([say("Hello.")]);
    const env = { OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: world.server.url("openai-responses") };
    expect(await world.run(["-p", "-m", "openai/gpt-5", "hi"], { env })).toMatchObject({ code: 0, stdout: "Hello.\n" });
    expect(world.server.requests).toHaveLength(1);
    expect(world.server.requests[0]!.headers["authorization"]).toBe("Bearer test-key");
    expect(world.server.modelLists).toBe(0);
  });

  it("none by subcommands and the demo, and none before a bad flag is refused", async () => {
    // Counts connections, also those that never become a request.
    let connections = 0;
    const counter = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((listening) => counter.listen(0, "127.0.0.1", listening));
    const address = counter.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
    world = await World.open([]);
    const keys = ["ANTHROPIC", "OPENAI", "GEMINI"].flatMap((name) => [
      [`${name}_API_KEY`, "test-key"],
      [`${name}_BASE_URL`, url],
    ]);
    const env = { ...Object.fromEntries(keys), TMPDIR: world.root };
    const runs: [string[], number][] = [
      [["rules", "list"], 0],
      [["sessions", "list"], 0],
      [["config", "get"], 0],
      [["demo", "--fast", "-p"], 0],
      [["-p", "-m", "anthropic/claude-sonnet-5", "--max-turns", "0", "hi"], 2],
      [["-p", "-m", "anthropic/claude-sonnet-5", "-r", "nothing", "hi"], 2],
    ];
    for (const [args, code] of runs) expect([args, (await world.run(args, { env })).code]).toEqual([args, code]);
    expect(connections).toBe(0);
    await new Promise((closed) => counter.close(closed));
  });
});
