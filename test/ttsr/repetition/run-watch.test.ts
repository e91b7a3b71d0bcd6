/** Runs of sentences that were all there before: in lines, in short paragraphs, in one line without end. */
import { describe, expect, it } from "vitest";
import { type Loop, LoopWatch } from "../../../src/ttsr/repetition/loop-watch.js";
import { type Sentence, SentenceReader } from "../../../src/ttsr/repetition/sentences.js";
import { cuts } from "../helpers.js";

function loopOf(pieces: readonly string[]): Loop | undefined {
  const watch = new LoopWatch();
  for (const piece of pieces) {
    const loop = watch.push(piece);
    if (loop) return loop;
  }
  return watch.close();
}

const loopIn = (text: string): Loop | undefined => loopOf([text]);
const times = (count: number, text: string): string => text.repeat(count);
/** The n-th of as many different sentences as are wanted. */
const nth = (n: number): string => `So ${[...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join(" ")} it is.`;
const WHAT = "48 sentences or lines in a row that were there before";

describe("C72 sentences that were all there before", () => {
  it("are a loop with the 48th, in lines that end with it", () => {
    const line = "I will send the answer.\n";
    expect(loopIn(times(60, line))).toEqual({
      start: line.length,
      end: 49 * line.length,
      excerpt: expect.stringMatching(/^I will send the answer\. I will send the answer\. .*…$/),
      what: WHAT,
    });
    expect(loopIn(times(48, line))).toBeUndefined();
    expect(loopIn(times(49, line))?.what).toBe(WHAT);
  });

  it("have 500 characters at least", () => {
    // The first is new.
    expect(loopIn(times(100, "ok.\n\n"))).toBeUndefined();
    expect(loopIn(times(102, "ok.\n\n"))?.what).toMatch(/^101 sentences/);
  });

  it.each([
    ["two lines in turn", times(40, "I'll send.\nYes, I will.\n")],
    ["paragraphs of one line", times(40, "I'll send.\n\nYes, I will.\n\n")],
    ["with CRLF", times(40, "I'll send.\r\nYes, I will.\r\n")],
    ["in one line", times(120, "Wait. ")],
    ["a phrase without a stop", times(100, "and then the cat sat on the mat ")],
    ["a word", times(500, "the ")],
    ["without white space", times(3_200, "ha")],
    ["Chinese", times(100, "我现在开始。")],
    ["signs alone, in a line longer than any drawing", times(9_000, "!")],
    ["in an order of its own each time", Array.from({ length: 200 }, (_, i) => nth((i * i * 7) % 31)).join("\n")],
    ["where what stands between was there before", times(60, "Let me look.\n\n- a list\n\n```\ncode\n```\n\n")],
  ])("%s", (_, text) => {
    expect(loopIn(text)?.what).toMatch(/ sentences or lines in a row that were there before$/);
  });

  it("a round of 128 different ones is known again, one of 129 is not", () => {
    const round = (count: number): string => `${Array.from({ length: count }, (_, i) => nth(i)).join("\n")}\n`;
    expect(loopIn(times(3, round(128)))?.what).toBe(WHAT);
    expect(loopIn(times(3, round(129)))).toBeUndefined();
  });

  it.each([
    ["a sentence that is new", "Now the printer."],
    ["a number", "17\n"],
    ["a heading", "\n# Printing\n"],
    ["a list", "\n- printing\n"],
    ["a table", "\n| a | b |\n\n"],
    ["code", "\n```\nprint(x)\n```\n"],
    ["a quote", "\n> printing\n\n"],
  ])("%s begins the count anew", (_, between) => {
    const line = "I will send the answer.\n";
    expect(loopIn(`${times(40, line)}${between}\n${times(47, line)}`)).toBeUndefined();
    expect(loopIn(`${times(40, line)}${between}\n${times(48, line)}`)?.what).toBe(WHAT);
  });

  it.each([
    ["fenced code", `\`\`\`\n${times(200, "I will send the answer.\n")}`],
    ["a list", times(200, "- I will send the answer.\n")],
    ["a checklist", times(200, "- [x] It is done, all of it.\n")],
    ["a quote", times(200, "> I will send the answer.\n")],
    ["a table", `| a | b |\n|---|---|\n${times(200, "| the same | again |\n")}`],
    ["markup", `<div>\n${times(200, "<p>the same again</p>\n")}`],
    ["code that nobody has fenced", times(200, "print(the_same, again);\n")],
    ["what is indented", `It prints:\n\n${times(200, "    the same again\n")}`],
    ["figures", times(200, "0 0 0 0 1 1 1 1 0 0\n")],
    ["a drawing", times(200, "..####..####..\n")],
    ["numbered sentences", Array.from({ length: 200 }, (_, i) => `Step ${i} is done. It went well. `).join("")],
  ])("%s is none", (_, text) => {
    expect(loopIn(text)).toBeUndefined();
  });
});

describe("TTSR-4.2 the same run, however the text is cut", () => {
  it.each([
    ["lines", `Well.\n${times(30, "I'll send it now.\r\nYes.\r\nDone, I think. Is it?\n")}`],
    ["a line of just 1,024, and more", `${times(128, "I will. ")}\n${times(20, "I will. ")}\n`],
    ["one without end", `So. ${times(50, "and then the cat sat on the mat ")}and so on`],
    ["no white space, surrogates", times(2_000, "🙂ha")],
    ["Chinese", times(200, "我现在开始。")],
    ["only with the end", times(49, "I will send the answer.\n").trimEnd()],
  ])("%s", (_, text) => {
    const wanted = loopIn(text);
    expect(wanted).toBeDefined();
    const all = text.length > 1_300 ? [text.match(/[\s\S]/g) ?? [], text.match(/[\s\S]{1,7}/g) ?? []] : cuts(text);
    for (const pieces of all) expect(loopOf(pieces)).toEqual(wanted);
  });

  it("in a line without end it is known within the line", () => {
    const text = times(2_000, "Wait. ");
    const watch = new LoopWatch();
    expect(watch.push(text.slice(0, 1_023))).toBeUndefined();
    expect(watch.push(text.slice(1_023, 1_024))).toMatchObject({ start: 6, end: 1_024 });
  });
});

describe("sentences", () => {
  const read = (text: string): string[] => {
    const all: Sentence[] = [];
    const reader = new SentenceReader((sentence) => all.push(sentence));
    reader.push(text, 0);
    reader.endLine(text.length);
    for (const { text: own, start } of all) expect(text.startsWith(own.slice(0, 1), start)).toBe(true);
    return all.map((each) => each.text);
  };

  it.each([
    ["Yes. No!  “Really?” (Well…) e.g. this", ["Yes.", "No!", "“Really?”", "(Well…)", "e.g.", "this"]],
    ["one two three four five six seven eight nine ten", ["one two three four five six seven eight", "nine ten"]],
    ["v1.2 is a.b", ["v1.2 is a.b"]],
    ["好。是！", ["好。", "是！"]],
    [`${"x".repeat(128)}y z`, ["x".repeat(128), "y z"]],
    ["  \t ", []],
  ])("%j", (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });
});
