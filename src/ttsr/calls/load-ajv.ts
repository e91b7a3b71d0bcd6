/**
 * The validator, loaded when the first rule on calls appears. Rules are registered in one step, so it is required and not awaited; the
 * build puts it into a file of its own (`build/json-schema.mjs`).
 */
import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { reasonOf } from "../../platform/errors.js";
import { PLACE } from "./place.js";

type Ajv = typeof Ajv2020;
let loaded: { Ajv: Ajv } | { missing: string } | undefined;

/** @returns the validator, or in one sentence why there is none */
export function loadAjv(): { Ajv: Ajv } | { missing: string } {
  loaded ??= load();
  return loaded;
}

function load(): { Ajv: Ajv } | { missing: string } {
  try {
    const { Ajv2020: Ajv } = createRequire(import.meta.url)(PLACE) as { Ajv2020: Ajv };
    return { Ajv };
  } catch (error) {
    return {
      missing: `The validator for \`callCondition\` cannot be loaded (${reasonOf(error)}); install the program anew.`,
    };
  }
}
