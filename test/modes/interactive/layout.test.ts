import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../../../src/modes/interactive/rows/highlight.js";
import { emptyState } from "../../../src/modes/interactive/store/state.js";
import { UiStore } from "../../../src/modes/interactive/store/store.js";
import { Transcript } from "../../../src/modes/interactive/store/transcript.js";
import { createTheme } from "../../../src/modes/interactive/theme.js";
import { KEYS } from "./usual-keys.js";

const looks = {
  "no colours": createTheme({ NO_COLOR: "1" }),
  "colours, links and highlighted code": createTheme({ TERM: "xterm-kitty", COLORTERM: "truecolor" }, { name: "dark" }),
  "a screen reader": createTheme({ NO_COLOR: "1" }, { screenReader: true }),
};

beforeAll(() => loadLanguage("ts"));

/** What is printed of an answer, once it has ended. `flushes`: before which pieces the screen follows. */
function printed(
  pieces: readonly string[],
  flushes: (i: number) => boolean,
  columns = 60,
  theme = looks["no colours"],
): string[] {
  const store = new UiStore(
    {
      ...emptyState({ columns, rows: 24 }, KEYS, undefined),
      status: { activity: "working", tick: 0, seconds: 0, mode: "ask", session: undefined, home: undefined },
    },
    theme,
  );
  const transcript = new Transcript();
  transcript.apply({ type: "message_start", role: "assistant" });
  pieces.forEach((text, i) => {
    transcript.apply({ type: "message_update", contentIndex: 0, delta: { kind: "text", text } });
    if (flushes(i)) store.follow(transcript);
  });
  transcript.apply({ type: "agent_end", status: "ok", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } });
  store.follow(transcript);
  expect(store.frame.live).toEqual([]);
  return store.state.printed.flatMap(({ text }) => text.split("\n"));
}

const part = fc.constantFrom(
  "Some words of a sentence. ",
  "漢字が続く文です。",
  "漢字が続く文です。".repeat(80),
  "QUJD".repeat(500),
  "emoji 🙂 and more ",
  "**strong words** ",
  "`code` ",
  "[a link](https://example.com) ",
  `${"a sentence that goes on and on ".repeat(40)}`,
  "\n",
  "\n\n",
  "- item\n",
  "1. one\n",
  "# Head\n",
  "| a | b |\n|---|---|\n| 1 | 2 |\n",
  "```ts\n",
  "const a = 1; /* open\n",
  "closed */ const b = `text\n",
  "```\n",
  "> quoted\n",
);

describe("the rows of an answer", () => {
  it.each(Object.entries(looks))(
    "are the same for any cutting of the stream and any moments of the flush: %s",
    (_, theme) => {
      fc.assert(
        fc.property(
          fc.array(part, { maxLength: 14 }),
          fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }),
          fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
          (parts, sizes, flushes) => {
            const text = parts.join("");
            const pieces: string[] = [];
            for (let at = 0, i = 0; at < text.length; i++) {
              const size = sizes[i % sizes.length] ?? 1;
              pieces.push(text.slice(at, at + size));
              at += size;
            }
            const whole = printed([text], () => false, 60, theme);
            expect(printed(pieces, (i) => flushes[i % flushes.length] ?? false, 60, theme)).toEqual(whole);
          },
        ),
        { numRuns: 80 },
      );
    },
  );

  it("of one line of 20 KB are full: a cut leaves no short row behind", () => {
    const rows = printed(["plain words and more of them ".repeat(700)], () => true, 80);
    expect(rows.length).toBeGreaterThan(200);
    for (const row of rows.slice(0, -1)) expect(row.length).toBeGreaterThan(2 + 77 - 8);
  });

  it("of a long Japanese line are full as well", () => {
    const rows = printed(["漢字が続く文です。".repeat(300)], () => true, 60);
    expect(rows.join("").replaceAll(/\s/g, "")).toBe("漢字が続く文です。".repeat(300));
    for (const row of rows.slice(0, -1)) expect(row.trim().length).toBeGreaterThan(25);
  });

  it("lose and double no word where a long line is cut", () => {
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    const seen = printed([`${words.join(" ")}\n`], () => true, 50).join(" ");
    for (const word of words) expect(seen.split(new RegExp(`\\b${word}\\b`)).length - 1, word).toBe(1);
  });
});
