/** A model that was named without its provider: who has it? */
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";
import { CATALOGUE } from "./catalogue.js";
import { findLocalServers, type ProbeDeps } from "./local-servers.js";
import { refuseBadThinking } from "./model-spec.js";
import type { ModelsFile } from "./models-file.js";
import { askableUnbidden, type Provider } from "./provider-table.js";
import { DEMO_PROVIDER } from "./providers.js";

export interface Held {
  provider: Provider;
  /** The model, as its provider writes it. */
  id: string;
}

/** How many names a sentence bears. */
const MOST_NAMED = 5;

/**
 * Looks in models.yml, in the catalogue, and at servers on this machine (300 ms at most).
 * @param name as written, without a thinking level
 * @throws UserError: several have it, or its end was meant as a thinking level (2); nobody has it, with what was probably meant (3)
 */
export async function searchModel(
  name: string,
  providers: readonly Provider[],
  file: ModelsFile,
  deps: ProbeDeps,
): Promise<Held> {
  const held = await allHeld(providers, file, deps);
  const fits = fitting(name, held);
  const ready = fits.filter(({ provider }) => !provider.needsKey || provider.apiKey !== undefined);
  const [first, second] = ready.length > 0 ? ready : fits;
  if (first && !second) return first;
  if (first) {
    throw new UserError("ambiguous-model", `Several providers have "${name}"; name one: ${named(fits).join(", ")}.`, 2);
  }
  refuseBadThinking(name, (id) => fitting(id, held).length > 0);
  throw unknown(name, providers, held);
}

async function allHeld(providers: readonly Provider[], file: ModelsFile, deps: ProbeDeps): Promise<Held[]> {
  const servers = await findLocalServers(askableUnbidden(providers, file), deps);
  const held = new Map<string, Held>();
  const add = (provider: Provider, id: string): void => void held.set(`${provider.id}/${id}`, { provider, id });
  for (const provider of providers) {
    for (const { id } of provider.ownModels) add(provider, id);
    for (const known of CATALOGUE) if (known.provider === provider.id) add(provider, known.id);
  }
  for (const { provider, models } of servers) for (const id of models) add(provider, id);
  return [...held.values()];
}

/** @returns those that have exactly this name; else those whose name ends in it, behind a maker's (`qwen/qwen3-coder`) */
function fitting(name: string, held: readonly Held[]): Held[] {
  const wanted = name.toLowerCase();
  const is = (id: string): boolean => id === wanted || id === `${wanted}:latest`;
  const whole = held.filter(({ id }) => is(id.toLowerCase()));
  return whole.length > 0 ? whole : held.filter(({ id }) => is(id.toLowerCase().slice(id.lastIndexOf("/") + 1)));
}

function unknown(name: string, providers: readonly Provider[], held: readonly Held[]): UserError {
  const [head = "", ...rest] = name.split("/");
  const ids = [...providers.map(({ id }) => id), DEMO_PROVIDER];
  const what = rest.length > 0 ? `no provider "${head}"` : `no provider and no model "${name}"`;
  const provider = didYouMean(head, ids);
  const meant = provider === undefined ? nearModels(name, held) : [[provider, ...rest].join("/")];
  const advice = meant.length > 0 ? `did you mean ${meant.join(" or ")}?` : `the providers are ${ids.join(", ")}.`;
  return new UserError("unknown-provider", `There is ${what}; ${advice}`, 3);
}

function nearModels(name: string, held: readonly Held[]): string[] {
  const near = didYouMean(
    name,
    held.map(({ id }) => id),
  );
  const wanted = name.toLowerCase();
  const alike = held.filter(({ id }) => id === near || (wanted.length > 2 && id.toLowerCase().includes(wanted)));
  return named(alike);
}

function named(held: readonly Held[]): string[] {
  return held.slice(0, MOST_NAMED).map(({ provider, id }) => `${provider.id}/${id}`);
}
