import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { callTool, say } from "../server/index.js";
import { World } from "../support/program.js";

let world: World;
afterEach(() => world.close());

const RULE = "---\nttsr_trigger: '\\beval\\s*\\('\nscope: tool:write, tool:edit\n---\nWrite a parser.\n";
const RUN = ["-p", "--trust", "--no-builtin-rules", "-m", "anthropic-messages/m", "--permission-mode", "yolo"];
const WRITES = callTool("bash", { command: "printf 'a\\neval(x)\\n' > gen.js" });

describe("rules hold for what was really written", () => {
  it("a redirect that breaks a rule is told with file and line, and fails a run that asks for it", async () => {
    world = await World.open([WRITES, say("Done."), WRITES, say("Done."), WRITES, say("Done.")], {
      ".rules/no-eval.md": RULE,
    });
    execFileSync("git", ["init", "-q"], { cwd: world.project });
    const plain = await world.run([...RUN, "go"]);
    expect(plain).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(plain.stderr).toContain("rule ✗ no-eval  gen.js:2: eval(");

    execFileSync("rm", ["gen.js"], { cwd: world.project });
    const strict = await world.run([...RUN, "--fail-on-violation", "--output-format", "json", "go"]);
    expect(strict.code).toBe(6);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      status: "ok",
      ttsr: {
        interrupts: 0,
        audit: [{ rule: "no-eval", path: "gen.js", line: 2, excerpt: "eval(", severity: "warning" }],
        unheeded: [],
      },
    });

    execFileSync("rm", ["gen.js"], { cwd: world.project });
    const events = (await world.run([...RUN, "--output-format", "stream-json", "go"])).events();
    expect(events.slice(-3).map(({ type }) => type)).toEqual(["agent_end", "ttsr_audit", "result"]);
  });
});
