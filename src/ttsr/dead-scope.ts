/** Scopes that can be read and name nothing: a rule must not die in silence. */

/** The texts that our own tools write. */
const TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["bash", ["command"]],
  ["write", ["content"]],
  ["edit", ["added", "removed"]],
]);
/** Tools of ours whose calls have no file. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(["bash"]);

/** @returns why a token `tool:<name>(<globs>)` never names a text, with what was probably meant; undefined where it may */
export function whyDead(
  name: string | undefined,
  hasGlobs: boolean,
): { message: string; suggestion: string } | undefined {
  const [tool = "", argument] = name?.split(".") ?? [];
  const texts = TEXTS.get(tool);
  if (!texts) return undefined;
  if (argument !== undefined && !argument.includes("*") && !texts.includes(argument)) {
    const shown = texts.map((text) => `"tool:${tool}.${text}"`).join(" or ");
    return { message: `no rule watches "${argument}" of ${tool}`, suggestion: `Did you mean ${shown}?` };
  }
  if (!hasGlobs || !WITHOUT_FILE.has(tool)) return undefined;
  return { message: `a call of ${tool} has no file`, suggestion: `Did you mean "tool:${tool}"?` };
}

/** Whether a tool by this name, or by any name for undefined, may come with a file. */
export function mayHaveFile(name: string | undefined): boolean {
  return name === undefined || !WITHOUT_FILE.has(name.split(".")[0] ?? "");
}

/** Whether a token names an argument of a tool of ours, and so no call as a whole. */
export function namesArgument(name: string): boolean {
  const [tool = "", argument] = name.split(".");
  return argument !== undefined && TEXTS.has(tool);
}
