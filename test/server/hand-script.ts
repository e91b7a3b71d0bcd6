import type { LoggedRequest } from "./log.js";
import type { Answer } from "./script.js";
import { callTool, say } from "./script.js";

/** The answers of `run.mjs`: a call that breaks the usual rule against eval, a clean one after an interrupt, and an end. */
export function handScript(request: LoggedRequest): Answer {
  const { messages } = request.neutral();
  const last = messages.at(-1);
  const gapMs = 30;
  if (last?.role === "tool") {
    const result = last.results.at(-1)?.text ?? "";
    return say(`The tool said: ${result.slice(0, 200)}`, { gapMs });
  }
  const path = "scratch/answer.mjs";
  if (last?.text.includes("<system-interrupt")) {
    return callTool("write", { path, content: "export const answer = (a, b) => a + b;\n" }, { gapMs });
  }
  return callTool("write", { path, content: "export const answer = (source) => eval(source);\n" }, { gapMs });
}
