/** A start without a model: how to go on, in one screen, while the demo runs below. */
import { type LocalServerState, listLocalServers } from "../models/index.js";

/**
 * @param folder where the demo works
 * @returns lines that fit 77 columns
 */
export async function firstScreen(folder: string, deps: Parameters<typeof listLocalServers>[0]): Promise<string[]> {
  const servers = await listLocalServers(deps);
  return [
    "ttsr-agent: no model is connected yet",
    "key     export ANTHROPIC_API_KEY=… (or OPENAI_, GEMINI_, OPENROUTER_API_KEY)",
    ...serverLines(servers),
    "demo    scripted model, no network: runs below, any key goes faster",
    `folder  ${folder}`,
    "check   `ttsr-agent doctor` says what is missing",
    "Then start again: the first model that is found is used.",
  ];
}

function serverLines(servers: readonly LocalServerState[]): string[] {
  const empty = servers.find(({ models }) => models?.length === 0);
  if (empty)
    return [`server  ${empty.name} answers at ${new URL(empty.baseUrl).host}, but it has no model yet: load one`];
  if (servers.length === 0) return [];
  const ports = servers.map(({ name, baseUrl }) => `${new URL(baseUrl).port} ${name}`);
  return [`server  none on ${ports.join(", ")}`];
}
