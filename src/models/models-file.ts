/** `models.yml` in the user's config folder: own providers, and own figures for the known ones. Never read from a repository. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { didYouMean } from "../platform/did-you-mean.js";
import { reasonOf, UserError } from "../platform/errors.js";
import { checkBaseUrl } from "./base-url.js";
import { NETWORK_WIRES } from "./providers.js";

const text = v.pipe(v.string("text is expected"), v.nonEmpty("it is empty"));
const tokens = v.pipe(
  v.number("a whole number of tokens is expected"),
  v.integer("a whole number of tokens is expected"),
  v.minValue(1, "it must be at least 1"),
);
const dollars = v.pipe(
  v.number("dollars per million tokens are expected, as a number"),
  v.minValue(0, "it must not be negative"),
);

const modelSchema = v.strictObject({
  id: text,
  name: v.optional(text),
  contextWindow: v.optional(tokens),
  maxOutput: v.optional(tokens),
  reasoning: v.optional(v.boolean("true or false is expected")),
  price: v.optional(
    v.strictObject({
      input: dollars,
      output: dollars,
      cacheRead: v.optional(dollars),
      cacheWrite: v.optional(dollars),
    }),
  ),
});

const providerSchema = v.strictObject({
  wire: v.optional(v.picklist(NETWORK_WIRES)),
  baseUrl: v.optional(text),
  apiKeyEnv: v.optional(text),
  apiKey: v.optional(text),
  headers: v.optional(v.record(text, v.string("text is expected"))),
  models: v.optional(v.array(modelSchema, "a list of models is expected")),
});

const PROVIDERS_EXPECTED = "names of providers and their settings are expected";

const fileSchema = v.strictObject({
  localServers: v.optional(v.boolean("true or false is expected"), true),
  providers: v.optional(
    v.nullable(
      v.pipe(
        v.unknown(),
        // A list is an object too, with numbers for names.
        v.check((value) => !Array.isArray(value), PROVIDERS_EXPECTED),
        v.record(text, providerSchema, PROVIDERS_EXPECTED),
      ),
    ),
  ),
});

/** What the user wrote for one model; prices in US dollars per million tokens. */
export type OwnModel = v.InferOutput<typeof modelSchema>;

/** One entry under `providers:`; the key is its id. */
export type OwnProvider = v.InferOutput<typeof providerSchema> & { id: string };

export interface ModelsFile {
  /** Absolute path; the file need not exist. */
  path: string;
  /** In the order of the file. */
  providers: readonly OwnProvider[];
  /** `localServers: false`: the usual ports of this machine are not looked at unbidden. */
  localServers: boolean;
}

/** @returns the 1-based line of the value at `path`, or of the nearest thing around it that is written down */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!pair) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else {
      break;
    }
  }
  return lines.linePos(offset).line;
}

/** The keys that may stand at a place of the file, by how deep it is. */
function keysAt(path: readonly (string | number)[]): readonly string[] {
  if (path.length <= 1) return Object.keys(fileSchema.entries);
  if (path.length === 3) return Object.keys(providerSchema.entries);
  if (path.length === 5) return Object.keys(modelSchema.entries);
  return ["input", "output", "cacheRead", "cacheWrite"];
}

function describeIssue(issue: v.BaseIssue<unknown>, path: readonly (string | number)[]): string {
  const key = String(path.at(-1) ?? "");
  if (issue.expected === "never") {
    const near = didYouMean(key, keysAt(path));
    const known = keysAt(path).join(", ");
    return `there is no key "${key}" here${near ? `; did you mean "${near}"?` : `; the keys are ${known}.`}`;
  }
  if (issue.type === "picklist") {
    const options = issue.expected?.split(" | ").map((option) => option.replaceAll(/[()"]/g, "")) ?? [];
    const near = typeof issue.input === "string" ? didYouMean(issue.input, options) : undefined;
    const given = JSON.stringify(issue.input);
    return `${key} is ${given}${near ? `; did you mean "${near}"?` : `; it may be ${options.join(", ")}.`}`;
  }
  if (issue.received === "undefined") return `"${key}" is missing.`;
  const said = issue.type === "strict_object" ? "keys and values are expected" : issue.message;
  return key === "" ? `${said}.` : `${key}: ${said}.`;
}

function wrong(path: string, line: number, what: string): UserError {
  return new UserError("bad-models-file", `${path}:${line}: ${what}`, 2);
}

/**
 * @param source the text of the file
 * @param path for messages
 * @throws UserError with exit code 2 that names file, line and what was probably meant
 */
export function parseModelsFile(source: string, path: string): ModelsFile {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw wrong(path, lines.linePos(broken.pos[0]).line, `it is no valid YAML: ${broken.message}.`);

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    throw wrong(path, 1, `it cannot be read: ${reasonOf(error)}.`);
  }
  const result = v.safeParse(fileSchema, data);
  if (!result.success) {
    const [issue] = result.issues;
    const keys = (issue.path ?? []).map((item) => item.key as string | number);
    throw wrong(path, lineOf(document, lines, keys), describeIssue(issue, keys));
  }
  const providers = Object.entries(result.output.providers ?? {}).map(([name, entry]) => {
    const at = (...keys: string[]): number => lineOf(document, lines, ["providers", name, ...keys]);
    const id = name.toLowerCase();
    if (/[/:\s]/.test(id)) throw wrong(path, at(), `a provider's name has no "/", ":" or space in it: "${name}".`);
    if (entry.apiKey !== undefined && entry.apiKeyEnv !== undefined) {
      throw wrong(path, at("apiKey"), "apiKey and apiKeyEnv exclude each other; keep one.");
    }
    if (entry.baseUrl === undefined) return { ...entry, id };
    return { ...entry, id, baseUrl: checkBaseUrl(entry.baseUrl, `${path}:${at("baseUrl")}: baseUrl`) };
  });
  return { path, providers, localServers: result.output.localServers };
}

/**
 * @param configFolder the user's own
 * @returns no providers where there is no file
 * @throws UserError with exit code 2 when the file is wrong or cannot be read
 */
export async function readModelsFile(configFolder: string): Promise<ModelsFile> {
  const path = join(configFolder, "models.yml");
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return { path, providers: [], localServers: true };
    }
    throw new UserError("bad-models-file", `${path} cannot be read: ${reasonOf(error)}.`, 2, { cause: error });
  }
  return parseModelsFile(source, path);
}
