/** docs/rules.md, typed from the first line to the last: its files are written, its commands run, and what they print is what it says. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN } from "../support/program.js";
import { PATIENCE_MS } from "../support/wait.js";

const DOC = readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8");

interface Snippet {
  language: string;
  text: string;
  /** The file that it is, where the line before says so. */
  file: string | undefined;
  /** The nearest heading. */
  under: string;
}

const SNIPPETS: readonly Snippet[] = [...DOC.matchAll(/(?:In `([^`]+)`:\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ({ index, 1: file, 2: language = "", 3: text = "" }) => {
    const under = [...DOC.slice(0, index).matchAll(/^##? (.*)$/gm)].at(-1)?.[1] ?? "";
    return { language, text, file, under };
  },
);

interface Step {
  command: string;
  printed: string;
}

/** A command begins with `$ `; what stands below it is what it prints. */
function stepsOf(text: string): Step[] {
  const steps = text.split(/^\$ /m).slice(1);
  return steps.map((step) => {
    const end = step.indexOf("\n");
    return { command: step.slice(0, end), printed: step.slice(end + 1) };
  });
}

/** How wide a column is depends on the rules that come with the program. */
function narrow(text: string): string {
  return text.replaceAll(/(?<=\S) {2,}/g, "  ");
}

let root: string;
let project: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-docs-"));
  project = join(root, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(root, "bin"));
  for (const [name, script] of [
    ["ttsr-agent", `exec "${process.execPath}" "${BIN}" "$@"`],
    ["npx", 'exec "$@"'],
  ] as const) {
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, "bin", name), 0o755);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(command: string): { status: number | null; printed: string } {
  const { stdout, stderr, status } = spawnSync("sh", ["-c", command], {
    cwd: project,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    env: {
      PATH: `${join(root, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
      HOME: root,
      TTSR_AGENT_HOME: join(root, "config"),
      TTSR_AGENT_STATE: join(root, "state"),
    },
  });
  // How long it took, and where this machine keeps its files, is no part of the page.
  const plain = (stdout + stderr).replaceAll(root, "/home/me").replaceAll(/\b\d+\.\d s\b/g, "0.1 s");
  return { status, printed: plain.replaceAll(/[ \t]+$/gm, "") };
}

describe("docs/rules.md", () => {
  it("has files and commands, and nothing that is not tried", () => {
    expect(SNIPPETS.length).toBeGreaterThan(25);
    expect(DOC.match(/^```/gm)).toHaveLength(SNIPPETS.length * 2);
    for (const { language, file, text } of SNIPPETS) {
      if (language === "console") expect(stepsOf(text).length).toBeGreaterThan(0);
      else expect([text, file]).toEqual([text, expect.any(String)]);
    }
  });

  for (const [index, { language, file = "", text, under }] of SNIPPETS.entries()) {
    const name = `${index + 1}, ${under}`;
    if (language === "console") {
      for (const { command, printed } of stepsOf(text))
        it(`${name}: ${command}`, () => expect(narrow(run(command).printed)).toBe(narrow(printed)));
      continue;
    }
    it(`${name}: ${file}`, () => {
      const path = join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      // What a workflow runs is run. The scan finds what the page has put there.
      for (const [, command = ""] of text.matchAll(/^ *- run: (.*)$/gm))
        expect([command, run(command).status]).toEqual([command, command.includes(" scan ") ? 6 : 0]);
    });
  }

  it("every rule of it is in order when all is done", () => {
    const { status, printed } = run("ttsr-agent rules check");
    expect([status, printed]).toEqual([0, expect.stringMatching(/^\d+ rules: \d+ ok, 0 with warnings, 0 broken\.\n$/)]);
  });

  it("README leads to it", () => {
    expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain("](docs/rules.md)");
  });
});
