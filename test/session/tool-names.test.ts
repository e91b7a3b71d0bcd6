import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings } from "../../src/config/settings.js";
import { checkFlagPatterns, checkSettingPatterns } from "../../src/session/tool-names.js";
import { fakeTool } from "../support/tools.js";

const TOOLS = ["read", "edit", "bash", "deploy_site"].map((name) => fakeTool(name));

describe("--allow and --deny name tools", () => {
  it.each([
    ["deny", "bsh", "did you mean bash?"],
    ["deny", "bsh(rm *)", "did you mean bash?"],
    ["allow", "frob", "the tools are read, edit, bash, deploy_site."],
    ["allow", "Bash", "did you mean bash?"],
    ["allow", "frob*", "the tools are"],
  ])("--%s %s is refused", (direction, pattern, advice) => {
    expect(() => checkFlagPatterns({ [direction]: ["read", pattern] }, TOOLS)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(
          `--${direction} names "${pattern.split("(")[0]}", which is no tool; ${advice}`,
        ),
      }),
    );
  });

  it.each(["bash", "BASH", "ba*", "*", "bash(rm *)", "deploy_site", "mcp__github__create_issue", "mcp:*", "mcp__x(a)"])(
    "--deny %s is taken",
    (pattern) => {
      expect(() => checkFlagPatterns({ deny: [pattern] }, TOOLS)).not.toThrow();
    },
  );
});

describe("permission.allow and .deny of the settings", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "ttsr-tool-names-"));
    mkdirSync(join(root, "config"));
    mkdirSync(join(root, "project", ".ttsr-agent"), { recursive: true });
    mkdirSync(join(root, "project", ".git"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const user = (text: string): void => writeFileSync(join(root, "config", "settings.yml"), text);
  const check = (overrides: string[] = []): string[] => {
    const dirs = { config: join(root, "config"), state: join(root, "state") };
    const loaded = loadSettings({ cwd: join(root, "project"), dirs, env: {}, overrides, trusted: true });
    return checkSettingPatterns(loaded, TOOLS).map(({ message }) => message);
  };

  it("one that fits no tool is remarked on with file and line, each in its own file", () => {
    user("thinking: low\npermission:\n  deny: [bsh, edit, mcp__x]\n");
    writeFileSync(join(root, "project", ".ttsr-agent", "settings.yml"), "permission: { deny: [raed] }\n");
    expect(check()).toEqual([
      `${root}/config/settings.yml:3: permission.deny names "bsh", which is no tool; did you mean bash?`,
      `${root}/project/.ttsr-agent/settings.yml:1: permission.deny names "raed", which is no tool; did you mean read?`,
    ]);
    expect(check(["permission.allow=reed"])[0]).toMatch(/^--set: permission\.allow names "reed"/);
  });

  it("one that cannot be read is told with its place", () => {
    user("permission:\n  allow: ['((']\n");
    expect(() => check()).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(`${root}/config/settings.yml:2: permission.allow "((" cannot be read`),
      }),
    );
  });
});
