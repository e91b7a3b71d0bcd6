import type { Usage } from "../agent/messages.js";
import { findInCatalogue, type Price } from "./catalogue.js";

/**
 * @param model with the user's own price, where there is one; else the catalogue's short-prompt prices count
 * @returns US dollars; undefined where the model's price is not known
 */
export function priceOf(model: { provider: string; model: string; price?: Price }, usage: Usage): number | undefined {
  const price = model.price ?? findInCatalogue(model.provider, model.model)?.price;
  if (!price) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const million =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return million / 1_000_000;
}
