import { describe, expect, it } from "vitest";
import { findModel, listModels } from "../../src/models/index.js";
import { asked, depsOf, fetchOf, found, modelsFile, OLLAMA } from "./resolve-setup.js";

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
