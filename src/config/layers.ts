/** Where settings are written: files, `--set`, and the environment. Each gives flat keys (`ttsr.budget.perRun`) with their place. */
import { readFileSync } from "node:fs";
import { didYouMean } from "../platform/did-you-mean.js";
import { reasonOf, UserError } from "../platform/errors.js";
import { errorCode } from "../platform/paths.js";
import { decodeText } from "../platform/text-codec.js";
import { parseYaml, type YamlText } from "../platform/yaml.js";
import { type SettingKey, settingKeys } from "./schema.js";

export type OriginKind = "flag" | "environment" | "project" | "user" | "default";

/** Where a value was written. */
export interface Origin {
  from: OriginKind;
  /** Absolute path, for "project" and "user". */
  file?: string;
  /** 1-based. */
  line?: number;
  /** The variable, for "environment". */
  variable?: string;
}

export interface Written {
  value: unknown;
  origin: Origin;
  /** Where the value was put together from several places: each of them. */
  parts?: readonly Written[];
}

/** Flat key → value. */
export type Layer = Map<string, Written>;

const MAX_BYTES = 64 * 1024;

/**
 * Reads a settings file.
 * @param allowed keys that may stand there; others that exist are handed to `refused`, unchecked
 * @throws UserError exit 2, with file and line: no YAML, unknown key, wrong type
 */
export function readSettingsFile(
  file: string,
  from: "project" | "user",
  allowed: (key: string, value: unknown) => boolean = () => true,
  refused: (key: string, line: number) => void = () => undefined,
): Layer {
  const layer: Layer = new Map();
  const text = textOf(file);
  if (text === undefined) return layer;
  const yaml = parseYaml(text);
  const problem = yaml.problems[0];
  if (problem)
    throw new UserError(
      "bad-settings",
      `${file}:${problem.line}: this is not valid YAML: ${sentence(problem.message)}`,
      2,
    );
  if (yaml.value === null || yaml.value === undefined) return layer;
  if (!isRecord(yaml.value))
    throw new UserError("bad-settings", `${file}:1: settings are keys and values, e.g. "thinking: high".`, 2);
  flatten(yaml.value, [], yaml, file, (key, value, line) => {
    if (!allowed(key.key, value)) return refused(key.key, line);
    mustFit(key, value, `${file}:${line}`);
    layer.set(key.key, { value, origin: { from, file, line } });
  });
  return layer;
}

function textOf(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MAX_BYTES) {
      throw new UserError(
        "bad-settings",
        `${file}: a settings file has at most ${MAX_BYTES} bytes; this one has ${bytes.length}.`,
        2,
      );
    }
    const decoded = decodeText(bytes);
    if (!decoded.ok)
      throw new UserError("bad-settings", `${file}: this is no UTF-8 text (${decoded.reason}); save it as UTF-8.`, 2);
    return decoded.text.replaceAll(/\r\n?/g, "\n");
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw new UserError("bad-settings", `${file} cannot be read (${errorCode(error) ?? reasonOf(error)}).`, 2, {
      cause: error,
    });
  }
}

type Visit = (key: SettingKey, value: unknown, line: number) => void;

function flatten(
  record: Record<string, unknown>,
  path: readonly string[],
  yaml: YamlText,
  file: string,
  visit: Visit,
): void {
  for (const [name, value] of Object.entries(record)) {
    const here = [...path, name];
    const dotted = here.join(".");
    const line = yaml.lineOf(here) ?? 1;
    const key = settingKeys().get(dotted);
    if (key) {
      // `allow:` with nothing behind it says nothing.
      if (value !== null) visit(key, value, line);
    } else if (!isGroup(dotted)) {
      throw unknownKey(dotted, `${file}:${line}`);
    } else if (isRecord(value)) {
      flatten(value, here, yaml, file, visit);
    } else if (value !== null) {
      const inside = [...settingKeys().keys()]
        .filter((other) => other.startsWith(`${dotted}.`))
        .map((other) => other.slice(dotted.length + 1));
      throw new UserError(
        "bad-settings",
        `${file}:${line}: "${dotted}" is a group; write its keys below it: ${inside.join(", ")}.`,
        2,
      );
    }
  }
}

function isGroup(dotted: string): boolean {
  for (const key of settingKeys().keys()) if (key.startsWith(`${dotted}.`)) return true;
  return false;
}

/** `--set key=value`, in order; the last one of a key counts. */
export function readOverrides(overrides: readonly string[]): Layer {
  const layer: Layer = new Map();
  for (const override of overrides) {
    const at = override.indexOf("=");
    if (at <= 0)
      throw new UserError(
        "bad-flag",
        `--set takes key=value, e.g. --set ttsr.contextMode=keep; "${override}" is not that.`,
        2,
      );
    const name = override.slice(0, at).trim();
    const key = settingKeys().get(name);
    if (!key) throw unknownKey(name, "--set");
    layer.set(key.key, { value: fromText(key, override.slice(at + 1), `--set ${name}`), origin: { from: "flag" } });
  }
  return layer;
}

/** @returns the variable that sets a key: `ttsr.contextMode` → `TTSR_AGENT_TTSR_CONTEXT_MODE`, `model` → `TTSR_AGENT_MODEL` */
export function variableOf(key: string): string {
  const words = key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).replaceAll(".", "_");
  return `TTSR_AGENT_${words.toUpperCase()}`;
}

/** The environment that the program was started with; a `.env` file is never read. Empty variables say nothing. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Layer {
  const layer: Layer = new Map();
  for (const key of settingKeys().values()) {
    const variable = variableOf(key.key);
    const text = env[variable];
    if (text === undefined || text === "") continue;
    layer.set(key.key, { value: fromText(key, text, variable), origin: { from: "environment", variable } });
  }
  return layer;
}

/** Reads a value written where everything is text: words stay words, lists may be written `a,b` or `[a, b]`. */
function fromText(key: SettingKey, text: string, place: string): unknown {
  let value: unknown = text.trim();
  if (key.kind !== "text") {
    const yaml = parseYaml(text);
    if (key.kind === "data") value = yaml.problems.length === 0 ? yaml.value : text;
    else if (text.trim() === "") value = [];
    else if (yaml.problems.length === 0 && Array.isArray(yaml.value)) value = yaml.value.map(String);
    else value = splitOutsideBrackets(text);
  }
  mustFit(key, value, place);
  return value;
}

/** Patterns such as `bash(git push, *)` hold commas of their own. */
function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const c of text) {
    if (c === "(" || c === "[" || c === "{") depth++;
    else if (c === ")" || c === "]" || c === "}") depth = Math.max(0, depth - 1);
    if (c === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function mustFit(key: SettingKey, value: unknown, place: string): void {
  const wanted = key.check(value);
  if (wanted === undefined) return;
  const meant = typeof value === "string" && key.choices ? didYouMean(value, key.choices) : undefined;
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new UserError("bad-settings", `${place}: "${key.key}" must be ${wanted}, not ${shown(value)}.${hint}`, 2);
}

/** @returns the error for a setting that does not exist */
export function unknownKey(name: string, place: string): UserError {
  const meant = didYouMean(name, settingKeys().keys());
  const hint = meant === undefined ? "`ttsr-agent config schema` lists all settings." : `Did you mean "${meant}"?`;
  return new UserError("unknown-setting", `${place}: unknown setting "${name.slice(0, 80)}". ${hint}`, 2);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
