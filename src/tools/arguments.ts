/** Checks of a call's arguments, told in words that a model can act on. */
import * as v from "valibot";
import type { ToolResult, Validated } from "../agent/ports.js";

/** A file or folder as the model names it. */
export const pathSchema = v.pipe(v.string(), v.minLength(1));

/** A whole number of at least one. */
export const countSchema = v.pipe(v.number(), v.integer(), v.minValue(1));

/** @returns the checked arguments, or every fault with the place where it is; nothing is guessed or converted */
export function validateWith<S extends v.GenericSchema>(
  schema: S,
  args: Record<string, unknown>,
): Validated<v.InferOutput<S>> {
  const result = v.safeParse(schema, args);
  if (!result.success) {
    const faults = result.issues.slice(0, 5).map((issue) => {
      const place = v.getDotPath(issue);
      const fault = issue.expected === "never" ? "There is no such argument" : issue.message;
      return place === null ? fault : `${place}: ${fault}`;
    });
    return { ok: false, message: `Invalid arguments. ${faults.join(". ")}.` };
  }
  const nul = Object.entries(args).find(([, value]) => typeof value === "string" && value.includes("\0"));
  if (nul && nul[0] !== "content")
    return { ok: false, message: `Invalid arguments. ${nul[0]}: holds a NUL character.` };
  return { ok: true, value: result.output };
}

/** @returns a result of one text */
export function textResult(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return { content: [{ type: "text", text }], isError: false, ...more };
}

/** @returns a result that tells the model what went wrong */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
