/** `rules list` and `rules show` as they look in a terminal of 80 columns. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PtyProgram } from "../support/pty.js";

const LONG =
  "Every task of a call names the agent that does it, so that none is done by the one that happens to be free";
const RULES: Record<string, string> = {
  "name-the-agent": `description: ${LONG}
scope: tool:task
warmupMatches: 3
callCondition:
  required: [tasks]
  properties:
    tasks:
      contains:
        not: { required: [agent] }
        properties: { priority: { enum: [low, medium, high, urgent] } }`,
  loops: "description: No loops\ndetect: repetition\nscope: text",
  "src-only": "description: From the root\nttsr_trigger: foo\nglobs: packages/web/**\nscope: tool:write",
  bad: `description: Broken\nttsr_trigger: 'foo${"o".repeat(60)}('`,
};

let root: string;
let cwd: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-columns-"));
  cwd = join(root, "project/packages/web");
  mkdirSync(join(root, "project/.git"), { recursive: true });
  mkdirSync(join(root, "project/.rules"), { recursive: true });
  mkdirSync(cwd, { recursive: true });
  for (const [name, front] of Object.entries(RULES)) {
    writeFileSync(join(root, `project/.rules/${name}.md`), `---\n${front}\n---\nText.\n`);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function rowsOf(...args: string[]): Promise<string[]> {
  const env = { HOME: root, TTSR_AGENT_HOME: join(root, "c"), TTSR_AGENT_STATE: join(root, "s") };
  const program = new PtyProgram({ args: ["rules", ...args], cwd, env });
  await program.untilExit();
  // Not the rows of the screen: what is too wide would be wrapped there.
  return program.raw.replaceAll("\r", "").split("\n");
}

describe("rules list in 80 columns", () => {
  it("a rule that acts has one row; why one is broken is told whole", async () => {
    const rows = await rowsOf("list", "--trust");
    const row = (name: string): string => rows.find((each) => each.includes(` ${name} `)) ?? "";
    expect(row("name-the-agent")).toMatch(/ {2}Every task of a call .*…$/);
    expect(row("loops")).toMatch(/No loops$/);
    expect(row("bad").length).toBeGreaterThan(80);
    for (const name of ["name-the-agent", "loops", "src-only", "prose/repetition"]) {
      expect(row(name).length, name).toBeGreaterThan(0);
      expect(row(name).length, name).toBeLessThanOrEqual(80);
    }
  });
});

describe("rules show in 80 columns", () => {
  it("a schema is set on lines that fit, and the warm-up is a sentence", async () => {
    const rows = await rowsOf("show", "name-the-agent");
    const from = rows.indexOf("fires on: {");
    expect(rows.slice(from, from + 5)).toEqual([
      "fires on: {",
      '            "required": ["tasks"],',
      '            "properties": {',
      '              "tasks": {',
      '                "contains": {',
    ]);
    expect(rows).toContain("warm-up:  acts from occurrence 3 of a conversation on; those before only count");
    for (const row of rows.filter((each) => /^(?:fires on| {10}|warm-up)/.test(each))) {
      expect(row.length).toBeLessThanOrEqual(80);
    }
  });

  it("what repeats, one clause a row; examples that hold have a row each", async () => {
    const rows = await rowsOf("show", "prose/repetition");
    const own = rows.slice(rows.indexOf("looks at: text, thinking")).filter((row) => /^(?: |fires)/.test(row));
    expect(own).toContain("          when 8 of the last 12 paragraphs are like an earlier one,");
    expect(own.filter((row) => row.startsWith("  ok ")).length).toBeGreaterThan(5);
    for (const row of own) expect(row.length, row).toBeLessThanOrEqual(80);
  });

  it("patterns of files say from which folder they count, where it is another", async () => {
    expect(await rowsOf("show", "src-only")).toContain(
      "looks at: tool:write; files packages/web/** (counted from ../..)",
    );
  });
});
