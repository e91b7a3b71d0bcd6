import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { settingsJsonSchema } from "../../src/config/json-schema.js";
import { variableOf } from "../../src/config/layers.js";
import { settingKeys } from "../../src/config/schema.js";
import {
  loadSettings,
  projectSettingsFile,
  type SettingsContext,
  userSettingsFile,
} from "../../src/config/settings.js";
import { parseYaml } from "../../src/platform/yaml.js";
import { workspace } from "../discovery/workspace.js";

function settings(files: { user?: string; project?: string } = {}, more: Partial<SettingsContext> = {}) {
  const space = workspace();
  if (files.user !== undefined) space.write("config/settings.yml", files.user);
  if (files.project !== undefined) space.write("repo/.ttsr-agent/settings.yml", files.project);
  const load = () => loadSettings({ cwd: space.repo, dirs: space.dirs, env: {}, ...more });
  return {
    space,
    load,
    userFile: space.at("config/settings.yml"),
    projectFile: space.at("repo/.ttsr-agent/settings.yml"),
  };
}

describe("the table of settings", () => {
  it("has every key of the contract with its default", () => {
    expect(settings().load().settings).toEqual({
      thinking: "off",
      permission: { mode: "ask", allow: [], deny: [] },
      ttsr: {
        enabled: true,
        builtinRules: true,
        disabledRules: [],
        contextMode: "discard",
        repeatMode: "always",
        repeatGap: 10,
        interruptMode: "always",
        retryDelayMs: 50,
        budget: { perRule: 2, perRun: 5, perSession: 20 },
      },
      retry: { maxAttempts: 4, baseDelayMs: 500 },
      timeouts: { firstEventMs: 90_000, idleMs: 60_000 },
      compaction: { auto: true, threshold: 0.85 },
      bash: { timeoutSeconds: 120, sandbox: "auto" },
      session: { fsync: true },
      tui: { theme: "auto", flushMs: 33, screenReader: false, reducedMotion: false },
    });
  });

  it("every key says what it wants", () => {
    expect(Object.fromEntries([...settingKeys().values()].map(({ key, wanted }) => [key, wanted]))).toMatchObject({
      model: "a text",
      thinking: "one of off, minimal, low, medium, high, xhigh",
      "permission.deny": "a list of texts",
      "ttsr.enabled": "true or false",
      "ttsr.budget.perRun": "a whole number from 0 to 1000",
      "compaction.threshold": "a number from 0.1 to 1",
    });
  });

  it.each(["", "# nothing\n", "---\n", "ttsr:\n", "ttsr:\n  contextMode:\n", "\ufeff"])(
    "an empty file is fine: %j",
    (user) => {
      expect(settings({ user }).load().settings).toEqual(settings().load().settings);
    },
  );

  it("is published as a JSON schema that takes what we take", async () => {
    const validate = new Ajv({ strict: false }).compile((await settingsJsonSchema()) as object);
    for (const [text, good] of [
      ["model: a/b\nttsr: { budget: { perRun: 0 } }", true],
      ["{}", true],
      ["ttsr: { contextMode: keeep }", false],
      ["tttsr: {}", false],
      ["retry: { maxAttempts: 1.5 }", false],
    ] as const) {
      expect([text, validate(parseYaml(text).value)]).toEqual([text, good]);
    }
  });
});

describe("precedence: flags > environment > project > user > defaults", () => {
  const user = "model: user/u\nttsr:\n  contextMode: keep\n  budget: { perRun: 1 }\n";
  const project = "model: project/p\nttsr: { budget: { perRun: 2, perRule: 1 } }\n";
  const env = { TTSR_AGENT_MODEL: "env/e", TTSR_AGENT_TTSR_BUDGET_PER_RUN: "3", TTSR_AGENT_THINKING: "" };

  it("each layer wins over the ones below, key by key", () => {
    const model = (more: Partial<SettingsContext>) => settings({ user, project }, more).load().settings.model;
    expect(model({ trusted: true, env, overrides: ["model=flag/f", "model=flag/last"] })).toBe("flag/last");
    expect(model({ trusted: true, env })).toBe("env/e");
    expect(model({ trusted: true })).toBe("project/p");
    expect(model({})).toBe("user/u");
    const all = settings({ user, project }, { trusted: true, env }).load().settings;
    expect(all.ttsr).toMatchObject({ contextMode: "keep", budget: { perRule: 1, perRun: 3, perSession: 20 } });
  });

  it("getWithOrigin says where each value came from", () => {
    const { load, userFile, projectFile } = settings(
      { user, project },
      { trusted: true, env, overrides: ["thinking=high"] },
    );
    const loaded = load();
    expect(loaded.getWithOrigin("thinking")).toEqual({ value: "high", origin: { from: "flag" } });
    expect(loaded.getWithOrigin("model")).toEqual({
      value: "env/e",
      origin: { from: "environment", variable: "TTSR_AGENT_MODEL" },
    });
    expect(loaded.getWithOrigin("ttsr.budget.perRule")).toEqual({
      value: 1,
      origin: { from: "project", file: projectFile, line: 2 },
    });
    expect(loaded.getWithOrigin("ttsr.contextMode")).toEqual({
      value: "keep",
      origin: { from: "user", file: userFile, line: 3 },
    });
    expect(loaded.getWithOrigin("retry.maxAttempts")).toEqual({ value: 4, origin: { from: "default" } });
    expect([...loaded.all().keys()]).toEqual([...settingKeys().keys()]);
    expect(() => loaded.getWithOrigin("retry.maxAttempt")).toThrow(
      'config: unknown setting "retry.maxAttempt". Did you mean "retry.maxAttempts"?',
    );
  });

  it("dotted keys in a file are the same keys", () => {
    expect(
      settings({ user: "ttsr.contextMode: keep\nttsr.budget: { perRun: 9 }\n" }).load().settings.ttsr,
    ).toMatchObject({ contextMode: "keep", budget: { perRun: 9 } });
  });

  it("`--set` reads numbers, booleans and lists", () => {
    const { ttsr, permission, model, bash } = settings(
      {},
      {
        overrides: [
          "ttsr.enabled=false",
          "ttsr.retryDelayMs=0",
          "ttsr.disabledRules=a,b/c",
          "permission.allow=[read, 'bash(git *)']",
          "permission.deny=bash(git push, *),write",
          "model=openai/gpt:high=x",
          "bash.timeoutSeconds=1.5",
        ],
      },
    ).load().settings;
    expect(ttsr).toMatchObject({ enabled: false, retryDelayMs: 0, disabledRules: ["a", "b/c"] });
    expect(permission).toMatchObject({ allow: ["read", "bash(git *)"], deny: ["bash(git push, *)", "write"] });
    expect([model, bash.timeoutSeconds]).toEqual(["openai/gpt:high=x", 1.5]);
  });

  it("every key has its own variable", () => {
    expect(variableOf("ttsr.budget.perRun")).toBe("TTSR_AGENT_TTSR_BUDGET_PER_RUN");
    const variables = [...settingKeys().keys()].map(variableOf);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).not.toContain("TTSR_AGENT_HOME");
    expect(variables).not.toContain("TTSR_AGENT_STATE");
  });

  it("the files are where the contract says", () => {
    const { space, userFile, projectFile } = settings();
    space.write("repo/app/x", "");
    expect(userSettingsFile(space.dirs)).toBe(userFile);
    expect(projectSettingsFile(space.at("repo/app"))).toBe(projectFile);
  });
});

describe("S1 S3 settings of a repository", () => {
  it("untrusted: not even opened, and said once", () => {
    const { load, projectFile } = settings({ project: "permission: { mode: yolo }\n][ not yaml" });
    const { settings: loaded, notices } = load();
    expect(loaded.permission.mode).toBe("ask");
    expect(notices).toEqual([
      {
        code: "project-settings-untrusted",
        message: `project settings ignored: ${projectFile}: this folder is not trusted.`,
      },
    ]);
  });

  it("trusted: model, thinking, permission.deny, and ttsr.* except enabled: false; the rest is ignored by name", () => {
    const project = [
      "model: p/m",
      "thinking: low",
      "permission:",
      "  mode: yolo",
      "  allow: ['bash(*)']",
      "  deny: [write]",
      "ttsr:",
      "  enabled: false",
      "  contextMode: keep",
      "retry: { maxAttempts: 0 }",
      "bash: { sandbox: off }",
    ].join("\n");
    const { load, projectFile } = settings({ project }, { trusted: true });
    const { settings: loaded, notices } = load();
    expect(loaded).toMatchObject({
      model: "p/m",
      thinking: "low",
      permission: { mode: "ask", allow: [], deny: ["write"] },
    });
    expect(loaded.ttsr).toMatchObject({ enabled: true, contextMode: "keep" });
    expect(loaded.retry.maxAttempts).toBe(4);
    expect(notices.map(({ message }) => message)).toEqual(
      [
        [4, "permission.mode"],
        [5, "permission.allow"],
        [8, "ttsr.enabled"],
        [10, "retry.maxAttempts"],
        [11, "bash.sandbox"],
      ].map(
        ([line, key]) => `project setting ignored: ${projectFile}:${line}: only the user may set "${key}" this way.`,
      ),
    );
  });

  it("`ttsr.enabled: true` is allowed, any word for false is not", () => {
    expect(settings({ project: "ttsr: { enabled: true }" }, { trusted: true }).load().notices).toEqual([]);
    const { load } = settings({ project: "ttsr: { enabled: 0 }" }, { trusted: true });
    expect(load).toThrow('"ttsr.enabled" must be true or false, not 0.');
  });

  it("what holds without the project's file is known too, for rules that are not the project's", () => {
    const user = "ttsr: { repeatGap: 7, interruptMode: tool-only }";
    const project = "ttsr: { interruptMode: never, contextMode: keep, budget: { perRule: 0 }, disabledRules: [mine] }";
    const { settings: all, ownTtsr } = settings(
      { user, project },
      { trusted: true, overrides: ["ttsr.retryDelayMs=9"] },
    ).load();
    const both = { repeatGap: 7, retryDelayMs: 9 };
    expect(all.ttsr).toMatchObject({ ...both, interruptMode: "never", contextMode: "keep", budget: { perRule: 0 } });
    expect(ownTtsr).toMatchObject({
      ...both,
      interruptMode: "tool-only",
      contextMode: "discard",
      budget: { perRule: 2 },
    });
    expect([all.ttsr.disabledRules, ownTtsr.disabledRules]).toEqual([["mine"], []]);
  });

  it("the bundled rules are the user's to switch off", () => {
    const { load, projectFile } = settings({ project: "ttsr: { builtinRules: false }" }, { trusted: true });
    expect(load().settings.ttsr.builtinRules).toBe(true);
    expect(load().notices.map(({ message }) => message)).toEqual([
      `project setting ignored: ${projectFile}:1: only the user may set "ttsr.builtinRules" this way.`,
    ]);
  });

  it("S5 denials add up: a project can empty nobody's list, nor can the user lose sight of the project's", () => {
    const deny = (project: string, more: Partial<SettingsContext> = {}) =>
      settings({ user: "permission: { deny: [a, b] }", project }, { trusted: true, ...more }).load().settings.permission
        .deny;
    expect(deny("permission: { deny: [] }")).toEqual(["a", "b"]);
    expect(deny("permission: { deny: [b, c] }")).toEqual(["a", "b", "c"]);
    expect(deny("permission: { deny: [c] }", { overrides: ["permission.deny=d"] })).toEqual(["d", "c"]);
  });
});

describe("bad settings end with exit 2, with file and line", () => {
  it.each([
    ["tsr: {}", ':1: unknown setting "tsr".'],
    ["ttsr:\n  contextmode: keep", ':2: unknown setting "ttsr.contextmode". Did you mean "ttsr.contextMode"?'],
    ["contextMode: keep", ':1: unknown setting "contextMode". Did you mean "ttsr.contextMode"?'],
    ["a: 1\n", ':1: unknown setting "a". `ttsr-agent config schema` lists all settings.'],
    [
      "model: x\nttsr:\n  contextMode: kep",
      ':3: "ttsr.contextMode" must be one of discard, keep, rewind, not "kep". Did you mean "keep"?',
    ],
    ["ttsr:\n  retryDelayMs: '50'", ':2: "ttsr.retryDelayMs" must be a whole number from 0 to 60000, not "50".'],
    ["ttsr:\n  enabled: yes", ':2: "ttsr.enabled" must be true or false, not "yes".'],
    ["permission:\n  allow: read", ':2: "permission.allow" must be a list of texts, not "read".'],
    ["permission:\n  allow: [1]", ':2: "permission.allow" must be a list of texts, not [1].'],
    ["retry: 3", ':1: "retry" is a group; write its keys below it: maxAttempts, baseDelayMs.'],
    ["ttsr:\n  budget: 3", ':2: "ttsr.budget" is a group; write its keys below it: perRule, perRun, perSession.'],
    ["- a\n", ':1: settings are keys and values, e.g. "thinking: high".'],
    ["model: a\nmodel: b", ":2: this is not valid YAML: Map keys must be unique."],
    ["model: a\nttsr: {\n", ":3: this is not valid YAML: "],
    ["model: *x", ':1: this is not valid YAML: "*x" is an alias, and nothing has that name.'],
    [`model: ${"[".repeat(60_000)}`, ":1: this is not valid YAML: nested deeper than 256 brackets."],
    ["__proto__: { ttsr: 1 }", ':1: unknown setting "__proto__".'],
    ["constructor: 1", ':1: unknown setting "constructor".'],
    ["ttsr:\n  __proto__: 1", ':2: unknown setting "ttsr.__proto__".'],
    [`# ${"x".repeat(66_000)}`, '" has 66002 bytes, more than the 65536 that fit here.'],
    ["model: a\u0000b\u0000", ": this is no UTF-8 text ("],
  ])("%j", (user, expected) => {
    const { load, userFile } = settings({ user });
    const message = expect.stringContaining(userFile + expected);
    expect(load).toThrow(expect.objectContaining({ name: "UserError", exitCode: 2, message }));
  });

  it.each([
    ["ttsr.contextMode", '--set takes key=value, e.g. --set ttsr.contextMode=keep; "ttsr.contextMode" is not that.'],
    ["=x", '--set takes key=value, e.g. --set ttsr.contextMode=keep; "=x" is not that.'],
    ["ttsr.contextmode=keep", '--set: unknown setting "ttsr.contextmode". Did you mean "ttsr.contextMode"?'],
    [
      "ttsr.contextMode=keeep",
      '--set ttsr.contextMode: "ttsr.contextMode" must be one of discard, keep, rewind, not "keeep". Did you mean "keep"?',
    ],
    ["ttsr.repeatGap=ten", '--set ttsr.repeatGap: "ttsr.repeatGap" must be a whole number from 0 to 10000, not "ten".'],
    ["ttsr.budget=3", '--set: "ttsr.budget" is a group; name one of them: ttsr.budget.perRule, ttsr.budget.perRun, '],
    ["ttsr={}", '--set: "ttsr" is a group; name one of them: ttsr.enabled, '],
  ])("--set %s", (override, expected) => {
    expect(settings({}, { overrides: [override] }).load).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(expected) }),
    );
  });

  it("a bad variable is named", () => {
    expect(settings({}, { env: { TTSR_AGENT_BASH_TIMEOUT_SECONDS: "long" } }).load).toThrow(
      'TTSR_AGENT_BASH_TIMEOUT_SECONDS: "bash.timeoutSeconds" must be a number from 1 to 86400, not "long".',
    );
  });

  it("a trusted project's file is held to the same", () => {
    const { load, projectFile } = settings({ project: "ttsr: { contextMod: keep }" }, { trusted: true });
    expect(load).toThrow(`${projectFile}:1: unknown setting "ttsr.contextMod". Did you mean "ttsr.contextMode"?`);
  });
});
