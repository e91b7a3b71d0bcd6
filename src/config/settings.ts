/** The settings that hold: flags > environment > project (when trusted) > user > defaults. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type Dirs, resolveDirs } from "../platform/dirs.js";
import { projectRoot } from "../platform/project-root.js";
import { type Layer, readEnvironment, readOverrides, readSettingsFile, unknownKey, type Written } from "./layers.js";
import { type Settings, settingKeys, settingsSchema } from "./schema.js";

export interface SettingsContext {
  /** The working folder. */
  cwd: string;
  dirs?: Dirs;
  env?: Readonly<Record<string, string | undefined>>;
  /** `key=value`, as typed behind `--set`; dedicated flags may be put in the same way. */
  overrides?: readonly string[];
  /** Whether the user trusts the project: its settings file is not even opened otherwise. */
  trusted?: boolean;
}

export interface SettingsNotice {
  code: "project-settings-untrusted" | "project-setting-ignored";
  /** One sentence. */
  message: string;
}

export interface LoadedSettings {
  settings: Settings;
  /** `settings.ttsr` as it were without the project's file: what holds for rules that the repository did not bring. */
  ownTtsr: Settings["ttsr"];
  /** What was set aside, to be told once. */
  notices: SettingsNotice[];
  /**
   * A setting and where it was written.
   * @param key e.g. `ttsr.contextMode`
   * @throws UserError `unknown-setting`
   */
  getWithOrigin(key: string): Written;
  /** Every setting by name, in the order of the schema. */
  all(): ReadonlyMap<string, Written>;
}

/** @returns the user's settings file; it need not exist */
export function userSettingsFile(dirs: Pick<Dirs, "config">): string {
  return join(dirs.config, "settings.yml");
}

/** @returns the settings file of the project that `cwd` stands in; it need not exist */
export function projectSettingsFile(cwd: string): string {
  return join(projectRoot(cwd), ".ttsr-agent", "settings.yml");
}

/**
 * Reads all settings.
 * @throws UserError exit 2, naming file and line, flag or variable: no YAML, unknown key, wrong type
 */
export function loadSettings(context: SettingsContext): LoadedSettings {
  const { cwd, env = process.env, dirs = resolveDirs(env), overrides = [], trusted = false } = context;
  const notices: SettingsNotice[] = [];
  const flags = readOverrides(overrides);
  const environment = readEnvironment(env);
  const user = readSettingsFile(userSettingsFile(dirs), "user");
  const project = trusted ? readProject(cwd, notices) : untrustedProject(cwd, notices);

  const written = winnersOf([flags, environment, project, user]);
  addProjectDenials(written, project, [flags, environment, user]);
  const settings = v.parse(settingsSchema, nested(written));
  const own = project.size === 0 ? settings : v.parse(settingsSchema, nested(winnersOf([flags, environment, user])));
  return {
    settings,
    ownTtsr: own.ttsr,
    notices,
    getWithOrigin(key) {
      const found = written.get(key);
      if (!found) throw unknownKey(key, "config");
      return found;
    },
    all: () => written,
  };
}

/** @param layers the strongest first */
function winnersOf(layers: readonly Layer[]): Map<string, Written> {
  const written = new Map<string, Written>();
  for (const { key, default: value } of settingKeys().values()) {
    const winner = layers.find((layer) => layer.has(key))?.get(key);
    written.set(key, winner ?? { value, origin: { from: "default" } });
  }
  return written;
}

/** A repository may tighten what is denied, and turn its own rules' knobs; it may not disarm others, nor choose what runs unasked. */
function mayBeSetByProject(key: string, value: unknown): boolean {
  if (key === "ttsr.enabled" || key === "ttsr.builtinRules") return value !== false;
  return key === "model" || key === "thinking" || key === "permission.deny" || key.startsWith("ttsr.");
}

function readProject(cwd: string, notices: SettingsNotice[]): Layer {
  const file = projectSettingsFile(cwd);
  return readSettingsFile(file, "project", mayBeSetByProject, (key, line) => {
    notices.push({
      code: "project-setting-ignored",
      message: `project setting ignored: ${file}:${line}: only the user may set "${key}" this way.`,
    });
  });
}

function untrustedProject(cwd: string, notices: SettingsNotice[]): Layer {
  const file = projectSettingsFile(cwd);
  if (existsSync(file)) {
    notices.push({
      code: "project-settings-untrusted",
      message: `project settings ignored: ${file}: this folder is not trusted.`,
    });
  }
  return new Map();
}

/** What the project denies is denied on top of what the user denies: neither list can empty the other. */
function addProjectDenials(written: Map<string, Written>, project: Layer, users: readonly Layer[]): void {
  const key = "permission.deny";
  const denied = project.get(key);
  const own = users.find((layer) => layer.has(key))?.get(key);
  if (!denied || !own) return;
  const value = [...new Set([...listOf(own.value), ...listOf(denied.value)])];
  written.set(key, { value, origin: own.origin, parts: [own, denied] });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `a.b.c` → nested objects. */
function nested(written: ReadonlyMap<string, Written>): unknown {
  const root: Record<string, unknown> = {};
  const groups = new Map([["", root]]);
  for (const [key, { value }] of written) if (value !== undefined) put(groups, key, value);
  return root;
}

function put(groups: Map<string, Record<string, unknown>>, key: string, value: unknown): void {
  const at = key.lastIndexOf(".");
  const prefix = key.slice(0, Math.max(0, at));
  let group = groups.get(prefix);
  if (!group) {
    group = {};
    groups.set(prefix, group);
    put(groups, prefix, group);
  }
  group[key.slice(at + 1)] = value;
}
