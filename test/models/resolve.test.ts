import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FindModelDeps, FoundModel } from "../../src/models/index.js";
import { findModel, listModels } from "../../src/models/index.js";
import { systemClock } from "../../src/platform/clock.js";
import type { ModelServer } from "../server/index.js";
import { startModelServer } from "../server/index.js";
import { FakeClock } from "../support/fake-clock.js";

let config: string;
let servers: ModelServer[] = [];
/** Every address that was asked for its models. */
let asked: string[] = [];

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
function fetchOf(answers: Record<string, string[] | Response | "never"> = {}): typeof globalThis.fetch {
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

function depsOf(env: Record<string, string> = {}, more: Partial<FindModelDeps> = {}): FindModelDeps {
  const timeouts = { firstEventMs: 1000, idleMs: 1000 };
  return { env, dirs: { config }, fetch: fetchOf(), clock: new FakeClock(), timeouts, ...more };
}

const modelsFile = (text: string): void => writeFileSync(join(config, "models.yml"), text);

async function found(spec: string | undefined, deps: FindModelDeps): Promise<Exclude<FoundModel, { none: true }>> {
  const result = await findModel(spec, deps);
  if (result.none) throw new Error("found none");
  return result;
}

const OLLAMA = "http://127.0.0.1:11434/v1/models";
const VLLM = "http://127.0.0.1:8000/v1/models";

describe("findModel: the order", () => {
  const everything = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };

  it("takes what is named before all", async () => {
    const { target, thinking } = await found("openai/gpt-5:low", depsOf(everything));
    expect(target).toMatchObject({ provider: "openai", model: "gpt-5" });
    expect(thinking).toBe("low");
  });

  it("then the first provider with a key, and says which", async () => {
    const first = await found(undefined, depsOf(everything));
    expect(first.target).toMatchObject({ provider: "anthropic", model: "claude-sonnet-5", apiKey: "a" });
    expect(first.notice).toContain("anthropic/claude-sonnet-5");
    expect((await found(undefined, depsOf({ OPENAI_API_KEY: "o" }))).target.provider).toBe("openai");
    expect((await found(undefined, depsOf({ GROQ_API_KEY: "g" }))).target.provider).toBe("groq");
    expect(asked).toEqual([]);
  });

  it("prefers the user's own provider that has a key", async () => {
    modelsFile(
      "providers:\n  mine:\n    wire: gemini\n    baseUrl: http://127.0.0.1:9/v1\n    apiKeyEnv: MINE\n    models: [{ id: m }]\n",
    );
    expect((await found(undefined, depsOf({ ...everything, MINE: "k" }))).target).toMatchObject({
      provider: "mine",
      model: "m",
    });
    expect((await found(undefined, depsOf(everything))).target.provider).toBe("anthropic");
  });

  it("then a local server that answers", async () => {
    const fetch = fetchOf({ [VLLM]: ["bge-embed", "qwen3"], [OLLAMA]: ["nomic-embed-text"] });
    const { target, notice } = await found(undefined, depsOf({}, { fetch }));
    expect(target).toEqual({
      provider: "vllm",
      model: "qwen3",
      wire: "openai-chat",
      baseUrl: "http://127.0.0.1:8000/v1",
    });
    expect(notice).toContain("http://127.0.0.1:8000/v1");
    expect(asked).toHaveLength(4);
  });

  it("else none, with what to do", async () => {
    expect(await findModel(undefined, depsOf())).toEqual({
      none: true,
      hint: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
  });

  it("takes an empty key for none", async () => {
    expect(await findModel(undefined, depsOf({ ANTHROPIC_API_KEY: "", OPENAI_API_KEY: " " }))).toMatchObject({
      none: true,
    });
  });
});

describe("findModel: local servers", () => {
  it("asks all at once and waits 300 ms at most", async () => {
    const clock = new FakeClock();
    const fetch = fetchOf({ [OLLAMA]: "never", [VLLM]: ["qwen3"] });
    let result: FoundModel | undefined;
    const search = findModel(undefined, depsOf({}, { fetch, clock })).then((one) => {
      result = one;
    });
    await vi.waitFor(() => expect(asked).toHaveLength(4));
    await clock.advance(299);
    expect(result).toBeUndefined();
    await clock.advance(1);
    await search;
    expect(result).toMatchObject({ target: { provider: "vllm" } });
    expect(clock.waiting).toBe(0);
  });

  it("localServers: false: none of them is asked, one of the user's own still is", async () => {
    const answers = { [OLLAMA]: ["a"], [VLLM]: ["b"], "http://127.0.0.1:7/v1/models": ["c"] };
    modelsFile("localServers: false\n");
    expect(await findModel(undefined, depsOf({}, { fetch: fetchOf(answers) }))).toMatchObject({ none: true });
    const { models } = await listModels(depsOf({}, { fetch: fetchOf(answers) }));
    expect(models.filter(({ origin }) => origin === "local server")).toEqual([]);
    expect(asked).toEqual([]);
    modelsFile(
      "localServers: false\nproviders:\n  mine: { wire: openai-chat, baseUrl: 'http://127.0.0.1:7/v1' }\n  vllm: { apiKey: none }\n",
    );
    expect((await found(undefined, depsOf({}, { fetch: fetchOf(answers) }))).target.provider).toBe("mine");
    expect(asked.sort()).toEqual(["http://127.0.0.1:7/v1/models", VLLM].sort());
    modelsFile("localServers: 3\n");
    await expect(findModel(undefined, depsOf())).rejects.toThrow(/models\.yml:1: localServers: true or false/);
  });

  it("takes the first in the order of preference when several answer", async () => {
    const { target } = await found(undefined, depsOf({}, { fetch: fetchOf({ [VLLM]: ["b"], [OLLAMA]: ["a"] }) }));
    expect(target).toMatchObject({ provider: "ollama", model: "a" });
  });

  it.each([
    ["a page", () => new Response("<html>hello</html>")],
    ["other JSON", () => Response.json({ models: [] })],
    ["an error", () => new Response("no", { status: 401 })],
    ["an empty list", () => Response.json({ data: [] })],
    [
      "more than a list ever has",
      () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(100_000).fill(32)) })),
    ],
  ])("is not taken in by %s", async (_, answer) => {
    expect(await findModel(undefined, depsOf({}, { fetch: fetchOf({ [OLLAMA]: answer() }) }))).toMatchObject({
      none: true,
    });
  });

  it("finds a keyless provider of models.yml over a real socket, and takes its first model", async () => {
    const server = await startModelServer({ script: [], models: ["other", "mine"] });
    servers.push(server);
    modelsFile(
      `providers:\n  home:\n    wire: openai-chat\n    baseUrl: ${server.url("openai-chat")}\n    models: [{ id: mine, contextWindow: 5000 }]\n`,
    );
    const local = server.url("openai-chat");
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input).startsWith(local) ? globalThis.fetch(input, init) : fetchOf()(input);
    const { target } = await found(undefined, depsOf({}, { fetch, clock: systemClock }));
    expect(target).toMatchObject({ provider: "home", model: "mine", contextWindow: 5000 });
    expect(server.modelLists).toBe(1);
  });

  it("is not asked when a model is named", async () => {
    expect((await found("ollama/qwen3:8b", depsOf())).target).toEqual({
      provider: "ollama",
      model: "qwen3:8b",
      wire: "openai-chat",
      baseUrl: "http://127.0.0.1:11434/v1",
    });
    expect(asked).toEqual([]);
  });

  it("is asked when only its name is given", async () => {
    expect((await found("vllm", depsOf({}, { fetch: fetchOf({ [VLLM]: ["q"] }) }))).target.model).toBe("q");
    await expect(findModel("vllm", depsOf())).rejects.toMatchObject({ code: "no-answer", exitCode: 3 });
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:11434/v1"],
    ["box:8123", "http://box:8123/v1"],
    ["https://ollama.example", "https://ollama.example/v1"],
  ])("takes OLLAMA_HOST=%s", async (host, baseUrl) => {
    expect((await found("ollama/m", depsOf({ OLLAMA_HOST: host }))).target.baseUrl).toBe(baseUrl);
  });
});

describe("findModel: addresses, keys and wires from the environment", () => {
  it.each([
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-x", "anthropic-messages", "https://api.anthropic.com/v1"],
    [
      { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
      "anthropic/claude-x",
      "anthropic-messages",
      "http://127.0.0.1:9/v1",
    ],
    [{ OPENAI_API_KEY: "k" }, "openai/gpt-5", "openai-responses", "https://api.openai.com/v1"],
    [
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://eu.api.openai.com/" },
      "openai/gpt-5",
      "openai-responses",
      "https://eu.api.openai.com/v1",
    ],
    [
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
      "openai/gpt-5",
      "openai-chat",
      "http://127.0.0.1:9/v1",
    ],
    [
      { GEMINI_API_KEY: "k", GEMINI_BASE_URL: "http://127.0.0.1:9" },
      "gemini/gemini-3",
      "gemini",
      "http://127.0.0.1:9/v1beta",
    ],
    [
      { GOOGLE_GENERATIVE_AI_API_KEY: "k" },
      "gemini/gemini-3",
      "gemini",
      "https://generativelanguage.googleapis.com/v1beta",
    ],
    [{ OPENROUTER_API_KEY: "k" }, "openrouter/a/b:free", "openai-chat", "https://openrouter.ai/api/v1"],
    [{ ZAI_API_KEY: "k" }, "zai/glm-5.3", "openai-chat", "https://api.z.ai/api/paas/v4"],
  ])("%j %s", async (env, spec, wire, baseUrl) => {
    const { target, model } = await found(spec, depsOf(env));
    expect(target).toMatchObject({ wire, baseUrl, apiKey: "k" });
    expect(model).toMatchObject({ provider: target.provider, model: target.model, wire });
  });

  it("wants no key for an address on this machine", async () => {
    const { target } = await found("openai/local-model", depsOf({ OPENAI_BASE_URL: "http://localhost:8000/v1" }));
    expect(target.apiKey).toBeUndefined();
  });

  it.each([
    ["anthropic/claude-sonnet-5", "ANTHROPIC_API_KEY"],
    ["openai/gpt-5", "OPENAI_API_KEY"],
    ["gemini/gemini-2.5-pro", "GEMINI_API_KEY"],
    ["mistral", "MISTRAL_API_KEY"],
  ])("without a key, %s is refused with exit 3 and the name %s", async (spec, name) => {
    await expect(findModel(spec, depsOf())).rejects.toMatchObject({
      code: "no-credentials",
      exitCode: 3,
      message: expect.stringContaining(name),
    });
  });

  it("tells of a bad address only when it is used", async () => {
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "localhost:8000", ANTHROPIC_API_KEY: "a" };
    await expect(findModel("openai/gpt-5", depsOf(env))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("OPENAI_BASE_URL"),
    });
    expect((await found("anthropic/claude-sonnet-5", depsOf(env))).target.provider).toBe("anthropic");
  });

  it("fills in what the catalogue knows, and nothing for what it does not", async () => {
    const env = { ANTHROPIC_API_KEY: "k" };
    expect((await found("anthropic/claude-sonnet-4-5", depsOf(env))).target).toMatchObject({
      contextWindow: 200_000,
      maxOutput: 64_000,
      reasoning: true,
    });
    const { target, model } = await found("anthropic/claude-brand-new-9", depsOf(env));
    expect(target).not.toHaveProperty("contextWindow");
    expect(model.contextWindow).toBeUndefined();
  });
});

describe("findModel: the demo", () => {
  it("is a model like another, and says what it is", async () => {
    expect(await findModel("demo/showcase", depsOf())).toMatchObject({
      model: { provider: "demo", model: "showcase", wire: "scripted" },
      notice: "scripted model, no network",
    });
    expect(await findModel("demo", depsOf())).toMatchObject({ model: { model: "showcase" } });
  });
});

describe("findModel: slips", () => {
  it.each([
    [
      "antropic/claude-sonnet-5",
      "unknown-provider",
      3,
      /no provider "antropic"; did you mean anthropic\/claude-sonnet-5\?/,
    ],
    ["claude-sonnet-5", "unknown-provider", 3, /did you mean anthropic\/claude-sonnet-5\?/],
    ["zzzzzzzzz/m", "unknown-provider", 3, /the providers are anthropic, openai, .*ollama.*demo/],
    ["demo/showcaes", "unknown-model", 3, /did you mean demo\/showcase\?/],
    ["openai/gpt-5:hgih", "bad-thinking-level", 2, /did you mean "high"\?/],
    ["anthropic/", "bad-model-spec", 2, /write provider\/model/],
  ])("%s", async (spec, code, exitCode, words) => {
    const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" };
    await expect(findModel(spec, depsOf(env))).rejects.toMatchObject({
      code,
      exitCode,
      message: expect.stringMatching(words),
    });
  });

  it("remarks on a name that looks like a slip, but lets every new model through", async () => {
    const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" };
    expect((await found("anthropic/claude-sonet-5", depsOf(env))).notice).toMatch(
      /did you mean anthropic\/claude-sonnet-5\?/,
    );
    expect((await found("anthropic/claude-sonnet-6", depsOf(env))).notice).toBeUndefined();
    expect((await found("openai/gpt-5-2025-08-07", depsOf(env))).notice).toBeUndefined();
  });
});

describe("findModel: own providers", () => {
  const OWN = `
providers:
  mine:
    wire: anthropic-messages
    baseUrl: http://127.0.0.1:9/api/v3
    apiKeyEnv: MINE_KEY
    headers: { x-team: core }
    models:
      - { id: big, contextWindow: 64000, maxOutput: 8000, reasoning: true }
`;

  it("are taken as they are written", async () => {
    modelsFile(OWN);
    expect((await found("mine/big:low", depsOf({ MINE_KEY: "k" }))).target).toEqual({
      provider: "mine",
      model: "big",
      wire: "anthropic-messages",
      baseUrl: "http://127.0.0.1:9/api/v3",
      apiKey: "k",
      headers: { "x-team": "core" },
      contextWindow: 64000,
      maxOutput: 8000,
      reasoning: true,
    });
  });

  it("name their variable when the key is missing, and their models when the name is wrong", async () => {
    modelsFile(OWN);
    await expect(findModel("mine/big", depsOf())).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("MINE_KEY"),
    });
    await expect(findModel("mine/bgi", depsOf({ MINE_KEY: "k" }))).rejects.toMatchObject({
      code: "unknown-model",
      exitCode: 3,
      message: expect.stringContaining("did you mean mine/big?"),
    });
  });

  it.each(["", "    apiKey: none\n", "    apiKeyEnv: none\n"])(
    "need no key where none is written (%j)",
    async (line) => {
      modelsFile(`providers:\n  mine:\n    wire: gemini\n    baseUrl: https://models.example/v1\n${line}`);
      expect((await found("mine/any", depsOf())).target).not.toHaveProperty("apiKey");
    },
  );

  it("may change a known provider's figures and keep its key", async () => {
    modelsFile("providers:\n  anthropic:\n    models: [{ id: claude-sonnet-5, contextWindow: 250000 }]\n");
    expect((await found("anthropic/claude-sonnet-5", depsOf({ ANTHROPIC_API_KEY: "k" }))).target).toMatchObject({
      apiKey: "k",
      contextWindow: 250_000,
      maxOutput: 128_000,
    });
    await expect(findModel("anthropic/claude-sonnet-5", depsOf())).rejects.toMatchObject({ exitCode: 3 });
  });

  it("do not send a vendor's key to another address", async () => {
    modelsFile("providers:\n  openai:\n    baseUrl: http://elsewhere.example/v1\n    wire: openai-responses\n");
    expect((await found("openai/gpt-5", depsOf({ OPENAI_API_KEY: "secret" }))).target).toMatchObject({
      baseUrl: "http://elsewhere.example/v1",
      wire: "openai-responses",
    });
    expect((await found("openai/gpt-5", depsOf({ OPENAI_API_KEY: "secret" }))).target).not.toHaveProperty("apiKey");
  });

  it("are refused without wire and address", async () => {
    modelsFile("providers:\n  mine:\n    apiKey: k\n");
    await expect(findModel(undefined, depsOf())).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("wire and baseUrl"),
    });
  });

  it("come from the config folder only: a broken file there is told, whatever is asked for", async () => {
    modelsFile("providers:\n  mine:\n    wires: gemini\n");
    await expect(findModel("demo/showcase", depsOf())).rejects.toMatchObject({ code: "bad-models-file", exitCode: 2 });
  });
});

describe("listModels", () => {
  it("lists own models, the catalogue, local models and the demo, and says what is ready", async () => {
    modelsFile(
      "providers:\n  mine:\n    wire: gemini\n    baseUrl: http://127.0.0.1:9/v1\n    models: [{ id: m, contextWindow: 9 }]\n",
    );
    const { models, catalogueDate } = await listModels(
      depsOf({ OPENAI_API_KEY: "k" }, { fetch: fetchOf({ [OLLAMA]: ["qwen3:8b"] }) }),
    );
    const one = (spec: string) => models.find((model) => model.spec === spec);
    expect(catalogueDate).toMatch(/^\d{4}-/);
    expect(models[0]).toEqual({ spec: "mine/m", name: "m", ready: true, origin: "models.yml", contextWindow: 9 });
    expect(one("openai/gpt-5")).toMatchObject({
      ready: true,
      origin: "catalogue",
      reasoning: true,
      price: { input: 1.25 },
    });
    expect(one("anthropic/claude-sonnet-5")).toMatchObject({ ready: false, missing: "ANTHROPIC_API_KEY" });
    expect(one("ollama/qwen3:8b")).toMatchObject({ ready: true, origin: "local server" });
    expect(models.at(-1)).toMatchObject({ spec: "demo/showcase", ready: true });
  });

  it("asks nobody but keyless servers", async () => {
    modelsFile(
      "providers:\n  far:\n    wire: gemini\n    baseUrl: https://models.example/v1\n    apiKey: k\n    models: [{ id: m }]\n",
    );
    const { models } = await listModels(depsOf({ ANTHROPIC_API_KEY: "k" }));
    expect(models[0]).toMatchObject({ spec: "far/m", ready: true });
    expect(asked.every((url) => url.startsWith("http://127.0.0.1:"))).toBe(true);
    expect(asked).toHaveLength(4);
  });
});
