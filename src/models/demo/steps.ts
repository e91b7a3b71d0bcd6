/** What the scripted model says and calls at each point of the demo. */
import source from "./workspace/calc.js.md";
import parser from "./workspace/parser.js.md";

export const DEMO_PROMPT = "Make calc evaluate any arithmetic expression, so that the tests pass.";

export type Step =
  | { type: "thinking"; thinking: string }
  | { type: "text"; text: string }
  | { type: "call"; name: string; args: Record<string, unknown> };

const PATH = "src/calc.js";

/** The line that the edits replace: the function's body. */
export const OLD_BODY = source.split("\n").find((line) => line.includes("return")) ?? "";
export const EVAL_BODY = `  // JavaScript works out arithmetic by itself.\n  return eval(expr);`;
export const PARSER_BODY = parser.trimEnd();

function edit(old: string, body: string): Step {
  return { type: "call", name: "edit", args: { path: PATH, edits: [{ old, new: body }] } };
}

const RUN_TESTS: Step = { type: "call", name: "bash", args: { command: "node --test" } };

const CONNECT = [
  "That was a script playing on the real loop, tools and rules. To go on with a real model, quit and either",
  "- set a key, for example ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or",
  "- start a local server such as Ollama; it is found by itself.",
  "",
  "Your first rule: put a file like .rules/no-eval.md from this folder into .rules/ of your own project, with the pattern that you never want to see again as ttsr_trigger. It costs nothing until the model breaks it.",
].join("\n");

export const STEPS = {
  read: [
    { type: "thinking", thinking: "calc can only add. I look at the code before I change it." },
    { type: "text", text: "I am a scripted model, made to show what a stream rule does. First I read the code." },
    { type: "call", name: "read", args: { path: PATH } },
  ],
  wrongEdit: [
    { type: "thinking", thinking: "The quickest way is to let JavaScript work the expression out." },
    { type: "text", text: "It only adds. The shortest way to all of arithmetic is one line:" },
    edit(OLD_BODY, EVAL_BODY),
  ],
  rightEdit: [
    {
      type: "thinking",
      thinking: "A rule of this project forbids eval. Sums, products and brackets need three small functions.",
    },
    { type: "text", text: "No eval, then. Three small functions read the expression:" },
    edit(OLD_BODY, PARSER_BODY),
  ],
  undoEval: [
    {
      type: "text",
      text: "Nothing stopped me: that edit went through, and eval(expr) now stands in src/calc.js. With the rule .rules/no-eval.md switched on it would have been cut off before it was written. I take it out again.",
    },
    edit(EVAL_BODY, PARSER_BODY),
  ],
  test: [{ type: "text", text: "Now the tests." }, RUN_TESTS],
  passed: [
    {
      type: "text",
      text: `All tests pass, and calc("process.exit(0)") is refused instead of run. The edit with eval was never made: it was cut off while it was being written.\n\n${CONNECT}`,
    },
  ],
  passedUncut: [
    {
      type: "text",
      text: `All tests pass. But no rule cut anything off in this run, which is what the demo is about.\n\n${CONNECT}`,
    },
  ],
  failed: [
    {
      type: "text",
      text: `The tests did not pass here, and a script cannot find out why; their output is above.\n\n${CONNECT}`,
    },
  ],
  untested: [{ type: "text", text: `The command did not run, so I cannot say whether the tests pass.\n\n${CONNECT}` }],
  unedited: [
    {
      type: "text",
      text: `The edit was not made, and a scripted model has no second idea, so I stop here.\n\n${CONNECT}`,
    },
  ],
  unread: [
    {
      type: "text",
      text: `I could not read src/calc.js, and a scripted model has no second idea, so I stop here.\n\n${CONNECT}`,
    },
  ],
  offScript: [
    {
      type: "text",
      text: `I am a scripted model: I understand nothing and only play one scene. Ask me exactly this to see it, in the folder that the demo made:\n\n    ${DEMO_PROMPT}\n\n${CONNECT}`,
    },
  ],
} as const satisfies Record<string, readonly Step[]>;

export type Scene = keyof typeof STEPS;
