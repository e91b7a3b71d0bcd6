import { describe, expect, it } from "vitest";
import { createAssembler } from "../../src/agent/assemble.js";
import { isTooDeep } from "../../src/agent/json-depth.js";
import { parseJson } from "../../src/models/json.js";

const nested = (levels: number): string => `{"path":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

describe("JSON nested too deep", () => {
  it("is told from what merely holds many brackets", () => {
    expect(isTooDeep(nested(500))).toBe(false);
    expect(isTooDeep(nested(501))).toBe(true);
    expect(isTooDeep(`[${"[],".repeat(5000)}[]]`)).toBe(false);
    expect(isTooDeep(JSON.stringify({ content: `\\"${"[{".repeat(5000)}` }))).toBe(false);
    expect(isTooDeep(`"${"[".repeat(5000)}`)).toBe(false);
  });

  it("is no argument of a call: the log could not be written with it", () => {
    const assembler = createAssembler({ provider: "p", model: "m", wire: "openai-chat" });
    assembler.apply({ type: "call_start", index: 0, id: "c1", name: "read" });
    assembler.apply({ type: "args_delta", index: 0, text: nested(100_000) });
    const [call] = assembler.seal().content;
    expect(call).toMatchObject({ arguments: {}, invalidArguments: nested(100_000) });
    expect(() => JSON.stringify(call)).not.toThrow();
  });

  it("is no event of a wire either", () => {
    expect(parseJson(nested(500))).toBeDefined();
    expect(parseJson(nested(100_000))).toBeUndefined();
  });
});
