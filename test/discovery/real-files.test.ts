import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCapability } from "../../src/capability/index.js";
import type { Rule } from "../../src/capability/rule.js";
import { registerRuleProviders } from "../../src/discovery/index.js";
import { readRuleFile } from "../../src/discovery/rule-file.js";
import { workspace } from "./workspace.js";

registerRuleProviders();

const shared = process.env["TTSR_SHARED"] ?? join(import.meta.dirname, "../../../shared");
const folder = join(shared, "rulefiles");
const here = existsSync(folder);
if (!here)
  console.warn(`Real rule files: skipped, no ${folder}; set TTSR_SHARED to the folder that holds "rulefiles".`);

interface Expected {
  alwaysApply: boolean;
  globs: string[];
  /** How it begins; undefined: there is none. */
  description?: string;
  /** Why its tool leaves it out. */
  off?: string;
  /** Keys that had to be repaired, `file line key`. */
  repaired?: string;
}

/** By the number of the file: where it stands in its repository, who finds it, and what each tool's documentation says of its keys. */
const TABLE: [number, string, string, Expected][] = [
  [
    1,
    ".cursor/rules/new-features-planning.mdc",
    "cursor:new-features-planning",
    { alwaysApply: true, globs: ["*.py"], description: "when asked to implement", repaired: "3 globs" },
  ],
  [
    2,
    ".cursor/rules/documentation-sync.mdc",
    "cursor:documentation-sync",
    { alwaysApply: true, globs: ["*.py", "*.md"], description: "when making code changes" },
  ],
  [3, ".cursor/rules/working-with-rules.mdc", "cursor:working-with-rules", { alwaysApply: true, globs: [] }],
  [
    4,
    ".cursor/rules/suggestions-development.mdc",
    "cursor:suggestions-development",
    { alwaysApply: false, globs: [], description: "When working with suggesitons" },
  ],
  [5, ".cursor/rules/general.mdc", "cursor:general", { alwaysApply: true, globs: [] }],
  [
    7,
    ".cursor/rules/repo-structure.mdc",
    "cursor:repo-structure",
    {
      alwaysApply: false,
      description: "dd-trace-py repository structure",
      globs: [
        "ddtrace/internal/**",
        "ddtrace/internal/periodic.py",
        "ddtrace/internal/threads.py",
        "ddtrace/internal/forksafe.py",
        "ddtrace/internal/_threads.cpp",
      ],
    },
  ],
  [
    8,
    ".cursor/rules/fastapi.mdc",
    "cursor:fastapi",
    {
      alwaysApply: false,
      globs: ["**/*.py", "app/**/*.py", "api/**/*.py"],
      description: "FastAPI best",
      repaired: "3 globs",
    },
  ],
  [
    9,
    ".cursor/rules/docker.mdc",
    "cursor:docker",
    {
      alwaysApply: false,
      description: "Docker production rules.",
      globs: ["Dockerfile", "Dockerfile.*", "docker-compose*.yml", "docker-compose*.yaml", ".dockerignore"],
    },
  ],
  [
    10,
    ".cursor/rules/beefreeSDK.mdc",
    "cursor:beefreeSDK",
    { alwaysApply: false, globs: ["**/*.{ts,tsx,js,jsx,html,css}"], description: "Guidelines", repaired: "3 globs" },
  ],
  [13, ".clinerules/network.md", "cline:network", { alwaysApply: true, globs: [] }],
  [
    14,
    ".continue/rules/continue-specificity.md",
    "continue:continue-specificity",
    { alwaysApply: false, globs: ["/**/*."], description: "General questions" },
  ],
  [
    15,
    ".continue/rules/documentation-standards.md",
    "continue:documentation-standards",
    { alwaysApply: false, globs: ["docs/\\*_/_.{md,mdx}"], description: "This style guide" },
  ],
  [
    16,
    ".continue/rules/documentation-description-rule.md",
    "continue:documentation-description-rule",
    { alwaysApply: false, globs: ["docs/**/*.{md,mdx}"], description: "This rule applies" },
  ],
  [17, ".continue/rules/no-any-types.md", "continue:no-any-types", { alwaysApply: false, globs: ["**/*.{ts,tsx}"] }],
  [
    18,
    ".github/instructions/safety.instructions.md",
    "copilot:safety",
    { alwaysApply: true, globs: ["*"], description: "Comprehensive best practices" },
  ],
  [
    19,
    ".github/instructions/review.instructions.md",
    "copilot:review",
    { alwaysApply: false, globs: ["**"], description: "Generic code review", off: "excludeAgent: coding-agent" },
  ],
  [29, ".windsurfrules", "windsurf:windsurfrules", { alwaysApply: true, globs: [] }],
  [
    31,
    ".cursor/rules/general-typescript.mdc",
    "cursor:general-typescript",
    { alwaysApply: false, globs: ["**/*.{ts,tsx,js,jsx}"], description: "General rules", repaired: "3 globs" },
  ],
  [
    32,
    ".windsurf/rules/typescript.md",
    "windsurf:typescript",
    { alwaysApply: false, globs: ["*.ts", "*.tsx"], repaired: "3 globs" },
  ],
  [
    33,
    ".windsurf/rules/typescript.md",
    "windsurf:typescript",
    { alwaysApply: false, globs: [], description: "Enforces best practices", repaired: "4 globs" },
  ],
  [36, ".windsurf/rules/typescript.md", "windsurf:typescript", { alwaysApply: false, globs: ["src/ui/**/*.ts"] }],
  [37, ".cursor/rules/csharp.mdc", "cursor:csharp", { alwaysApply: false, globs: [], off: "Cursor uses it only when" }],
  [
    39,
    ".cursor/rules/tabs.mdc",
    "cursor:tabs",
    {
      alwaysApply: false,
      description: "Mantén coordinados",
      repaired: "5 globs",
      globs: ["backend/app/**/*.py", "frontend/src/**/*.ts", "frontend/src/**/*.tsx"],
    },
  ],
];

const names = here ? readdirSync(folder).filter((name) => /^\d\d-/.test(name)) : [];
const fileOf = (number: number): string =>
  names.find((name) => name.startsWith(String(number).padStart(2, "0"))) ?? `no file ${number}`;

async function find(path: string, text: string) {
  const space = workspace({ [`repo/${path}`]: text });
  return loadCapability("rules", { cwd: space.repo, dirs: space.dirs, builtinRules: false, trusted: true });
}

/** The ways in which a file is changed on its way, and means the same. */
const VARIANTS: [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["with a byte order mark", (text) => `\uFEFF${text}`],
  ["with CRLF", (text) => text.replaceAll("\n", "\r\n")],
  ["without end fence", (text) => text.replace(/\n---(?=\n|$)/, "\n")],
];

describe.skipIf(!here)("rule files as people write them", () => {
  it("all 30 parse: none throws, none is broken", () => {
    expect(names).toHaveLength(30);
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      expect(readRuleFile({ path: name, name: "r", provider: "project", bytes }).broken, name).toBeUndefined();
    }
  });

  for (const [variant, change] of VARIANTS) {
    it.each(TABLE)(`%i ${variant}: %s`, async (number, path, origin, expected) => {
      const text = readFileSync(join(folder, fileOf(number)), "utf8");
      // Where nothing but text stands, there is no fence to lose.
      const set = await find(path, change(text));
      const rules: [Rule, string?][] = [
        ...set.items.map((rule): [Rule] => [rule]),
        ...set.off.map(({ rule, reason }): [Rule, string] => [rule, reason]),
      ];
      expect(rules).toHaveLength(1);
      const [rule, off] = rules[0] ?? [];
      expect(`${rule?.provider}:${rule?.name}`).toBe(origin);
      expect(rule?.globs).toEqual(expected.globs);
      expect(rule?.alwaysApply ?? false).toBe(expected.alwaysApply);
      expect(rule?.description?.startsWith(expected.description ?? "none") ?? expected.description === undefined).toBe(
        true,
      );
      expect(off?.startsWith(expected.off ?? "on") ?? expected.off === undefined).toBe(true);
      expect(rule?.content).not.toMatch(/^---|\r/);
      const repairs = set.diagnostics
        .filter(({ code }) => code === "repaired")
        .map(({ line, message }) => `${line} ${/"(\w+)"/.exec(message)?.[1]}`);
      expect(repairs).toEqual(expected.repaired === undefined ? [] : [expected.repaired]);
    });
  }

  it("files that stand where no tool looks for rules are not taken for some", async () => {
    for (const [number, path] of [
      [6, "docs/.cursor/rules.mdc"],
      [12, "sdk/AGENTS.md"],
      [24, ".claude/agents/analysis/analyze-code-quality.md"],
      [25, ".claude/commands/openspec/proposal.md"],
      [27, ".openhands/microagents/documentation.md"],
      [28, ".claude/commands/add-claude-rule.md"],
      [30, "AGENTS.md"],
    ] as const) {
      const set = await find(path, readFileSync(join(folder, fileOf(number)), "utf8"));
      expect([set.items, set.off, set.broken].flat(), path).toEqual([]);
    }
  });
});
