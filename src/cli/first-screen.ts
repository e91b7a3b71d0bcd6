/** A start without a model: how to go on, in one screen, while the demo runs below. */
import { type LocalServerState, listLocalServers } from "../models/index.js";
import { systemClock } from "../platform/clock.js";
import { systemDirs } from "./dirs.js";

/** @param folder where the demo works */
export async function firstScreen(folder: string): Promise<string[]> {
  const servers = await listLocalServers({ env: process.env, dirs: systemDirs(), fetch, clock: systemClock });
  return [
    "ttsr-agent: no model is connected yet",
    "key     export ANTHROPIC_API_KEY=… (or OPENAI_, GEMINI_, OPENROUTER_API_KEY), then start again",
    `server  ${serverLine(servers)}`,
    `demo    runs below: scripted model, no network, in ${folder}`,
    "check   ttsr-agent doctor says what is missing",
  ];
}

function serverLine(servers: readonly LocalServerState[]): string {
  const empty = servers.find(({ models }) => models?.length === 0);
  if (empty)
    return `${empty.name} answers at ${new URL(empty.baseUrl).host} but has no model; load one, then start again`;
  const ports = servers.map(({ name, baseUrl }) => `${name} ${new URL(baseUrl).port}`);
  return `none answers on this machine (${ports.join(", ")}); start one, then start again`;
}
