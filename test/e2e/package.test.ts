/** The package as another program meets it: plain node, its name, its two entries. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { BIN, World } from "../support/program.js";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A package may name itself, so the source is run as if it stood there. */
const ROOT = resolve(dirname(BIN), "..");

async function runPlainNode(source: string, env: Record<string, string> = {}): Promise<unknown> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** Everything that a built file loads, with itself. */
function filesOf(entry: string, seen = new Set<string>()): { files: Set<string>; outside: Set<string> } {
  const outside = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:(?<!\.)\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)) {
      if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
      else outside.add(specifier);
    }
  };
  visit(entry);
  return { files: seen, outside };
}

describe("the public entries", () => {
  it("`ttsr-agent` gives the names of the lifecycle, and importing it does nothing else", async () => {
    const names = await runPlainNode(`
      const before = process.listenerCount("SIGINT") + process.listenerCount("exit");
      const entry = await import("ttsr-agent");
      const after = process.listenerCount("SIGINT") + process.listenerCount("exit");
      console.log(JSON.stringify({ names: Object.keys(entry).sort(), quiet: before === after }));
    `);
    expect(names).toEqual({
      names: [
        ...["AgentSession", "ExtensionRunner", "SessionManager", "TtsrManager"],
        ...["createAgentSession", "loadCapability", "ruleCapability"],
      ],
      quiet: true,
    });
  });

  it("`ttsr-agent/matcher` works alone and loads nothing else of the program, nor of anybody", async () => {
    const found = await runPlainNode(`
      import { compileTriggers } from "ttsr-agent/matcher";
      const set = compileTriggers([{ ruleId: "a", pattern: "--force(?!-with-lease)", index: 0 }]);
      const cursor = set.open(() => true);
      console.log(JSON.stringify(["git push --force", "-with", "-lease; git push --force", " origin main, now"].map((text) => cursor.feed(text).length)));
    `);
    // TTSR-4.2: not before the next characters are known.
    expect(found).toEqual([0, 0, 0, 1]);
    const { files, outside } = filesOf(resolve(ROOT, "dist/matcher.js"));
    expect([...outside].filter((name) => !name.startsWith("node:"))).toEqual([]);
    const text = [...files].map((file) => readFileSync(file, "utf8")).join("");
    for (const word of ["createAgentSession", "anthropic", "TTSR_AGENT_HOME", "sessions", "commander"]) {
      expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });

  it("nothing else of the package can be reached", async () => {
    const failed = await runPlainNode(`
      const failed = [];
      for (const path of ["ttsr-agent/dist/main.js", "ttsr-agent/src/sdk.ts"])
        await import(path).catch((error) => failed.push(error.code));
      console.log(JSON.stringify(failed));
    `);
    expect(failed).toEqual(["ERR_PACKAGE_PATH_NOT_EXPORTED", "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
  });
});

describe("TTSR-7.1 a program that embeds a session", () => {
  it("sees an interrupt in its subscriber, extension, hook and custom tool; a listener that throws or hangs changes nothing", async () => {
    const bad = callTool("write", { path: "bad.mjs", content: "export const f = (s) => eval(s);\n// more\n" });
    world = await World.open([bad, callTool("note", { text: "seen" }), say("Done.")]);
    const told = await runPlainNode(
      `
      import { createAgentSession } from "ttsr-agent";
      const told = { extension: [], hook: [], tool: [], subscriber: [] };
      const note = {
        name: "note", description: "Takes a note", readOnly: false, authored: [],
        parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        validate: (args) => ({ ok: true, value: args }),
        describe: async () => ({ kind: "other", title: "Take a note", paths: [] }),
        execute: async ({ text }) => { told.noted = text; return { content: [{ type: "text", text: "ok" }], isError: false }; },
        onSession: (news) => void told.tool.push(news.reason, ...(news.rules ?? []).map((rule) => rule.content.trim())),
      };
      const session = await createAgentSession({
        cwd: process.env.PROJECT, model: "openai-chat/m", trust: true, permissionMode: "yolo", session: { persist: false },
        customTools: [note],
        extensions: [
          { name: "throws", activate: (api) => api.on("ttsr_triggered", () => { throw new Error("broken extension"); }) },
          { name: "hangs", activate: (api) => api.on("ttsr_triggered", () => new Promise(() => {})) },
          { name: "looks", activate: (api) => api.on("ttsr_triggered", ({ rules }) => told.extension.push(...rules.map((rule) => rule.ttsrTrigger[0]))) },
        ],
      });
      session.hooks.on("ttsr_triggered", ({ rules }) => void told.hook.push(...rules.map(({ name }) => name)));
      session.subscribe((event) => { if (event.type.startsWith("ttsr") || event.type === "notice") told.subscriber.push(event.type); });
      const { status, text, ttsr } = await session.prompt("Go.");
      await session.dispose();
      console.log(JSON.stringify({ ...told, status, text, interrupts: ttsr.interrupts }));
    `,
      { HOME: world.root, TTSR_AGENT_HOME: world.config, TTSR_AGENT_STATE: world.state, PROJECT: world.project },
    );
    expect(told).toMatchObject({
      extension: ["\\beval\\s*\\("],
      hook: ["no-eval"],
      tool: ["start", "ttsr_triggered", "eval runs whatever text reaches it.", "end"],
      noted: "seen",
      status: "ok",
      text: "Done.",
      interrupts: 1,
    });
    // What the extension broke is reported, and comes in nobody's way.
    expect(told).toMatchObject({ subscriber: ["ttsr_triggered", "notice", "ttsr_retry"] });
    expect(world.server.requests).toHaveLength(3);
  });
});
