import { describe, expect, it } from "vitest";
import { checkBaseUrl, isLoopback, versionOf, withVersion } from "../../src/models/base-url.js";
import { CATALOGUE, CATALOGUE_DATE, CATALOGUE_SOURCES, findInCatalogue } from "../../src/models/catalogue.js";
import catalogueFile from "../../src/models/catalogue.json";
import { parseModelSpec, refuseBadThinking } from "../../src/models/model-spec.js";
import { VENDORS } from "../../src/models/providers.js";

describe("parseModelSpec", () => {
  it.each([
    ["anthropic/claude-sonnet-4-5:high", { provider: "anthropic", model: "claude-sonnet-4-5", thinking: "high" }],
    ["openai/gpt-5", { provider: "openai", model: "gpt-5" }],
    ["ollama/qwen3:8b", { provider: "ollama", model: "qwen3:8b" }],
    ["ollama/qwen3:8b:low", { provider: "ollama", model: "qwen3:8b", thinking: "low" }],
    ["openrouter/deepseek/deepseek-r1:free", { provider: "openrouter", model: "deepseek/deepseek-r1:free" }],
    ["openrouter/a/b:free:off", { provider: "openrouter", model: "a/b:free", thinking: "off" }],
    ["Anthropic", { provider: "anthropic" }],
    ["anthropic:xhigh", { provider: "anthropic", thinking: "xhigh" }],
    ["qwen3:8b", { provider: "qwen3:8b" }],
    ["qwen3:8b:low", { provider: "qwen3:8b", thinking: "low" }],
    ["  demo/showcase ", { provider: "demo", model: "showcase" }],
  ])("%s", (text, spec) => {
    expect(parseModelSpec(text)).toEqual(spec);
  });

  it.each(["", "/", "anthropic/", "/gpt-5", ":high", "a b/c"])("refuses %j with exit 2", (text) => {
    expect(() => parseModelSpec(text)).toThrow(expect.objectContaining({ code: "bad-model-spec", exitCode: 2 }));
  });

  it("takes a slip in the level for what it is, on a model that is known", () => {
    const known = (id: string): boolean => id === "gpt-5" || id === "qwen:8b";
    expect(() => refuseBadThinking("gpt-5:hgih", known)).toThrow(/"hgih" is no thinking level; did you mean "high"\?/);
    expect(() => refuseBadThinking("gpt-5:best", known)).toThrow(/off, minimal, low, medium, high, xhigh/);
    expect(() => refuseBadThinking("ft:gpt-4o:org::1", known)).not.toThrow();
    expect(() => refuseBadThinking("qwen:8b", known)).not.toThrow();
  });
});

describe("base URLs", () => {
  it.each([
    ["http://127.0.0.1:8000", "/v1", "http://127.0.0.1:8000/v1"],
    ["http://127.0.0.1:8000/", "/v1", "http://127.0.0.1:8000/v1"],
    ["http://127.0.0.1:8000/v1/", "/v1", "http://127.0.0.1:8000/v1"],
    ["https://api.z.ai/api/paas/v4", "/v1", "https://api.z.ai/api/paas/v4"],
    ["https://proxy.example/google", "/v1beta", "https://proxy.example/google/v1beta"],
    ["https://proxy.example/v1beta", "/v1", "https://proxy.example/v1beta"],
    ["https://proxy.example/v1beta1", "/v1", "https://proxy.example/v1beta1"],
  ])("%s gets %s only where it has no version: %s", (written, version, expected) => {
    expect(withVersion(checkBaseUrl(written, "X"), version)).toBe(expected);
  });

  it.each(["localhost:8000", "ftp://a", "", "https://user:pass@host/v1", "https://host/v1?key=1"])(
    "refuses %j",
    (text) => {
      expect(() => checkBaseUrl(text, "OPENAI_BASE_URL")).toThrow(/^OPENAI_BASE_URL /);
    },
  );

  it("knows what is on this machine", () => {
    for (const url of ["http://localhost:1/v1", "http://127.0.0.9/v1", "http://[::1]:8/v1"])
      expect(isLoopback(url)).toBe(true);
    for (const url of ["https://127.example.com", "https://api.openai.com/v1"]) expect(isLoopback(url)).toBe(false);
  });
});

describe("the catalogue", () => {
  it("is dated, and has a source for each group of figures", () => {
    expect(CATALOGUE_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(25);
    for (const model of CATALOGUE) {
      for (const source of Object.values(model.source))
        expect(CATALOGUE_SOURCES, `${model.id}: ${source}`).toHaveProperty(source);
      const vendorPage = model.source.limits !== "catwalk" && model.source.limits !== "resellers";
      if (!vendorPage) expect(model.unsure, model.id).toContain("contextWindow");
    }
  });

  it("holds to its type", () => {
    const keys = [
      "provider",
      "id",
      "name",
      "contextWindow",
      "maxOutput",
      "thinking",
      "cache",
      "price",
      "source",
      "unsure",
    ];
    for (const model of catalogueFile.models) {
      expect(keys).toEqual(expect.arrayContaining(Object.keys(model)));
      expect(["none", "optional", "always"]).toContain(model.thinking);
      expect(["marked", "automatic", "none"]).toContain(model.cache);
      expect(Number.isInteger(model.contextWindow) && model.contextWindow > 1000, model.id).toBe(true);
      for (const price of Object.values(model.price))
        expect(typeof price === "number" && price >= 0 && price < 500).toBe(true);
      expect(VENDORS.map(({ id }) => id)).toContain(model.provider);
    }
    const ids = CATALOGUE.map(({ provider, id }) => `${provider}/${id}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("knows every vendor's default, and every vendor's address has its version", () => {
    for (const vendor of VENDORS) {
      expect(findInCatalogue(vendor.id, vendor.defaultModel), vendor.id).toBeDefined();
      expect(versionOf(vendor.baseUrl), vendor.id).toMatch(/^\/v\d/);
      expect(checkBaseUrl(vendor.baseUrl, vendor.id)).toBe(vendor.baseUrl);
    }
  });

  it("finds a model by the name of its snapshot", () => {
    expect(findInCatalogue("anthropic", "claude-sonnet-4-5-20250929")?.id).toBe("claude-sonnet-4-5");
    expect(findInCatalogue("openai", "gpt-5-2025-08-07")?.id).toBe("gpt-5");
    expect(findInCatalogue("openai", "claude-sonnet-4-5")).toBeUndefined();
  });
});
