/** One run of the shipped program that breaks the rule against `eval(` in its first answer and keeps it in its second. */
import type { Answer, LoggedRequest, NeutralMessage, ServedWire } from "../server/index.js";
import { callTool, say, startModelServer } from "../server/index.js";
import { createPlace, type Ended, jsonLines, modelOf, NO_EVAL, runAgent, writeModels } from "../support/e2e.js";

export type Cut = "gaps" | "burst" | "characters" | "whole";

export interface Case {
  wire: ServedWire;
  what: "text" | "call";
  contextMode: "discard" | "keep";
  cut: Cut;
}

export const PROMPT = "Make me a calculator.";
/** Nothing of this may be handled in a run whose lane came in pieces. */
export const MARK = "AFTER-THE-MATCH";
const TAIL = `${MARK} `.repeat(60);
export const BAD_TEXT = `I will call eval(source) for that. ${TAIL}`;
export const BAD_CONTENT = `export const calc = (source) => eval(source);\n// ${TAIL}\n`;

const PIECES: Readonly<Record<Cut, Omit<Answer, "blocks">>> = {
  gaps: { chunk: 4, gapMs: 4 },
  burst: { chunk: 4, burst: true },
  characters: { chunk: 1 },
  whole: { chunk: "whole" },
};

function firstAnswer({ what, cut, wire }: Case): Answer {
  if (what === "text") return say(BAD_TEXT, PIECES[cut]);
  // Gemini sends a call in one piece: only what follows the call can be cut off.
  if (wire === "gemini") {
    const content = BAD_CONTENT.replace(TAIL, "");
    const call = callTool("write", { path: "bad.mjs", content }, PIECES[cut]);
    return { ...call, blocks: [...(call.blocks ?? []), { type: "text", text: TAIL }] };
  }
  return callTool("write", { path: "bad.mjs", content: BAD_CONTENT }, PIECES[cut]);
}

export interface InterruptedRun extends Ended {
  events: Record<string, unknown>[];
  requests: readonly LoggedRequest[];
  /** The messages of the retry. */
  retry: NeutralMessage[];
  files: { bad: boolean; good: boolean };
}

/** Runs it, with events on standard output. */
export async function interruptedRun(which: Case): Promise<InterruptedRun> {
  const server = await startModelServer({
    script: [
      firstAnswer(which),
      ...(which.what === "text"
        ? [say("I will write a parser.")]
        : [callTool("write", { path: "good.mjs", content: "export const calc = parse;\n" }), say("It is written.")]),
    ],
  });
  const place = createPlace({ "project/.rules/no-eval.md": NO_EVAL });
  writeModels(place, server);
  try {
    const flags = ["-p", "--trust", "--permission-mode", "auto-edit", "--output-format", "stream-json"];
    const args = ["-m", modelOf(which.wire), "--set", `ttsr.contextMode=${which.contextMode}`, PROMPT];
    const ended = await runAgent([...flags, ...args], { place });
    await Promise.all(server.requests.map((request) => request.done));
    return {
      ...ended,
      events: jsonLines(ended.stdout),
      requests: server.requests,
      retry: server.requests[1]?.neutral().messages ?? [],
      files: { bad: place.has("project/bad.mjs"), good: place.has("project/good.mjs") },
    };
  } finally {
    await server.close();
    place.remove();
  }
}
