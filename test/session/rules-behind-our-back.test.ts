import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { someGroupRuns } from "../../src/platform/process-groups.js";
import { createAgentSession } from "../../src/sdk.js";
import { ScriptedModel } from "../support/scripted-model.js";

const RULE = "---\nttsr_trigger: 'eval\\('\n---\nDo not.\n";

describe.skipIf(process.platform === "win32")("TTSR-1.7 what a command of the agent's does in the background", () => {
  it.each([
    ["in its own group", "(sleep 0.3; rm $d/no-eval.md) > /dev/null 2>&1 &"],
    ...(process.platform === "linux"
      ? [["and has left its group", "setsid sh -c 'sleep 0.3; rm $d/no-eval.md' > /dev/null 2>&1 &"]]
      : []),
  ])("is the agent's work: %s", async (_, command) => {
    const root = mkdtempSync(join(tmpdir(), "ttsr-behind-"));
    const cwd = join(root, "project");
    mkdirSync(join(cwd, ".git"), { recursive: true });
    mkdirSync(join(cwd, ".rules"));
    const file = join(cwd, ".rules", "no-eval.md");
    writeFileSync(file, RULE);
    const session = await createAgentSession({
      cwd,
      env: { PATH: process.env["PATH"], HOME: root },
      dirs: { config: join(root, "config"), state: join(root, "state") },
      model: new ScriptedModel([
        { blocks: [{ call: "bash", args: { command: `d=.ru; export d=\${d}les; ${command}` } }] },
        { blocks: [{ text: "done" }] },
        { blocks: [{ text: "I use eval( here" }] },
        { blocks: [{ text: "ok" }] },
        { blocks: [{ text: "I use exec( here" }] },
        { blocks: [{ text: "ok" }] },
      ]),
      permissionMode: "yolo",
      trust: true,
      settings: ["ttsr.retryDelayMs=0", "ttsr.builtinRules=false"],
      session: { persist: false },
    });
    onTestFinished(async () => {
      await session.dispose();
      rmSync(root, { recursive: true, force: true });
    });
    const fired: string[] = [];
    const notices: string[] = [];
    session.subscribe((event) => {
      if (event.type === "ttsr_triggered") fired.push(...event.rules.map(({ name }) => name));
      if (event.type === "notice") notices.push(event.message);
    });
    await session.prompt("one");
    await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 5_000 });
    await vi.waitFor(() => expect(someGroupRuns()).toBe(false), { timeout: 5_000 });
    await session.prompt("two");
    expect(notices).toEqual(["The agent deleted no-eval; in this session it still holds."]);
    expect(fired).toEqual(["no-eval"]);
    // Nothing runs on any more: what changes from here on is the user's.
    writeFileSync(join(cwd, ".rules", "no-exec.md"), RULE.replace("eval", "exec"));
    await session.prompt("three");
    expect(fired).toEqual(["no-eval", "no-exec"]);
  });
});
