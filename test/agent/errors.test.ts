import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/agent/errors.js";
import { incompleteError, networkError, notAnApiError, stalledError, toldError } from "../../src/models/errors.js";

const TARGET = { provider: "vllm", model: "m", baseUrl: "http://127.0.0.1:8000/v1" };

describe("what a failure says", () => {
  it.each([
    ["It broke", {}, "It broke.", "It broke."],
    ["It broke.", { advice: "mend it" }, "It broke; mend it.", "It broke."],
    ["It broke", { advice: "mend it", words: "no power" }, "It broke; mend it: no power.", "It broke: no power."],
    ["It broke", { words: "why?" }, "It broke: why?", "It broke: why?"],
    ["It broke", { words: 'said "no."' }, 'It broke: said "no."', 'It broke: said "no."'],
    ["It broke", { words: "cut…" }, "It broke: cut…", "It broke: cut…"],
  ])("%s %j", (fact, details, message, shorter) => {
    const error = new ModelError("overloaded", fact, details);
    expect([error.message, error.fact]).toEqual([message, shorter]);
  });

  it.each([
    toldError({ status: 429, message: "scripted failure 429" }, TARGET),
    toldError({ status: 503, message: "" }, TARGET),
    toldError({ status: 400, message: "bad thing" }, TARGET),
    incompleteError(TARGET),
    stalledError(TARGET, 60_000, true),
    stalledError(TARGET, 60_000, false),
    notAnApiError(TARGET, "<html>", 200),
    ...["UND_ERR_BODY_TIMEOUT", "SELF_SIGNED", "ECONNREFUSED", "ENOTFOUND", "OTHER"].map((code) =>
      networkError(Object.assign(new Error("why"), { code }), TARGET, false),
    ),
    networkError(new Error("gone"), TARGET, true),
  ])("$message", ({ message, fact }) => {
    expect(message).toMatch(/[^.][.]$/);
    expect(message).toContain(";");
    expect(fact).toMatch(/[^.][.]$/);
    // Said beside "Trying again in 3 s".
    expect(fact).not.toMatch(/;|try again|another model/);
  });
});
