import { loadSettings } from "../../config/settings.js";
import { TrustStore } from "../../config/trust.js";
import { findModel, listLocalServers, listModels } from "../../models/index.js";
import { reasonOf } from "../../platform/errors.js";
import { projectRoot } from "../../platform/project-root.js";
import { type Check, fail, ok, warn } from "./check.js";
import type { CheckContext } from "./context.js";

const KEYS = "ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY …";

/** Keys, servers, and the model that a start would take. No vendor is asked anything. */
export async function checkModels(context: CheckContext): Promise<Check[]> {
  return [
    await attempt("keys", () => keys(context)),
    await attempt("servers", () => servers(context)),
    await attempt("model", () => chosen(context)),
  ];
}

/** A file that cannot be read is told with its place. */
async function attempt(name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (error) {
    return fail(name, reasonOf(error), "Mend that and look again.");
  }
}

async function keys(context: CheckContext): Promise<Check> {
  const { models } = await listModels(context);
  const ready = models.filter(
    ({ ready: isReady, origin }) => isReady && origin !== "built in" && origin !== "local server",
  );
  const providers = [...new Set(ready.map(({ spec }) => spec.slice(0, spec.indexOf("/"))))];
  if (providers.length > 0) return ok("keys", `found for ${providers.join(", ")}`);
  return warn("keys", "none is set", `Set one (${KEYS}), or use a local server.`);
}

async function servers(context: CheckContext): Promise<Check> {
  const all = await listLocalServers(context);
  const answering = all.filter(({ models }) => models !== undefined);
  if (answering.length === 0) {
    return ok(
      "servers",
      `no local server answers (looked for ${all.map(({ name, baseUrl }) => `${name} at ${new URL(baseUrl).host}`).join(", ")})`,
    );
  }
  const told = answering.map(
    ({ name, models = [] }) => `${name}: ${models.length === 0 ? "no model" : models.slice(0, 3).join(", ")}`,
  );
  const empty = answering.filter(({ models }) => models?.length === 0);
  if (empty.length === answering.length) {
    return warn("servers", told.join("; "), "Load a model into it, for example: ollama pull qwen3-coder");
  }
  return ok("servers", told.join("; "));
}

async function chosen(context: CheckContext): Promise<Check> {
  const { cwd, dirs, env } = context;
  const trusted = new TrustStore(dirs.state).knows(projectRoot(cwd));
  const { settings } = loadSettings({ cwd, env, dirs, trusted });
  const found = await findModel(undefined, {
    ...context,
    timeouts: settings.timeouts,
    ...(settings.model === undefined ? {} : { settingsModel: settings.model }),
  });
  if (found.none) return fail("model", "there is no model to talk to; a start opens the demo", found.hint);
  return ok("model", `${found.model.provider}/${found.model.model}`);
}
