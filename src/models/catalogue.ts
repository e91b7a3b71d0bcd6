/** The models that the program knows by name: `catalogue.json`, dated, with a source for each group of figures. */
import catalogue from "./catalogue.json";

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

export interface CatalogueModel {
  provider: string;
  id: string;
  name: string;
  /** Tokens. */
  contextWindow: number;
  /** Output tokens of one answer; absent where not known. */
  maxOutput?: number;
  /** `always`: it can think less, but not be told not to. */
  thinking: "none" | "optional" | "always";
  /** `marked`: the request says what to cache; `automatic`: the provider sees to it. */
  cache: "marked" | "automatic" | "none";
  price: Price;
  /** Keys of `CATALOGUE_SOURCES`. */
  source: { limits: string; price: string; abilities: string };
  /** Fields that were not read from the vendor's own page. */
  unsure?: readonly string[];
}

/** The day as of which the figures were gathered, `YYYY-MM-DD`. */
export const CATALOGUE_DATE: string = catalogue.asOf;

export const CATALOGUE_SOURCES: Readonly<Record<string, string>> = catalogue.sources;

// JSON widens every word to string; a test holds the file to this type's unions.
export const CATALOGUE: readonly CatalogueModel[] = catalogue.models as readonly CatalogueModel[];

/** Snapshots of a model carry a date: `claude-sonnet-4-5-20250929`, `gpt-5-2025-08-07`. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** @returns what is known of a model, by its name or by the name of one of its dated snapshots */
export function findInCatalogue(provider: string, id: string): CatalogueModel | undefined {
  const known = (wanted: string): CatalogueModel | undefined =>
    CATALOGUE.find((model) => model.provider === provider && model.id === wanted);
  return known(id) ?? known(id.replace(SNAPSHOT, ""));
}
