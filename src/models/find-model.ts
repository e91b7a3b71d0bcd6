/** Finds the model to work with, in the order: named by the user, credentials, local servers. */
import type { ThinkingLevel } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";
import { CATALOGUE, findInCatalogue } from "./catalogue.js";
import type { HttpDeps } from "./http.js";
import { findLocalServers } from "./local-servers.js";
import { type ModelSpec, parseModelSpec, refuseBadThinking } from "./model-spec.js";
import { readModelsFile } from "./models-file.js";
import { askableUnbidden, type Env, type Provider, providerTable } from "./provider-table.js";
import { DEMO_MODEL, DEMO_PROVIDER } from "./providers.js";
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
      /** One line for the user, where the choice was ours or the name looks like a slip. */
      notice?: string;
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

function unknownProvider(spec: ModelSpec, written: string, providers: readonly Provider[]): UserError {
  const ids = [...providers.map(({ id }) => id), DEMO_PROVIDER];
  const owner = CATALOGUE.find((model) => model.id === written || model.id === spec.provider);
  const near = didYouMean(spec.provider, ids);
  const meant = owner ? `${owner.provider}/${owner.id}` : near && `${near}${spec.model ? `/${spec.model}` : ""}`;
  const advice = meant ? `did you mean ${meant}?` : `the providers are ${ids.join(", ")}.`;
  return new UserError("unknown-provider", `There is no provider "${spec.provider}"; ${advice}`, 3);
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
  more: { thinking?: ThinkingLevel | undefined; notice?: string | undefined },
): Promise<FoundModel> {
  const { connectModel } = await import("./connect.js");
  return {
    model: await connectModel(target, deps),
    target,
    ...(more.thinking ? { thinking: more.thinking } : {}),
    ...(more.notice ? { notice: more.notice } : {}),
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

async function named(written: string, providers: readonly Provider[], deps: FindModelDeps): Promise<FoundModel> {
  const spec = parseModelSpec(written);
  if (spec.provider === DEMO_PROVIDER) return demo(spec, deps);
  const provider = providers.find(({ id }) => id === spec.provider);
  if (!provider) throw unknownProvider(spec, written, providers);

  const id = spec.model ?? (await chooseFor(provider, deps));
  const ownIds = provider.ownModels.map((model) => model.id);
  const knows = (one: string): boolean => ownIds.includes(one) || findInCatalogue(provider.id, one) !== undefined;
  if (!provider.variants || provider.origin === "own") refuseBadThinking(id, knows);
  // A list in models.yml is the user's word on what there is.
  if (ownIds.length > 0 && !knows(id)) throw unknownModel(provider, id, ownIds);
  return connected(targetOf(provider, id), deps, { thinking: spec.thinking, notice: remarkOn(provider, id) });
}

/**
 * @param spec what follows `--model` or stands in the settings, if anything
 * @returns the model, not asked anything yet; `none` when there is neither a name, nor credentials, nor a local server
 * @throws UserError with exit code 2 for words that name no model and for a broken models.yml; 3 for unknown names and missing keys
 */
export async function findModel(spec: string | undefined, deps: FindModelDeps): Promise<FoundModel> {
  const file = await readModelsFile(deps.dirs.config);
  const providers = providerTable(deps.env, file);
  if (spec !== undefined) return named(spec, providers, deps);

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
