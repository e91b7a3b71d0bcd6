/** Finds the model to work with, in the order: named by the user, credentials, local servers. */
import type { ThinkingLevel } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";
import { isLoopback } from "./base-url.js";
import { CATALOGUE, findInCatalogue } from "./catalogue.js";
import type { HttpDeps } from "./http.js";
import { findLocalServers } from "./local-servers.js";
import { type ModelSpec, parseModelSpec, refuseBadThinking } from "./model-spec.js";
import { type ModelsFile, readModelsFile } from "./models-file.js";
import { askableUnbidden, type Env, type Provider, providerTable } from "./provider-table.js";
import { DEMO_MODEL, DEMO_PROVIDER } from "./providers.js";
import { searchModel } from "./search-model.js";
import { type NetworkTarget, targetOf } from "./target.js";
import type { ModelTarget } from "./wire.js";

export interface FindModelDeps extends HttpDeps {
  env: Env;
  dirs: { config: string };
  /** How fast the demo's model writes: 1 as a real one (default), 0 without any wait. */
  demoPace?: number;
}

export type FoundModel =
  | {
      none?: false;
      model: ModelStream;
      target: ModelTarget;
      /** From the suffix of the name. */
      thinking?: ThinkingLevel;
      /** One line for the user, where the choice was ours. */
      notice?: string;
      /** One line, where the name looks like a slip. */
      warning?: string;
    }
  | {
      none: true;
      /** One sentence: how to connect a model. */
      hint: string;
    };

/** What to tell a user who has no model. */
const CONNECT_HINT =
  "To connect a model, set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY …), start a local server such as Ollama, or write your own provider into models.yml.";

function digits(id: string): string {
  return id.replaceAll(/\D/g, "");
}

/**
 * A name that the catalogue lacks may be a new model, so it is never refused; it is remarked on when it is near a known one and
 * differs in its letters only: `claude-sonet-5` is a slip, `claude-sonnet-6` a new version.
 */
function remarkOn(provider: Provider, id: string): string | undefined {
  if (provider.origin !== "vendor" || findInCatalogue(provider.id, id)) return undefined;
  const ids = CATALOGUE.filter((model) => model.provider === provider.id && digits(model.id) === digits(id));
  const near = didYouMean(
    id,
    ids.map((model) => model.id),
  );
  return near ? `${provider.name}'s model "${id}" is not known here; did you mean ${provider.id}/${near}?` : undefined;
}

function unknownModel(provider: { id: string }, id: string, ids: readonly string[]): UserError {
  const near = didYouMean(id, ids);
  const advice = near ? `did you mean ${provider.id}/${near}?` : `it has ${ids.join(", ")}.`;
  return new UserError("unknown-model", `${provider.id} has no model "${id}"; ${advice}`, 3);
}

async function demo(spec: ModelSpec, deps: FindModelDeps): Promise<FoundModel> {
  if (spec.model !== undefined && spec.model !== DEMO_MODEL) {
    throw unknownModel({ id: DEMO_PROVIDER }, spec.model, [DEMO_MODEL]);
  }
  const { createShowcase } = await import("./demo/index.js");
  return {
    model: createShowcase({ clock: deps.clock, pace: deps.demoPace ?? 1 }),
    target: { provider: DEMO_PROVIDER, model: DEMO_MODEL, wire: "scripted", baseUrl: "" },
    notice: "scripted model, no network",
  };
}

async function connected(
  target: NetworkTarget,
  deps: FindModelDeps,
  more: { thinking?: ThinkingLevel | undefined; notice?: string | undefined; warning?: string | undefined },
): Promise<FoundModel> {
  const { connectModel } = await import("./connect.js");
  return {
    model: await connectModel(target, deps),
    target,
    ...(more.thinking ? { thinking: more.thinking } : {}),
    ...(more.notice ? { notice: more.notice } : {}),
    ...(more.warning ? { warning: more.warning } : {}),
  };
}

/** A provider named without a model: its default, or what the server says it has. */
async function chooseFor(provider: Provider, deps: FindModelDeps): Promise<string> {
  if (provider.defaultModel !== undefined) return provider.defaultModel;
  if (provider.fault) throw provider.fault;
  const [found] = await findLocalServers([provider], deps);
  const [model] = found?.models ?? [];
  if (model !== undefined) return model;
  throw new UserError(
    "no-answer",
    `${provider.name} does not answer with a model at ${provider.baseUrl}; start it, or name one: --model ${provider.id}/NAME.`,
    3,
  );
}

/** What the server on this machine says it has. It was named, so it may be asked; not asked where models.yml lists its models. */
async function listOf(provider: Provider, deps: FindModelDeps): Promise<readonly string[] | undefined> {
  if (provider.origin === "vendor" || provider.ownModels.length > 0 || !isLoopback(provider.baseUrl)) return undefined;
  if (provider.fault) return undefined;
  const [found] = await findLocalServers([provider], deps);
  return found?.models;
}

/** @throws UserError (2) where the end of the name was meant as a thinking level */
async function remarkOnLocal(provider: Provider, id: string, deps: FindModelDeps): Promise<string | undefined> {
  const list = await listOf(provider, deps);
  const lists = (one: string): boolean => list?.some((held) => held === one || held === `${one}:latest`) === true;
  if (!list || lists(id)) return undefined;
  if (endsInWord(id)) refuseBadThinking(id, lists);
  const near = didYouMean(id, list) ?? list.find((held) => held.toLowerCase().includes(id.toLowerCase()));
  const some = list.slice(0, 5).map((held) => `${provider.id}/${held}`);
  const advice = near
    ? `did you mean ${provider.id}/${near}?`
    : `it has ${some.join(", ")}${list.length > 5 ? ", …" : "."}`;
  return `${provider.name} at ${provider.baseUrl} does not list "${id}"; ${advice}`;
}

/** `:huge` may be meant as a thinking level; `:8b` is a tag. */
function endsInWord(id: string): boolean {
  return /:[a-z]+$/i.test(id);
}

/** @throws UserError (2) where the end of the name was meant as a thinking level */
function refuseSlip(provider: Provider, id: string): void {
  if (provider.variants && provider.origin !== "own") return;
  // A vendor's own names have no colon, but those of fine-tuned models. What stands behind another address may have any.
  const plain = provider.origin === "vendor" && provider.needsKey && !id.startsWith("ft:") && endsInWord(id);
  refuseBadThinking(id, (one) => knows(provider, one) || (plain && !one.includes(":")));
}

function knows(provider: Provider, id: string): boolean {
  return provider.ownModels.some((model) => model.id === id) || findInCatalogue(provider.id, id) !== undefined;
}

async function named(written: string, table: Table, deps: FindModelDeps): Promise<FoundModel> {
  const spec = parseModelSpec(written);
  const { thinking } = spec;
  if (spec.provider === DEMO_PROVIDER) return demo(spec, deps);
  const provider = table.providers.find(({ id }) => id === spec.provider);
  if (!provider) {
    const name = spec.model === undefined ? spec.provider : `${spec.provider}/${spec.model}`;
    const held = await searchModel(name, table.providers, table.file, deps);
    const notice = `Using ${held.provider.id}/${held.id}.`;
    return connected(targetOf(held.provider, held.id), deps, { thinking, notice });
  }
  if (spec.model === undefined)
    return connected(targetOf(provider, await chooseFor(provider, deps)), deps, { thinking });

  const id = spec.model;
  refuseSlip(provider, id);
  // A list in models.yml is the user's word on what there is.
  const ownIds = provider.ownModels.map((model) => model.id);
  if (ownIds.length > 0 && !knows(provider, id)) throw unknownModel(provider, id, ownIds);
  const target = targetOf(provider, id);
  const warning = remarkOn(provider, id) ?? (await remarkOnLocal(provider, id, deps));
  return connected(target, deps, { thinking, warning });
}

interface Table {
  providers: readonly Provider[];
  file: ModelsFile;
}

/**
 * @param spec what follows `--model` or stands in the settings, if anything
 * @returns the model, not asked anything yet; `none` when there is neither a name, nor credentials, nor a local server
 * @throws UserError with exit code 2 for words that name no model and for a broken models.yml; 3 for unknown names and missing keys
 */
export async function findModel(spec: string | undefined, deps: FindModelDeps): Promise<FoundModel> {
  const file = await readModelsFile(deps.dirs.config);
  const providers = providerTable(deps.env, file);
  if (spec !== undefined) return named(spec, { providers, file }, deps);

  const keyed = providers.find((one) => one.apiKey !== undefined && one.defaultModel !== undefined);
  if (keyed?.defaultModel !== undefined) {
    const notice = `Using ${keyed.id}/${keyed.defaultModel}; choose another with --model.`;
    return connected(targetOf(keyed, keyed.defaultModel), deps, { notice });
  }

  const keyless = askableUnbidden(providers, file);
  const [server] = await findLocalServers(keyless, deps);
  if (!server) return { none: true, hint: CONNECT_HINT };
  const { provider, models } = server;
  const wanted = models.find((id) => id === provider.defaultModel) ?? models[0];
  if (wanted === undefined) return { none: true, hint: CONNECT_HINT };
  const notice = `Using ${provider.id}/${wanted}, found at ${provider.baseUrl}; choose another with --model.`;
  return connected(targetOf(provider, wanted), deps, { notice });
}
