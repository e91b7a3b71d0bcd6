import { describe, expect, it } from "vitest";
import { textOf } from "../../src/agent/messages.js";
import { createAgentSession } from "../../src/sdk.js";
import { workspace } from "../discovery/workspace.js";
import { ScriptedModel } from "../support/scripted-model.js";

const read = (path: string) => ({ blocks: [{ call: "read", args: { path } }], reason: "toolUse" as const });
const DONE = { blocks: [{ text: "Done." }] };

describe("rules.md, rules without a trigger, from the file to the request", () => {
  it("are in the system prompt, listed there and read by path, or with the file that they are about", async () => {
    const space = workspace({
      "config/rules/releases.md": "---\ndescription: How releases are made\n---\nTag first.\n",
      "repo/.claude/rules/brief.md": "Be brief.\n",
      "repo/.cursor/rules/ts.mdc": "---\nglobs: *.ts\n---\nNo any.\n",
      "repo/src/a.ts": "export const a = 1;\n",
    });
    const listed = space.at("config/rules/releases.md");
    const model = new ScriptedModel([read("src/a.ts"), read(listed), DONE]);
    const session = await createAgentSession({
      cwd: space.repo,
      env: { PATH: process.env["PATH"], HOME: space.root },
      dirs: space.dirs,
      model,
      // Nobody is there to be asked: what is listed may be read all the same.
      permissionMode: "ask",
      trust: true,
      settings: ["ttsr.builtinRules=false"],
      session: { persist: false },
    });
    await session.prompt("go");
    await session.dispose();

    const system = model.requests[0]?.system ?? "";
    expect(system).toContain("# Rule brief\nBe brief.");
    expect(system).toContain(`- releases (${listed}): How releases are made`);
    expect(system).not.toContain("Tag first.");
    expect(system).not.toContain("No any.");

    const results = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "toolResult").map(textOf);
    expect(results[0]).toContain("No any.\n</system-rule>");
    expect(results[0]).toContain("export const a = 1;");
    expect(results[1]).toContain("Tag first.");
  });
});
