/** One run of the shipped program that breaks the rule against `eval(` in its first answer and keeps it in its second. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer, LoggedRequest, NeutralMessage, ServedWire } from "../server/index.js";
import { callTool, say } from "../server/index.js";
import { type Ended, World } from "../support/program.js";

export type Cut = "gaps" | "burst" | "characters" | "whole";

export interface Case {
  wire: ServedWire;
  what: "text" | "call" | "text and call";
  contextMode: "discard" | "keep";
  cut: Cut;
}

export const PROMPT = "Make me a calculator.";
/** Nothing that holds this may be handled. */
export const MARK = "AFTER-THE-MATCH";
const TAIL = `${MARK} `.repeat(60);
export const BAD_TEXT = `I will call eval(source) for that. ${TAIL}`;
export const BAD_CONTENT = `export const calc = (source) => eval(source);\n// ${TAIL}\n`;
export const BEFORE = "I write it now.";
export const GOOD_TEXT = "It is done with a parser.";

const PIECES: Readonly<Record<Cut, Omit<Answer, "blocks">>> = {
  gaps: { chunk: 4, gapMs: 4 },
  burst: { chunk: 4, burst: true },
  characters: { chunk: 1 },
  whole: { chunk: "whole" },
};

function firstAnswer({ what, cut, wire }: Case): Answer {
  if (what === "text") return say(BAD_TEXT, PIECES[cut]);
  // Gemini sends a call in one piece: only what follows the call can be cut off.
  const whole = wire === "gemini";
  const content = whole ? BAD_CONTENT.replace(TAIL, "") : BAD_CONTENT;
  const blocks: Answer["blocks"] = [
    ...(what === "text and call" ? [{ type: "text", text: BEFORE } as const] : []),
    { type: "call", name: "write", args: { path: "bad.mjs", content } },
    ...(whole ? [{ type: "text", text: TAIL } as const] : []),
  ];
  return { blocks, ...PIECES[cut] };
}

export interface InterruptedRun extends Ended {
  requests: readonly LoggedRequest[];
  /** The messages of the retry. */
  retry: NeutralMessage[];
  files: { bad: boolean; good: boolean };
}

/** Runs it, with events on standard output. */
export async function interruptedRun(which: Case): Promise<InterruptedRun> {
  const good = callTool("write", { path: "good.mjs", content: "export const calc = parse;\n" });
  const world = await World.open([firstAnswer(which), ...(which.what === "text" ? [] : [good]), say(GOOD_TEXT)]);
  try {
    const flags = ["--permission-mode", "auto-edit", "--output-format", "stream-json"];
    const ended = await world.print([...flags, "--set", `ttsr.contextMode=${which.contextMode}`, PROMPT], which.wire);
    const { requests } = world.server;
    await Promise.all(requests.map((request) => request.done));
    return {
      ...ended,
      requests,
      retry: requests[1]?.neutral().messages ?? [],
      files: {
        bad: existsSync(join(world.project, "bad.mjs")),
        good: existsSync(join(world.project, "good.mjs")),
      },
    };
  } finally {
    await world.close();
  }
}
