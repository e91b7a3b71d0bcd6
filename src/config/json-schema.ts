import type { Json } from "../agent/messages.js";
import { settingsSchema } from "./schema.js";

/** @returns the JSON Schema of a settings file. The converter is loaded only now: few runs need it. */
export async function settingsJsonSchema(): Promise<Json> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schema = toJsonSchema(settingsSchema, { typeMode: "input" });
  return JSON.parse(JSON.stringify({ ...schema, title: "ttsr-agent settings" }));
}
