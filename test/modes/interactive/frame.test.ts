import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import { frameHeight } from "../../../src/modes/interactive/store/frame.js";
import { emptyState, type UiState } from "../../../src/modes/interactive/store/state.js";
import { UiStore } from "../../../src/modes/interactive/store/store.js";
import { Transcript } from "../../../src/modes/interactive/store/transcript.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";
import { KEYS } from "./usual-keys.js";

const theme = createTheme({ TERM: "xterm-256color", NO_COLOR: "1" });

function open(rows: number, columns: number, more: Partial<UiState> = {}) {
  const store = new UiStore(
    {
      ...emptyState({ columns, rows }, KEYS, undefined),
      status: { activity: "working", tick: 0, seconds: 3, mode: "ask", session: undefined, home: undefined },
      ...more,
    },
    theme,
  );
  return { store, transcript: new Transcript() };
}

const delta = (text: string): AgentEvent => ({
  type: "message_update",
  contentIndex: 0,
  delta: { kind: "text", text },
});

const TEXTS = {
  prose: Array.from(
    { length: 40 },
    (_, i) => `Paragraph ${i} says something that is long enough to be wrapped once or twice.\n\n`,
  ).join(""),
  "one line without end": "word ".repeat(200),
  "a fence of 300 lines": `\`\`\`ts\n${Array.from({ length: 300 }, (_, i) => `const line${i} = ${i};`).join("\n")}\n\`\`\`\n`,
  "a table": `| a | b |\n|---|---|\n${Array.from({ length: 80 }, (_, i) => `| ${i} | cell ${i} |`).join("\n")}\n`,
};

describe("the part of the screen that is drawn again is always lower than the terminal", () => {
  it.each(Object.entries(TEXTS))("while %s streams, for 10 to 60 rows and 20 to 120 columns", (_, text) => {
    for (let rows = 10; rows <= 60; rows += 5) {
      for (const columns of [20, 80, 120]) {
        const { store, transcript } = open(rows, columns, {
          queue: ["one", "two", "three", "four"],
          editor: { text: "a draft\n".repeat(20), cursor: 40 },
        });
        transcript.apply({ type: "message_start", role: "assistant" });
        for (let at = 0; at < text.length; at += 97) {
          transcript.apply(delta(text.slice(at, at + 97)));
          store.follow(transcript);
          expect(frameHeight(store.frame), `${rows} x ${columns}`).toBeLessThan(rows);
        }
      }
    }
  });

  it("prints every paragraph exactly once, whatever the moments of the flush", () => {
    for (const step of [1, 7, 97, 5000]) {
      const { store, transcript } = open(24, 80);
      transcript.apply({ type: "message_start", role: "assistant" });
      for (let at = 0; at < TEXTS.prose.length; at += step) {
        transcript.apply(delta(TEXTS.prose.slice(at, at + step)));
        if (at % 3 === 0) store.follow(transcript);
      }
      transcript.apply({
        type: "agent_end",
        status: "ok",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      });
      store.follow(transcript);
      const seen = [...store.state.printed.map(({ text }) => text), ...store.frame.live].join("\n");
      for (let i = 0; i < 40; i++) expect(seen.split(`Paragraph ${i} says`).length - 1, `step ${step}, ${i}`).toBe(1);
    }
  });
});
