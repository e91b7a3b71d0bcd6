/** Texts on which the watch must fire, and texts on which it must be silent. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Loop, LoopWatch } from "../../../src/ttsr/repetition/loop-watch.js";

const ROOT = join(import.meta.dirname, "../../..");
const FIXTURES = join(ROOT, "test/fixtures/loops");
const SHARED = process.env["TTSR_SHARED"] ?? join(ROOT, "../shared");

function loopIn(text: string): Loop | undefined {
  const watch = new LoopWatch();
  return watch.push(text) ?? watch.close();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Every text of some length, however deep it lies. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length < 200 ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function textsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".md")) return [text];
  if (path.endsWith(".jsonl"))
    return text.split("\n").flatMap((line) => (line === "" ? [] : textsIn(JSON.parse(line))));
  return textsIn(JSON.parse(text));
}

/** The same, cut into pieces of 1, 2, 3, 5, 8 … units, over and over. */
function loopInPieces(text: string, longest: number): Loop | undefined {
  const watch = new LoopWatch();
  let [size, next] = [1, 2];
  for (let at = 0; at < text.length; ) {
    const loop = watch.push(text.slice(at, at + size));
    if (loop) return loop;
    at += size;
    [size, next] = next > longest ? [1, 2] : [next, size + next];
  }
  return watch.close();
}

describe("TTSR-4.2 the corpus, however it is cut", () => {
  it.each([...filesIn(join(FIXTURES, "fire")), ...filesIn(join(FIXTURES, "silent"))])("%s", (path) => {
    const text = readFileSync(path, "utf8");
    const whole = loopIn(text);
    for (const longest of [1, 3, 34, 400]) expect(loopInPieces(text, longest)).toEqual(whole);
  });
});

describe("C72, C73 the corpus", () => {
  it.each(filesIn(join(FIXTURES, "fire")))("fires on %s", (path) => {
    const text = readFileSync(path, "utf8");
    const loop = loopIn(text);
    expect(loop).toBeDefined();
    // It begins with what is shown, code left out.
    const from = text
      .slice(loop?.start)
      .replaceAll(/```[\s\S]*?```/g, "")
      .replaceAll(/\s+/g, " ");
    expect(from.startsWith(loop?.excerpt.replace(/…$/, "") ?? "?")).toBe(true);
  });

  it.each(filesIn(join(FIXTURES, "silent")))("is silent on %s", (path) => {
    expect(loopIn(readFileSync(path, "utf8"))).toBeUndefined();
  });

  it("is silent on what is written about this program", () => {
    for (const path of [...filesIn(join(ROOT, "docs")), join(ROOT, "README.md"), join(ROOT, "CHANGELOG.md")]) {
      if (path.endsWith(".md")) expect(loopIn(readFileSync(path, "utf8")), path).toBeUndefined();
    }
  });
});

const recorded = ["transcripts", "streams"].every((name) => {
  try {
    return readdirSync(join(SHARED, name)).length > 0;
  } catch {
    return false;
  }
});

describe.skipIf(!recorded)(`C72, C73 what models wrote (skipped without transcripts and streams in ${SHARED})`, () => {
  it("is silent on every text of the transcripts, tool results included", () => {
    const texts = filesIn(join(SHARED, "transcripts")).flatMap(textsOf);
    expect(texts.length).toBeGreaterThan(200);
    for (const text of texts) expect(loopIn(text), text.slice(0, 200)).toBeUndefined();
  });

  it("is silent on every text and thinking of the recorded streams", () => {
    const texts = textsOf(join(SHARED, "streams/expected.json"));
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) expect(loopIn(text), text.slice(0, 200)).toBeUndefined();
  });
});
