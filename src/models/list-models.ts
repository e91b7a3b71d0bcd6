/** For the `models` subcommand: what could be named after `--model`. */
import { CATALOGUE, CATALOGUE_DATE, type Price } from "./catalogue.js";
import { askLocalServers, findLocalServers, type ProbeDeps } from "./local-servers.js";
import { readModelsFile } from "./models-file.js";
import { askableUnbidden, type Env, providerTable } from "./provider-table.js";
import { DEMO_MODEL, DEMO_PROVIDER } from "./providers.js";

export interface ListedModel {
  /** As it is written after `--model`. */
  spec: string;
  name: string;
  /** Whether it could be asked now: a key is there or none is wanted. */
  ready: boolean;
  /** What to set, where it is not ready. */
  missing?: string;
  /** Where the figures come from. */
  origin: "catalogue" | "models.yml" | "local server" | "built in";
  /** Tokens. */
  contextWindow?: number;
  maxOutput?: number;
  reasoning?: boolean;
  /** US dollars per million tokens. */
  price?: Price;
  /** Fields that were not read from the vendor's own page. */
  unsure?: readonly string[];
}

export interface ModelList {
  /** The day as of which the catalogue's figures were gathered. */
  catalogueDate: string;
  models: readonly ListedModel[];
}

export interface ListModelsDeps extends ProbeDeps {
  env: Env;
  dirs: { config: string };
}

/** Leaves undefined values out, as `exactOptionalPropertyTypes` wants it. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/**
 * Own models first, then the catalogue, then what local servers hold (asked as in `findModel`, 300 ms at most), then the demo.
 * @throws UserError with exit code 2 for a broken models.yml
 */
export async function listModels(deps: ListModelsDeps): Promise<ModelList> {
  const file = await readModelsFile(deps.dirs.config);
  const providers = providerTable(deps.env, file);
  const listed = new Map<string, ListedModel>();
  const add = (model: ListedModel): void => {
    if (!listed.has(model.spec)) listed.set(model.spec, model);
  };

  for (const provider of providers) {
    const ready = !provider.needsKey || provider.apiKey !== undefined;
    const missing = ready ? undefined : provider.keyEnv[0];
    for (const own of provider.ownModels) {
      const { contextWindow, maxOutput, reasoning } = own;
      const price = own.price && { input: own.price.input, output: own.price.output, ...present(own.price) };
      add({
        spec: `${provider.id}/${own.id}`,
        name: own.name ?? own.id,
        ready,
        origin: "models.yml",
        ...present({ missing, contextWindow, maxOutput, reasoning, price }),
      });
    }
    for (const known of CATALOGUE.filter((model) => model.provider === provider.id)) {
      const { contextWindow, maxOutput, price, unsure } = known;
      const reasoning = known.thinking !== "none";
      add({
        spec: `${provider.id}/${known.id}`,
        name: known.name,
        ready,
        origin: "catalogue",
        ...present({ missing, contextWindow, maxOutput, reasoning, price, unsure }),
      });
    }
  }
  const keyless = askableUnbidden(providers, file);
  for (const { provider, models } of await findLocalServers(keyless, deps)) {
    for (const id of models) {
      add({ spec: `${provider.id}/${id}`, name: `${id} (${provider.name})`, ready: true, origin: "local server" });
    }
  }
  add({ spec: `${DEMO_PROVIDER}/${DEMO_MODEL}`, name: "Scripted demo", ready: true, origin: "built in" });
  return { catalogueDate: CATALOGUE_DATE, models: [...listed.values()] };
}

/** A server program that this program knows by its usual port. */
export interface LocalServerState {
  name: string;
  baseUrl: string;
  /** undefined: nobody answers there. */
  models: readonly string[] | undefined;
}

/** @returns each local server that is looked for, whether it answers and with which models (300 ms at most) */
export async function listLocalServers(deps: ListModelsDeps): Promise<LocalServerState[]> {
  const file = await readModelsFile(deps.dirs.config);
  const keyless = askableUnbidden(providerTable(deps.env, file), file);
  const answered = await askLocalServers(keyless, deps);
  return keyless.map(({ id, name, baseUrl }) => ({
    name,
    baseUrl,
    models: answered.find(({ provider }) => provider.id === id)?.models,
  }));
}
