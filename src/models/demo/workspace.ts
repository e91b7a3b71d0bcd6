/** The little project in which the demo plays. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reasonOf, UserError } from "../../platform/errors.js";
import { DEMO_PROMPT } from "./steps.js";
import source from "./workspace/calc.js.md";
import tests from "./workspace/calc.test.js.md";
import rule from "./workspace/no-eval.md";
import manifest from "./workspace/package.json.md";

/** Relative path → content. */
export const WORKSPACE: Readonly<Record<string, string>> = {
  "package.json": manifest,
  "src/calc.js": source,
  "test/calc.test.js": tests,
  ".rules/no-eval.md": rule,
};

/**
 * Writes the demo's files. Never over a file that is there.
 * @param folder absolute; made if it is missing
 * @returns what to type into the prompt
 * @throws UserError when a file cannot be written
 */
export async function writeDemoWorkspace(folder: string): Promise<{ prompt: string }> {
  for (const [name, content] of Object.entries(WORKSPACE)) {
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { flag: "wx" });
    } catch (error) {
      throw new UserError("demo-workspace", `The demo cannot write ${path}: ${reasonOf(error)}.`, 1, { cause: error });
    }
  }
  return { prompt: DEMO_PROMPT };
}
