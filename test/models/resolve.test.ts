import { describe, expect, it } from "vitest";
import type { FoundModel } from "../../src/models/index.js";
import { findModel, listModels } from "../../src/models/index.js";
import { systemClock } from "../../src/platform/clock.js";
import { startModelServer } from "../server/index.js";
import { FakeClock } from "../support/fake-clock.js";
import { eventually } from "../support/wait.js";
import { asked, depsOf, fetchOf, found, modelsFile, OLLAMA, servers, VLLM } from "./resolve-setup.js";

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
    await eventually(() => expect(asked).toHaveLength(4));
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

  it("is asked for its list when it is named, and for nothing where it does not answer", async () => {
    expect((await found("ollama/qwen3:8b", depsOf())).target).toEqual({
      provider: "ollama",
      model: "qwen3:8b",
      wire: "openai-chat",
      baseUrl: "http://127.0.0.1:11434/v1",
    });
    expect(asked).toEqual([OLLAMA]);
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
    ["claude-sonet-5", "unknown-provider", 3, /no provider and no model .*did you mean anthropic\/claude-sonnet-5\?/],
    ["antropic", "unknown-provider", 3, /did you mean anthropic\?/],
    ["gpt-5:huge", "bad-thinking-level", 2, /"huge" is no thinking level; use one of off, .*xhigh/],
    ["anthropic/claude-brand-new:huge", "bad-thinking-level", 2, /use one of off, .*xhigh/],
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
    expect((await found("anthropic/claude-sonet-5", depsOf(env))).warning).toMatch(
      /did you mean anthropic\/claude-sonnet-5\?/,
    );
    expect((await found("anthropic/claude-sonnet-6", depsOf(env))).warning).toBeUndefined();
    expect((await found("openai/gpt-5-2025-08-07", depsOf(env))).warning).toBeUndefined();
    expect((await found("openai/ft:gpt-4o:org:suffix", depsOf(env))).target.model).toBe("ft:gpt-4o:org:suffix");
    const gateway = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    expect((await found("openai/qwen3:instruct", depsOf(gateway))).target.model).toBe("qwen3:instruct");
  });
});

describe("findModel: a model without its provider", () => {
  const fetch = fetchOf({
    [VLLM]: ["qwen3-coder", "both"],
    [OLLAMA]: ["qwen3:8b", "llama3:latest", "both", "maker/phi-4"],
  });

  it.each([
    ["qwen3-coder", "vllm/qwen3-coder"],
    ["Qwen3-Coder:high", "vllm/qwen3-coder"],
    ["qwen3:8b", "ollama/qwen3:8b"],
    ["llama3", "ollama/llama3:latest"],
    ["maker/phi-4", "ollama/maker/phi-4"],
    ["phi-4", "ollama/maker/phi-4"],
    ["own-one", "mine/own-one"],
    ["gpt-5", "openai/gpt-5"],
  ])("%s is taken where one has it: %s", async (name, spec) => {
    modelsFile(
      "providers:\n  mine: { wire: gemini, baseUrl: 'http://127.0.0.1:7/v1', apiKey: k, models: [{ id: own-one }] }\n",
    );
    const { target, notice, thinking } = await found(name, depsOf({ OPENAI_API_KEY: "k" }, { fetch }));
    expect(`${target.provider}/${target.model}`).toBe(spec);
    expect(notice).toBe(`Using ${spec}.`);
    expect(thinking).toBe(name.endsWith(":high") ? "high" : undefined);
  });

  it.each([
    ["both", "ambiguous-model", 2, /Several providers have "both"; name one: ollama\/both, vllm\/both\.$/],
    ["qwen3-codr", "unknown-provider", 3, /did you mean vllm\/qwen3-coder\?/],
    ["coder", "unknown-provider", 3, /did you mean .*vllm\/qwen3-coder/],
    ["llama3:huge", "bad-thinking-level", 2, /"huge" is no thinking level/],
    ["claude-sonnet-4-5", "no-credentials", 3, /ANTHROPIC_API_KEY/],
  ])("%s is refused: %s", async (name, code, exitCode, words) => {
    await expect(findModel(name, depsOf({}, { fetch }))).rejects.toMatchObject({
      code,
      exitCode,
      message: expect.stringMatching(words),
    });
  });

  it("one that has a key wins over one that has none; localServers: false asks nobody", async () => {
    const name = "gpt-oss-120b";
    expect((await found(name, depsOf({ CEREBRAS_API_KEY: "k" }))).target.provider).toBe("cerebras");
    modelsFile("localServers: false\n");
    asked.length = 0;
    await expect(findModel("qwen3-coder", depsOf({}, { fetch }))).rejects.toMatchObject({ exitCode: 3 });
    expect(asked).toEqual([]);
  });

  it("a local server's list: what it has not is remarked on, a wrong thinking level is refused", async () => {
    const warning = async (spec: string) => (await found(spec, depsOf({}, { fetch }))).warning;
    expect(await warning("vllm/qwen3")).toBe(
      'vLLM at http://127.0.0.1:8000/v1 does not list "qwen3"; did you mean vllm/qwen3-coder?',
    );
    expect(await warning("vllm/zzzz")).toMatch(/it has vllm\/qwen3-coder, vllm\/both\.$/);
    expect(await warning("ollama/qwen3:14b")).toMatch(/did you mean ollama\/qwen3:8b\?/);
    for (const spec of ["ollama/qwen3:8b", "ollama/llama3", "ollama/qwen3:8b:low", "lmstudio/silent"]) {
      expect(await warning(spec)).toBeUndefined();
    }
    await expect(findModel("vllm/qwen3-coder:huge", depsOf({}, { fetch }))).rejects.toMatchObject({
      code: "bad-thinking-level",
      exitCode: 2,
    });
  });
});
