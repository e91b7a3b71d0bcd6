/** Puts together what a wire must know to talk to one model. */
import { UserError } from "../platform/errors.js";
import { type CatalogueModel, findInCatalogue } from "./catalogue.js";
import type { Provider } from "./provider-table.js";
import type { NetworkWire } from "./providers.js";
import type { ModelTarget } from "./wire.js";

export type NetworkTarget = ModelTarget & { wire: NetworkWire };

/** What the user wrote about a model wins over the catalogue, figure by figure. */
function figures(
  provider: Provider,
  id: string,
): Pick<ModelTarget, "contextWindow" | "maxOutput" | "reasoning" | "price"> {
  const known: CatalogueModel | undefined = findInCatalogue(provider.id, id);
  const own = provider.ownModels.find((model) => model.id === id);
  const contextWindow = own?.contextWindow ?? known?.contextWindow;
  const maxOutput = own?.maxOutput ?? known?.maxOutput;
  const reasoning = own?.reasoning ?? (known && known.thinking !== "none");
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(own?.price ? { price: own.price } : {}),
  };
}

/**
 * @throws UserError with exit code 2 when the provider's address is none; with 3, naming the variable to set, when it wants a key and
 *   there is none
 */
export function targetOf(provider: Provider, id: string): NetworkTarget {
  if (provider.fault) throw provider.fault;
  if (provider.needsKey && provider.apiKey === undefined) {
    const [name] = provider.keyEnv;
    const where = name ? `set ${name} in your environment` : "give it one in models.yml";
    throw new UserError(
      "no-credentials",
      `There is no key for ${provider.name}; ${where}, or choose another model with --model.`,
      3,
    );
  }
  return {
    provider: provider.id,
    model: id,
    wire: provider.wire,
    baseUrl: provider.baseUrl,
    ...(provider.apiKey === undefined ? {} : { apiKey: provider.apiKey }),
    ...(provider.headers === undefined ? {} : { headers: provider.headers }),
    ...figures(provider, id),
  };
}
