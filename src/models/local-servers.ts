/** Asks servers on this machine which models they hold. */
import * as v from "valibot";
import type { Clock } from "../agent/ports.js";
import type { Provider } from "./provider-table.js";

/** Milliseconds for all of them together. A server on the same machine answers in a few. */
const PROBE_MS = 300;

/** Bytes of an answer that are read: a list of models is small, and another program may listen on that port. */
const MOST_BYTES = 1_000_000;

export interface ProbeDeps {
  fetch: typeof globalThis.fetch;
  clock: Clock;
}

export interface FoundServer {
  provider: Provider;
  /** Only those that can hold a conversation. */
  models: readonly string[];
}

const listSchema = v.object({ data: v.array(v.object({ id: v.string() })) });

/** Servers list these beside the models that talk. */
const NO_CHAT = /embed|rerank|whisper|(?:^|[-_/])tts(?:$|[-_:])/i;

/** @returns undefined for what is no list of models */
async function readModels(response: Response): Promise<readonly string[] | undefined> {
  if (!response.ok || !response.body) return undefined;
  const reader = response.body.getReader();
  const utf8 = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += utf8.decode(value, { stream: true });
    if (text.length > MOST_BYTES) {
      await reader.cancel();
      return undefined;
    }
  }
  const parsed = v.safeParse(listSchema, JSON.parse(text));
  return parsed.success
    ? parsed.output.data.map(({ id }) => id).filter((id) => id !== "" && !NO_CHAT.test(id))
    : undefined;
}

/**
 * Asks all of them at once for their list of models.
 * @returns those that answered in time with a list, be it empty, in the order given. Whatever else happens on those ports
 *   (nothing listens, another program answers, it takes too long) means that there is no model server, and is no failure.
 */
export async function askLocalServers(
  candidates: readonly Provider[],
  deps: ProbeDeps,
): Promise<readonly FoundServer[]> {
  const deadline = new AbortController();
  const cancelTimer = deps.clock.after(PROBE_MS, () => deadline.abort());
  const late = new Promise<undefined>((resolve) => {
    deadline.signal.addEventListener("abort", () => resolve(undefined));
  });
  const ask = async (provider: Provider): Promise<readonly string[] | undefined> => {
    try {
      const headers: Record<string, string> = {
        ...provider.headers,
        ...(provider.apiKey ? { authorization: `Bearer ${provider.apiKey}` } : {}),
      };
      const request = deps.fetch(`${provider.baseUrl}/models`, {
        headers,
        signal: deadline.signal,
        redirect: "manual",
      });
      return await readModels(await request);
    } catch {
      // Nobody there, or nobody that speaks this: the usual case, on most machines for all four.
      return undefined;
    }
  };
  const lists = await Promise.all(candidates.map((provider) => Promise.race([ask(provider), late])));
  cancelTimer();
  return candidates.flatMap((provider, index) => {
    const models = lists[index];
    return models === undefined ? [] : [{ provider, models }];
  });
}

/** @returns those that answered in time with at least one model that talks */
export async function findLocalServers(...asked: Parameters<typeof askLocalServers>): Promise<readonly FoundServer[]> {
  return (await askLocalServers(...asked)).filter(({ models }) => models.length > 0);
}
