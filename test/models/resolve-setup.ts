import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { FindModelDeps, FoundModel } from "../../src/models/index.js";
import { findModel } from "../../src/models/index.js";
import type { ModelServer } from "../server/index.js";
import { FakeClock } from "../support/fake-clock.js";

export let config: string;
export let servers: ModelServer[] = [];
/** Every address that was asked for its models. */
export let asked: string[] = [];

beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), "ttsr-config-"));
  asked = [];
});
afterEach(async () => {
  rmSync(config, { recursive: true, force: true });
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Nobody listens on any port, but where `answers` says what is listed. */
export function fetchOf(answers: Record<string, string[] | Response | "never"> = {}): typeof globalThis.fetch {
  return (input) => {
    const url = String(input);
    asked.push(url);
    const answer = answers[url];
    if (answer === "never") return new Promise(() => undefined);
    if (answer instanceof Response) return Promise.resolve(answer);
    if (!answer) return Promise.reject(new TypeError("fetch failed"));
    return Promise.resolve(Response.json({ object: "list", data: answer.map((id) => ({ id })) }));
  };
}

export function depsOf(env: Record<string, string> = {}, more: Partial<FindModelDeps> = {}): FindModelDeps {
  const timeouts = { firstEventMs: 1000, idleMs: 1000 };
  return { env, dirs: { config }, fetch: fetchOf(), clock: new FakeClock(), timeouts, ...more };
}

export const modelsFile = (text: string): void => writeFileSync(join(config, "models.yml"), text);

export async function found(
  spec: string | undefined,
  deps: FindModelDeps,
): Promise<Exclude<FoundModel, { none: true }>> {
  const result = await findModel(spec, deps);
  if (result.none) throw new Error("found none");
  return result;
}

export const OLLAMA = "http://127.0.0.1:11434/v1/models";
export const VLLM = "http://127.0.0.1:8000/v1/models";
