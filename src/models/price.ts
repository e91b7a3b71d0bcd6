import type { Usage } from "../agent/messages.js";
import { findInCatalogue } from "./catalogue.js";

/** @returns US dollars by the catalogue's short-prompt prices; undefined where the model's price is not known */
export function priceOf(model: { provider: string; model: string }, usage: Usage): number | undefined {
  const price = findInCatalogue(model.provider, model.model)?.price;
  if (!price) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const million =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return million / 1_000_000;
}
