/** What Ctrl+O prints of a piece that was shown shortened. */
import { fullText } from "../rows/tool.js";
import type { PieceBody } from "./pieces.js";

/** A prompt of fewer rows than this is shown whole. */
const PROMPT_ROWS = 13;
const PROMPT_CHARACTERS = PROMPT_ROWS * 60;
const AUDIT_HITS = 5;

/** @returns the piece to print, under a heading that says what it is; undefined where nothing of it was left out */
export function wholeOf(body: PieceBody): PieceBody | undefined {
  switch (body.kind) {
    case "tool": {
      const text = fullText(body.tool);
      const { name, target, result } = body.tool;
      const what = result?.diff === undefined ? "the whole output" : "the whole change";
      return text === undefined ? undefined : { kind: "full", title: `${name} ${target} · ${what}`, text };
    }
    case "thinking":
      return { kind: "full", title: "thinking · all of it", text: body.text, prose: true };
    case "user": {
      const isLong = body.text.split("\n").length > PROMPT_ROWS || body.text.length > PROMPT_CHARACTERS;
      return isLong ? { kind: "full", title: "your prompt · all of it", text: body.text, prose: true } : undefined;
    }
    case "audit": {
      if (body.hits.length <= AUDIT_HITS) return undefined;
      const lines = body.hits.map(({ rule, path, line, excerpt }) => `${rule}  ${path}:${line}  ${excerpt.trim()}`);
      return { kind: "full", title: "what this run left behind · all of it", text: lines.join("\n") };
    }
    case "ttsr":
      return body.expanded ? undefined : { ...body, expanded: true };
    default:
      return undefined;
  }
}
