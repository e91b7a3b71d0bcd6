import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseModelsFile, readModelsFile } from "../../src/models/models-file.js";

const PATH = "/home/me/.config/ttsr-agent/models.yml";

function refusal(source: string): { message: string; exitCode: number } {
  try {
    parseModelsFile(source, PATH);
  } catch (error) {
    return error as { message: string; exitCode: number };
  }
  throw new Error("was accepted");
}

describe("models.yml", () => {
  it("gives providers in order, with all that was written", () => {
    const source = `
providers:
  my-vllm:
    wire: openai-chat          # a comment
    baseUrl: http://localhost:8000/v1/
    apiKeyEnv: MY_VLLM_KEY
    headers: { x-team: core }
    models:
      - { id: qwen3-coder, contextWindow: 131072, maxOutput: 32768, reasoning: false }
  Anthropic:
    models:
      - id: claude-next
        price: { input: 1, output: 2 }
`;
    expect(parseModelsFile(source, PATH).providers).toEqual([
      {
        id: "my-vllm",
        wire: "openai-chat",
        baseUrl: "http://localhost:8000/v1",
        apiKeyEnv: "MY_VLLM_KEY",
        headers: { "x-team": "core" },
        models: [{ id: "qwen3-coder", contextWindow: 131072, maxOutput: 32768, reasoning: false }],
      },
      { id: "anthropic", models: [{ id: "claude-next", price: { input: 1, output: 2 } }] },
    ]);
  });

  it.each([
    ["empty", ""],
    ["only a comment", "# nothing yet\n"],
    ["no providers", "providers:\n"],
  ])("may be %s", (_, source) => {
    expect(parseModelsFile(source, PATH).providers).toEqual([]);
  });

  it.each([
    [
      "an unknown key",
      "providers:\n  a:\n    wire: gemini\n    baseURL: http://x/v1\n",
      4,
      /no key "baseURL".*did you mean "baseUrl"/,
    ],
    ["an unknown key at the top", "provider:\n  a: {}\n", 1, /no key "provider".*did you mean "providers"/],
    [
      "an unknown key of a model",
      "providers:\n  a:\n    models:\n      - id: m\n        context: 5\n",
      5,
      /no key "context"/,
    ],
    [
      "an unknown key of a price",
      "providers:\n  a:\n    models:\n      - id: m\n        price: { input: 1, output: 1, cached: 1 }\n",
      5,
      /input, output, cacheRead, cacheWrite/,
    ],
    [
      "a wire that is none",
      "providers:\n  a:\n    wire: openai-chats\n",
      3,
      /wire is "openai-chats"; did you mean "openai-chat"/,
    ],
    [
      "a wire far from any",
      "providers:\n  a:\n    wire: soap\n",
      3,
      /may be openai-chat, openai-responses, anthropic-messages, gemini/,
    ],
    [
      "a wrong type",
      "providers:\n  a:\n    models:\n      - id: m\n        contextWindow: 128k\n",
      5,
      /contextWindow: a whole number of tokens/,
    ],
    ["a list in the wrong place", "providers:\n  - a\n", 1, /providers: names of providers and their settings/],
    ["a text in the wrong place", "providers: all\n", 1, /providers: names of providers and their settings/],
    ["a model without id", "providers:\n  a:\n    models:\n      - contextWindow: 5\n", 4, /"id" is missing/],
    ["a bad address", "providers:\n  a:\n    wire: gemini\n    baseUrl: localhost:80\n", 4, /no http or https address/],
    ["two keys", "providers:\n  a:\n    apiKey: x\n    apiKeyEnv: Y\n", 3, /exclude each other/],
    ["a name with a slash", "providers:\n  a/b:\n    wire: gemini\n", 2, /"a\/b"/],
    ["broken YAML", "providers:\n  a:\n   wire: [gemini\n", 4, /no valid YAML/],
    ["a key written twice", "providers:\n  a: {}\n  a: {}\n", 3, /no valid YAML/],
  ])("is refused for %s, with its line", (_, source, line, words) => {
    const { message, exitCode } = refusal(source);
    expect(message).toContain(`${PATH}:${line}: `);
    expect(message).toMatch(words);
    expect(message).not.toContain("\n");
    expect(exitCode).toBe(2);
  });

  it("does not blow up on a bomb of aliases", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [one, two] of ["ab", "bc", "cd", "de", "ef"]) bomb.push(`${two}: &${two} [${`*${one},`.repeat(9)}]`);
    expect(refusal(bomb.join("\n")).exitCode).toBe(2);
  });

  describe("on disk", () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "ttsr-models-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it("may be missing, and so may its folder", async () => {
      expect((await readModelsFile(folder)).providers).toEqual([]);
      expect((await readModelsFile(join(folder, "none"))).providers).toEqual([]);
    });

    it("is read from the config folder", async () => {
      writeFileSync(join(folder, "models.yml"), "providers:\n  a:\n    wire: gemini\n");
      expect((await readModelsFile(folder)).providers).toEqual([{ id: "a", wire: "gemini" }]);
    });

    it("is told of when it cannot be read", async () => {
      mkdirSync(join(folder, "models.yml"));
      await expect(readModelsFile(folder)).rejects.toMatchObject({ exitCode: 2, code: "bad-models-file" });
    });
  });
});
