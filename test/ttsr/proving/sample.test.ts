import { describe, expect, it } from "vitest";
import { argumentsIn } from "../../../src/ttsr/proving/sample.js";

const nested = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("the arguments of a call, given as text", () => {
  it("are those of a JSON object that nobody gets lost in", () => {
    expect(argumentsIn('{"a":"[\\"[["}')).toEqual({ a: '["[[' });
    expect(argumentsIn(`{"a":"${"[".repeat(9_000)}"}`)).toBeDefined();
    expect(argumentsIn(nested(200))).toBeDefined();
    expect(argumentsIn(nested(20_000))).toBeUndefined();
    expect(argumentsIn("[1]")).toBeUndefined();
    expect(argumentsIn("{")).toBeUndefined();
  });
});
