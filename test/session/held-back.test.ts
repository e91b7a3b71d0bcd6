/** TTSR-8.2: a crash between abort and retry. The interrupt that is made anew from the log on disk is the one that would have been sent. */
import { copyFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UserMessage } from "../../src/agent/messages.js";
import type { Tool } from "../../src/agent/ports.js";
import type { Rule } from "../../src/capability/rule.js";
import { rule } from "../support/rules.js";
import type { ScriptedAnswer } from "../support/scripted-model.js";
import { createSession, GOOD_TEXT, watchedTools } from "../support/session.js";
import { fakeTool } from "../support/tools.js";
import { eventually } from "../support/wait.js";
import { type Bench, bench } from "./helpers/session.js";

let own: Bench;
beforeEach(() => {
  own = bench();
});
afterEach(() => own.remove());

const LOOP = "I have everything that I need now, so I will write the file and run the tests.\n\n".repeat(4);
const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
+const a = eval(x);
*** Update File: src/b.ts
@@
+const b = eval(y);
*** End Patch
`;
const loops = rule("loops", { ttsrTrigger: [], detect: "repetition", scope: ["text", "thinking"] });
const lines = "I'll send.\nYes, all of it.\n".repeat(40);
const onCalls = { ttsrTrigger: [], callCondition: [{ properties: { list: { contains: { required: ["force"] } } } }] };
const onSyntax = { ttsrTrigger: [], astCondition: ["eval($X)"], scope: ["tool:write"] };
const write = (content: string) => ({ call: "write", args: { path: "src/a.ts", content } });
const TOOLS = [
  ...watchedTools(),
  fakeTool("apply_patch", { authored: [{ kind: "patch", argument: "input" }] }),
  fakeTool("put"),
  fakeTool("server.store.put"),
];
const answer = (...blocks: NonNullable<ScriptedAnswer["blocks"]>): ScriptedAnswer => ({ blocks, chunk: 10_000 });

type Way = [what: string, answer: ScriptedAnswer, rules: Rule[]];
const WAYS: Way[] = [
  ["a trigger in the answer", answer({ text: "I use eval( here" }), [rule("no-eval", { instead: "Parse it." })]],
  ["a trigger in thinking", answer({ thinking: "I use eval( here" }), [rule("no-eval", { scope: ["thinking"] })]],
  ["a trigger in a file", answer(write("const a = eval(x)\n")), [rule("no-eval")]],
  ["two files of a patch", answer({ call: "apply_patch", args: { input: PATCH } }), [rule("no-eval")]],
  ["two rules at once", answer({ text: "eval(alert(1))" }), [rule("a"), rule("b", { ttsrTrigger: ["alert\\("] })]],
  ["an argument below others", answer({ call: "put", args: { a: { b: ["eval("] } } }), [rule("no-eval")]],
  ["a tool with dots", answer({ call: "server.store.put", args: { a: { b: "eval(" } } }), [rule("no-eval")]],
  ["syntax", answer(write("const a = 1;\nconst b = eval(x);\n")), [rule("no-eval", onSyntax)]],
  ["a part of a call", answer({ call: "put", args: { list: [{}, { force: 1 }] } }), [rule("no-force", onCalls)]],
  [
    "a call of a tool with dots",
    answer({ call: "server.store.put", args: { list: [{ force: 1 }] } }),
    [rule("no-force", onCalls)],
  ],
  [
    "a call as a whole",
    answer({ call: "server.store.put", args: { force: true } }),
    [rule("no-force", { ttsrTrigger: [], callCondition: [{ required: ["force"] }] })],
  ],
  ["a repeated paragraph", answer({ text: LOOP }), [loops]],
  ["repeated lines, in thinking", answer({ thinking: lines }), [loops]],
];

/** @returns what was sent when the gap was over, and what is sent after a crash in it */
async function bothWays(answers: ScriptedAnswer[], rules: Rule[], tools: Tool[] = TOOLS) {
  const log = own.create();
  const live = createSession({ answers: [...answers, GOOD_TEXT], rules, tools, log });
  void live.session.prompt("go");
  // All but the last interrupt go on.
  for (let i = 1; i < answers.length; i++) await live.clock.advance(50);
  await eventually(async () => {
    await live.clock.advance(0);
    expect(live.session.isTtsrAbortPending).toBe(true);
  });
  const crashed = `${log.file}.crashed.jsonl`;
  copyFileSync(log.file ?? "", crashed);
  await live.clock.advance(50);
  const said = live.model.requests[answers.length]?.messages.at(-1);

  const again = createSession({ answers: [GOOD_TEXT], rules, tools, log: own.open(crashed) });
  await again.session.prompt("and now");
  return { said: said as UserMessage, rebuilt: again.model.requests[0]?.messages.at(-2) };
}

describe("TTSR-8.2 a crash in the gap", () => {
  it.each(WAYS)("%s: the same words, of the same rules", async (_, bad, rules) => {
    const { said, rebuilt } = await bothWays([bad], rules);
    expect(said).toMatchObject({ synthetic: "ttsr-interrupt", rules: rules.map(({ name }) => name) });
    expect(rebuilt).toEqual(said);
  });

  it("a repetition is told with what repeats", async () => {
    const { rebuilt } = await bothWays([answer({ text: LOOP })], [loops]);
    expect(JSON.stringify(rebuilt)).toContain("which repeats itself (the same paragraph 3 times): I have everything");
  });

  it("TTSR-5.3: a rule whose text stands in the branch is only named, as it would have been", async () => {
    const bad = answer({ text: "I use eval( here" });
    const { said, rebuilt } = await bothWays([bad, bad], [rule("no-eval")]);
    expect(said.again).toEqual(["no-eval"]);
    expect(rebuilt).toEqual(said);
  });
});
