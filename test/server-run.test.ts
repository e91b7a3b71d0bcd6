/** The test server started by hand, as its header says. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { handScript } from "./server/hand-script.js";
import { startModelServer } from "./server/index.js";

it("run.mjs starts, tells its address, answers and tells of requests", async () => {
  const script = fileURLToPath(new URL("server/run.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const address = /http:\S+/.exec((await lines.next()).value ?? "")?.[0];
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] });
    const text = await (await fetch(`${address}/v1/chat/completions`, { method: "POST", body })).text();
    expect(text).toContain("[DONE]");
    expect((await lines.next()).value).toBe("request 1: openai-chat, 1 messages");
    expect((await lines.next()).value).toBe("request 1: answered");
  } finally {
    child.kill();
  }
});

it("its script breaks the rule, then keeps it, then ends", async () => {
  const server = await startModelServer({ script: (request) => ({ ...handScript(request), gapMs: 0 }) });
  const ask = async (...messages: object[]): Promise<string> => {
    const body = JSON.stringify({ model: "m", stream: true, messages });
    return await (await fetch(`${server.url("openai-chat")}/chat/completions`, { method: "POST", body })).text();
  };
  const joined = (stream: string): string =>
    [...stream.matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one).join("");
  const user = { role: "user", content: "go" };
  expect(joined(await ask(user))).toContain("eval(");
  expect(joined(await ask(user, { role: "user", content: "<system-interrupt>no</system-interrupt>" }))).not.toContain(
    "eval(",
  );
  expect(await ask(user, { role: "tool", tool_call_id: "c", content: "written" })).toContain("[DONE]");
  await server.close();
});
