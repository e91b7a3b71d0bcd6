import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExtensionApi } from "../../src/extensibility/extensions/runner.js";
import { type AgentSession, createAgentSession, type Extension } from "../../src/sdk.js";
import { type ScriptedAnswer, ScriptedModel } from "../support/scripted-model.js";
import { eventually } from "../support/wait.js";

let root: string;
let session: AgentSession | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-extension-"));
  mkdirSync(join(root, "project"));
});
afterEach(async () => {
  await session?.dispose();
  rmSync(root, { recursive: true, force: true });
});

const text = (trigger: string): string => `---\nttsr_trigger: '${trigger}'\n---\nDo not.\n`;
const says = (said: string): ScriptedAnswer => ({ blocks: [{ text: said }] });

async function open(answers: ScriptedAnswer[], extension: Extension, settings: string[] = []) {
  session = await createAgentSession({
    cwd: join(root, "project"),
    env: {},
    dirs: { config: join(root, "config"), state: join(root, "state") },
    model: new ScriptedModel(answers),
    extensions: [extension],
    settings: ["ttsr.retryDelayMs=0", "ttsr.builtinRules=false", ...settings],
    session: { persist: false },
  });
  const fired: string[] = [];
  const told: string[] = [];
  session.subscribe((event) => {
    if (event.type === "ttsr_triggered") fired.push(...event.rules.map(({ name }) => name));
    if (event.type === "notice") told.push(event.message);
  });
  return { session, fired, told };
}

describe("rules of extensions (provider 85)", () => {
  it("that an extension ships hold from the first request on, below the user's own", async () => {
    mkdirSync(join(root, "shipped"));
    writeFileSync(join(root, "shipped", "no-eval.md"), text("eval\\("));
    writeFileSync(join(root, "shipped", "mine.md"), text("mine\\("));
    mkdirSync(join(root, "config", "rules"), { recursive: true });
    writeFileSync(join(root, "config", "rules", "mine.md"), text("own\\("));
    const { session: opened, fired } = await open([says("mine( eval( x"), says("own( x"), says("ok")], {
      name: "pack",
      activate: (api) => api.addRules({ folder: join(root, "shipped") }),
    });
    await opened.prompt("go");
    expect(fired).toEqual(["no-eval", "mine"]);
    expect(opened.rules().map(({ name, provider, state }) => [name, provider, state])).toEqual([
      ["mine", "user", "armed"],
      ["no-eval", "extension", "armed"],
      ["mine", "extension", "shadowed"],
    ]);
  });

  it("that it adds at run time hold at once, with a line that names them", async () => {
    let api: ExtensionApi | undefined;
    const {
      session: opened,
      fired,
      told,
    } = await open([says("late( x"), says("late( x"), says("ok")], {
      name: "late",
      activate: (given) => {
        api = given;
      },
    });
    await opened.prompt("one");
    api?.addRules({ name: "late", text: text("late\\(") });
    await opened.prompt("two");
    expect(told).toEqual(["Rules added late."]);
    expect(fired).toEqual(["late"]);
  });

  it("a broken one, and a folder that is not there, are told by name", async () => {
    const { told } = await open([], {
      name: "bad",
      activate: (api) => {
        api.addRules({ name: "broken", text: text("eval(") });
        api.addRules({ folder: join(root, "nowhere") });
      },
    });
    await eventually(() => expect(told).toHaveLength(3));
    expect(told).toEqual([
      "Rules added broken.",
      expect.stringMatching(/nowhere: the extension bad names it, and there is no such folder/),
      expect.stringMatching(/^bad:broken:2: /),
    ]);
  });
});
