import { describe, expect, it } from "vitest";
import { jsonLines } from "../../src/cli/commands/rules/json-lines.js";

const SCHEMA = {
  required: ["tasks"],
  properties: {
    tasks: { contains: { not: { required: ["agent"] }, properties: { kind: { enum: ["a", "b", "c"] } } } },
  },
};

describe("JSON as it is shown", () => {
  it.each([
    [{ required: ["force"] }, ['{"required":["force"]}']],
    ["x".repeat(90), [`"${"x".repeat(90)}"`]],
    [[], ["[]"]],
    [
      SCHEMA,
      [
        "{",
        '  "required": ["tasks"],',
        '  "properties": {',
        '    "tasks": {',
        '      "contains": {',
        '        "not": {"required":["agent"]},',
        '        "properties": {"kind":{"enum":["a","b","c"]}}',
        "      }",
        "    }",
        "  }",
        "}",
      ],
    ],
    [
      ["a".repeat(30), "b".repeat(40)],
      ["[", `  "${"a".repeat(30)}",`, `  "${"b".repeat(40)}"`, "]"],
    ],
  ])("%j", (value, wanted) => {
    expect(jsonLines(value, 70)).toEqual(wanted);
  });

  it("is the same value, on lines that fit as far as single values do", () => {
    for (const width of [10, 24, 40, 70, 500]) {
      const lines = jsonLines(SCHEMA, width);
      expect(JSON.parse(lines.join("\n"))).toEqual(SCHEMA);
      if (width >= 70) expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    }
    expect(jsonLines(SCHEMA, 500)).toHaveLength(1);
  });
});
