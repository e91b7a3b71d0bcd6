/** What people, scripts and code hosts get of `ttsr-agent rules scan`, over a tree with all that a tree may hold. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN } from "../support/program.js";
import { PATIENCE_MS } from "../support/wait.js";

const FOUND = "eval(x)\n";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-scan-"));
  const put = (name: string, text: string | Buffer): void => {
    mkdirSync(join(root, "project", name, ".."), { recursive: true });
    writeFileSync(join(root, "project", name), text);
  };
  put(".git/HEAD", "ref: refs/heads/main\n");
  const rule = "ttsr_trigger: '\\beval\\('\nscope: tool:write\ndescription: Runs text.\nseverity: error";
  put(".rules/no-eval.md", `---\n${rule}\nexamples: { fire: ['eval(x)'] }\n---\nParse it.\n`);
  put(".rules/quiet.md", "---\nttsr_trigger: '\\bparse\\('\nscope: tool:write\nobserve: true\n---\nText.\n");
  put(".gitignore", "ignored.ts\n");
  put("ignored.ts", FOUND);
  put("src/a.ts", `parse(1);\n\tconst y = ${FOUND}`);
  put("src/two\nlines.ts", FOUND);
  put(".hidden/marked.ts", `\uFEFF${FOUND}`);
  put("binary.ts", `${FOUND}\0`);
  put("large.ts", FOUND.repeat(200_000));
  put(join(...Array.from({ length: 200 }, () => "deep"), "b.ts"), FOUND);
  symlinkSync("src/a.ts", join(root, "project/link.ts"));
  symlinkSync(".", join(root, "project/loop"));
  symlinkSync("nowhere", join(root, "project/dangling.ts"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function scan(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "rules", "scan", ...args], {
    cwd: join(root, "project"),
    encoding: "utf8",
    timeout: PATIENCE_MS,
    env: { PATH: process.env["PATH"], HOME: root, TTSR_AGENT_HOME: join(root, "c"), TTSR_AGENT_STATE: join(root, "s") },
  });
  expect([status, stderr]).toEqual([6, ""]);
  return stdout;
}

const DEEP = `${"deep/".repeat(200)}b.ts`;

describe("rules scan", () => {
  it("one hit a line, and what was not looked at", () => {
    const [last, ...others] = scan("--only", "no-eval").trim().split("\n").reverse();
    expect(last).toBe("Left out: 2 rule files, 1 binary, 1 too large (more than 1 MB).");
    expect(others.reverse().map((line) => line.replace(/, \d+\.\d s\.$/, ""))).toEqual([
      ".hidden/marked.ts:1:1: no-eval: eval(",
      `${DEEP}:1:1: no-eval: eval(`,
      "src/a.ts:2:12: no-eval: const y = eval(",
      "src/two\\nlines.ts:1:1: no-eval: eval(",
      "4 hits in 5 files",
    ]);
  });

  it("of files and folders that are named, each once", () => {
    const found = scan("src/a.ts", "src", "ignored.ts", "--only", "no-eval").split("\n");
    expect(found.map((line) => line.split(": ")[0]?.replace(/, \d+\.\d s\.$/, ""))).toEqual([
      "ignored.ts:1:1",
      "src/a.ts:2:12",
      "src/two\\nlines.ts:1:1",
      "3 hits in 3 files",
      "",
    ]);
  });

  it("the same as JSON, and how often rules that only observe would have spoken", () => {
    const json = JSON.parse(scan("--json")) as { hits: unknown[]; observed: unknown; leftOut: unknown };
    expect(json.hits).toHaveLength(4);
    expect(json.hits).toContainEqual({
      rule: "no-eval",
      path: "src/two\nlines.ts",
      line: 1,
      column: 1,
      excerpt: "eval(",
      severity: "error",
    });
    expect([json.observed, json.leftOut]).toEqual([{ quiet: 1 }, { rules: 2, binary: 1, large: 1 }]);
  });

  it("and as SARIF", () => {
    const sarif = JSON.parse(scan("src", "--format", "sarif")) as { runs: { results: unknown[] }[] };
    const uris = ["src/a.ts", "src/two%0Alines.ts"];
    expect(sarif.runs[0]?.results).toEqual(
      uris.map((uri, index) => ({
        ruleId: "no-eval",
        ruleIndex: 0,
        level: "error",
        message: { text: "Runs text." },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri },
              region:
                index === 0
                  ? { startLine: 2, startColumn: 12, endLine: 2 }
                  : { startLine: 1, startColumn: 1, endLine: 1 },
            },
          },
        ],
      })),
    );
  });

  it.runIf(process.platform === "linux")("counts a file whose name cannot be said", () => {
    const name = Buffer.concat([Buffer.from(join(root, "project/src/")), Buffer.from([0xff])]);
    writeFileSync(name, FOUND);
    expect(scan("src")).toContain("Left out: 1 that could not be read.");
    rmSync(name);
  });
});
