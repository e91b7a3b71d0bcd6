import { describe, expect, it } from "vitest";
import { answering, ask, DONE, ends, modelAt, say, stream } from "./http-answers.js";

describe("headers of the user's own", () => {
  it("take the place of ours, however they are spelled", async () => {
    const server = await answering((response) => void stream(response).end(say("a") + ends() + DONE));
    const headers = { Authorization: "Basic abc", "X-Team": "red" };
    await ask(modelAt(server.url, {}, { apiKey: "sk-not-this-one", headers }));
    await server.close();
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Basic abc", "x-team": "red" });
  });
});
