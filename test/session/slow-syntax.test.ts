/** A rule on syntax that would take minutes, through a whole session. */
import { expect, it } from "vitest";
import type { AstPattern } from "../../src/capability/rule.js";
import { rule } from "../support/rules.js";
import { createSession, watchedTools } from "../support/session.js";

const below = (depth: number): Record<string, unknown> =>
  depth === 0 ? { pattern: "nowhere" } : { has: { stopBy: "end", ...below(depth - 1) } };
const ENDLESS: AstPattern = { rule: { kind: "program", ...below(5) } };
const content = "export function f(a, b) { return a > b ? g(a, [b, c(d)]) : x.y((z) => z + 1); }\n".repeat(3500);

const opened = () =>
  createSession({
    answers: [
      { blocks: [{ call: "write", args: { path: "a.ts", content } }], chunk: 50_000, reason: "toolUse" },
      { blocks: [{ text: "Done." }] },
    ],
    rules: [rule("endless", { ttsrTrigger: [], astCondition: [ENDLESS] })],
    tools: watchedTools(),
  });

it("TTSR-4.5 is given up and told, and the call runs", async () => {
  const { session, events } = opened();
  await session.prompt("Go");
  expect(events).toContainEqual({
    type: "notice",
    level: "warning",
    code: "rule-slow",
    message:
      "Rule endless: A file was let pass without its `astCondition`: it took longer than 1 s, and is tried no more.",
  });
  expect(events.map(({ type }) => type)).toContain("tool_execution_end");
  await session.dispose();
});

it("TTSR-9.2 Esc ends the run at once: nothing was run, nothing is told of the rule", async () => {
  const { session, events } = opened();
  const run = session.prompt("Go");
  await new Promise((resolve) => setTimeout(resolve, 400));
  session.abort();
  await run;
  const types = events.map(({ type }) => type);
  expect(types).toContain("agent_end");
  expect(types).not.toContain("tool_execution_end");
  expect(types).not.toContain("notice");
  await session.dispose();
});
