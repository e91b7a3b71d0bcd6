import { toJsonSchema } from "@valibot/to-json-schema";
import { Ajv } from "ajv";
import type * as v from "valibot";
import { describe, expect, it } from "vitest";
import { bashArguments } from "../../src/tools/bash.js";
import { editArguments } from "../../src/tools/edit.js";
import { globArguments } from "../../src/tools/glob.js";
import { grepArguments } from "../../src/tools/grep.js";
import { lsArguments } from "../../src/tools/ls.js";
import { readArguments } from "../../src/tools/read.js";
import { writeArguments } from "../../src/tools/write.js";
import { bench } from "./kit.js";

const SCHEMAS: Record<string, v.GenericSchema> = {
  bash: bashArguments,
  edit: editArguments,
  glob: globArguments,
  grep: grepArguments,
  ls: lsArguments,
  read: readArguments,
  write: writeArguments,
};
const NAMES = Object.keys(SCHEMAS);

/** Keys in one order, without what is for the model's eyes only. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema)
    .filter(([key, value]) => key !== "$schema" && !(key === "description" && typeof value === "string"))
    .map(([key, value]) => [key, plain(value)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("the tools of every session", () => {
  it("are these, always in the same order", () => {
    const { tool } = bench();
    expect(NAMES.map((name) => tool(name).name)).toEqual(NAMES);
    expect(NAMES.filter((name) => tool(name).readOnly)).toEqual(["glob", "grep", "ls", "read"]);
  });

  it("fit into 2,200 tokens together, counted as four characters each", () => {
    const { tool } = bench();
    const sent = NAMES.map((name) => {
      const { description, parameters } = tool(name);
      return { name, description, parameters };
    });
    expect(JSON.stringify(sent).length / 4).toBeLessThanOrEqual(2200);
    for (const { description } of sent) expect(description).toMatch(/^[A-Z].*\.$/s);
  });

  it.each(NAMES)("%s: what the model is told is what is checked", (name) => {
    const { tool } = bench();
    expect(plain(tool(name).parameters)).toEqual(plain(toJsonSchema(SCHEMAS[name]!)));
  });

  it.each(NAMES)("%s: path is first, and named for the rules", (name) => {
    const { parameters, pathArgument } = bench().tool(name);
    const { properties } = parameters as { properties: Record<string, unknown> };
    const keys = Object.keys(properties);
    expect(keys.includes("path") ? keys[0] : undefined).toBe(name === "bash" ? undefined : "path");
    expect(pathArgument).toBe(name === "bash" ? undefined : "path");
  });

  it("both checks say the same to samples, right and wrong", () => {
    const samples: unknown[] = [
      {},
      { path: "a" },
      { path: "" },
      { path: 1 },
      { path: "a", more: 1 },
      { path: "a", offset: 1, limit: 2 },
      { path: "a", offset: 0 },
      { path: "a", offset: 1.5 },
      { path: "a", offset: "1" },
      { path: "a", content: "" },
      { path: "a", edits: [] },
      { path: "a", edits: [{ old: "a", new: "b" }] },
      { path: "a", edits: [{ old: "a", new: "b", all: "yes" }] },
      { path: "a", edits: [{ old: "a" }] },
      { pattern: "x" },
      { pattern: "x", glob: "", ignoreCase: true },
      { pattern: "x", glob: "*", ignoreCase: true },
      { pattern: "x", ignoreCase: 1 },
      { command: "ls" },
      { command: "ls", timeout: 3600 },
      { command: "ls", timeout: 3601 },
      { command: "ls", timeout: null },
      { command: "" },
    ];
    const { tool } = bench();
    const ajv = new Ajv();
    let right = 0;
    for (const name of NAMES) {
      const told = ajv.compile(tool(name).parameters as object);
      for (const sample of samples) {
        const ok = tool(name).validate(sample as Record<string, unknown>).ok;
        expect([name, sample, ok]).toEqual([name, sample, told(sample)]);
        if (ok) right++;
      }
    }
    expect(right).toBeGreaterThan(10);
  });

  it("an invalid call is told what was wrong, all of it", () => {
    const checked = bench()
      .tool("edit")
      .validate({ edits: [{ old: 1, new: "b" }], pth: "x" });
    expect(checked).toEqual({
      ok: false,
      message: expect.stringMatching(/^Invalid arguments\. .*path.*edits\.0\.old.*pth/),
    });
  });
});
