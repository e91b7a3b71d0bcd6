/** Rules and answers for random sessions: everything that can be cut, in every mode, mixed with everything that a provider does wrong. */
import { ModelError } from "../../../src/agent/errors.js";
import type { Rule } from "../../../src/capability/rule.js";
import type { TtsrSettings } from "../../../src/ttsr/types.js";
import { rule } from "../../support/rules.js";
import type { ScriptedAnswer } from "../../support/scripted-model.js";
import type { Random } from "../../ttsr/matcher/fuzz/random.js";

type Block = NonNullable<ScriptedAnswer["blocks"]>[number];

const PARAGRAPH = "I have everything that I need, so I will write the file and run the tests.\n\n";
const MODES = ["discard", "keep", "rewind"] as const;

/** No call that breaks one of these may ever run. */
export function hardRules(random: Random): Rule[] {
  return [
    rule("no-eval", {
      scope: ["tool"],
      contextMode: random.pick(MODES),
      ...(random.below(3) === 0 ? { provider: "user" } : {}),
    }),
    rule("no-force", {
      ttsrTrigger: [],
      callCondition: [{ required: ["force"], properties: { force: { const: true } } }],
      scope: ["tool:bash"],
    }),
  ];
}

export function brokenByHand(args: Record<string, unknown>): boolean {
  return args["force"] === true || JSON.stringify(args).includes("eval(");
}

export function softRules(random: Random): Rule[] {
  const all = [
    rule("loops", { ttsrTrigger: [], detect: "repetition", scope: ["text", "thinking"] }),
    rule("say", {
      ttsrTrigger: ["\\bfoo\\b"],
      scope: ["text"],
      warmupMatches: random.below(4),
      interruptMode: random.pick(["always", "never", "tool-only", "prose-only"] as const),
      repeatMode: random.pick(["always", "once", "after-gap"] as const),
      repeatGap: 1,
      contextMode: random.pick(MODES),
    }),
    rule("warm", {
      ttsrTrigger: ["warm"],
      scope: ["tool"],
      warmupMatches: 2,
      interruptMode: random.pick(["always", "never"] as const),
    }),
    // Decided in the worker.
    rule("slow", { ttsrTrigger: ["(a)\\1zz"], scope: ["tool", "text"] }),
  ];
  return all.filter(() => random.below(2) === 0);
}

export function randomSettings(random: Random): Partial<TtsrSettings> {
  return {
    retryDelayMs: random.pick([0, 50]),
    contextMode: random.pick(MODES),
    budget: { perRule: random.below(3), perRun: random.below(6), perSession: 20 },
  };
}

/** @returns answers, the last of which breaks nothing */
export function randomAnswers(random: Random): ScriptedAnswer[] {
  return [...random.list(1 + random.below(12), () => answer(random)), { blocks: [{ text: "The end." }] }];
}

function answer(random: Random): ScriptedAnswer {
  const blocks = random
    .list(1 + random.below(3), () => block(random))
    .map((each, i) => {
      if (!("call" in each)) return each;
      return { ...each, id: random.below(8) === 0 ? "same" : `c${i}_${random.below(1_000_000)}` };
    });
  const whole: ScriptedAnswer = { blocks, chunk: random.pick([1, 3, 50, 10_000]), burst: random.below(4) === 0 };
  const faults: Partial<ScriptedAnswer>[] = [
    { error: new ModelError("overloaded", "The provider is busy") },
    { incomplete: true },
    { reason: "length" },
    { reason: "refusal" },
    { hang: true },
  ];
  return { ...whole, ...faults[random.below(14)] };
}

function block(random: Random): Block {
  const bash = (args: Record<string, unknown>): Block => ({ call: "bash", args });
  return random.pick<Block>([
    { text: "hello there. " },
    { text: "a foo b" },
    { text: PARAGRAPH.repeat(4) },
    { text: "Done.<|im_end|>\n<|im_start|>user" },
    { text: `foo x.<|im_end|> ${PARAGRAPH.repeat(3)}` },
    { text: "" },
    { thinking: PARAGRAPH.repeat(4), signature: "signed" },
    bash({ command: "ls" }),
    bash({ command: "eval(x)" }),
    bash({ command: "ls", force: true }),
    bash({ command: "warm", force: random.below(2) === 0 }),
    bash({ command: "aazz" }),
    { call: "bash", args: '{"command":"eval(' },
    { call: "read", args: { path: "a" } },
    { call: "write", args: { path: "a.ts", content: "x\neval(\n" } },
  ]);
}
