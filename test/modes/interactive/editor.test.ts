import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TextBuffer } from "../../../src/modes/interactive/editor/text-buffer.js";
import { settle } from "../../support/fake-clock.js";
import { FaceHarness } from "./face-harness.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
});
afterEach(() => face.dispose());

const editorRow = (): string => face.frame.split("\n").find((row) => row.startsWith("› ")) ?? "";

describe("cutting and putting back", () => {
  it("cuts in a row are one; Alt+Y goes back through older cuts", () => {
    const buffer = new TextBuffer();
    buffer.set("one two three");
    buffer.killWordBefore();
    buffer.killWordBefore();
    expect(buffer.text).toBe("one ");
    buffer.left();
    buffer.right();
    buffer.killToLineStart();
    buffer.yank();
    expect(buffer.text).toBe("one ");
    buffer.yankOlder();
    expect(buffer.text).toBe("two three");
    buffer.yankOlder();
    expect(buffer.text).toBe("one ");
    buffer.insert("x");
    buffer.yankOlder();
    expect(buffer.text).toBe("one x");
  });

  it("forward and backward cuts keep the order of the text", () => {
    const buffer = new TextBuffer();
    buffer.set("abc def ghi");
    buffer.moveTo(7);
    buffer.killWordBefore();
    buffer.killToLineEnd();
    buffer.yank();
    expect(buffer.text).toBe("abc def ghi");
    expect(buffer.undo()).toBe(true);
    expect(buffer.text).toBe("abc ");
  });

  it("works by the keys of the terminal, with undo and redo", () => {
    face.type("first second\u0017\u0017");
    expect(editorRow()).toContain("Ask for something");
    face.type("\u0019");
    expect(editorRow()).toBe("› first second");
    face.type("\u001f");
    expect(editorRow()).toContain("Ask for something");
    face.type("\u001bz");
    expect(editorRow()).toBe("› first second");
    face.type("\u001bb\u001bd");
    expect(editorRow()).toBe("› first ");
    face.type("\u001b<a\u001b>z\u0001\u0004");
    expect(editorRow()).toBe("› first z");
    face.type("\u0015\u0019\u0019");
    expect(editorRow()).toBe("› secondsecondfirst z");
  });
});

describe("Ctrl+R", () => {
  beforeEach(() => {
    for (const text of ["fix the parser", "write tests\nfor the parser", "say hello"])
      face.type(`${text.replace("\n", "\u001b[13;2u")}\r`);
  });

  it("finds earlier prompts by any part, newest first, and puts the chosen one into the editor", () => {
    face.type("\u0012");
    expect(face.frame).toContain("search:");
    expect(face.frame).toContain("› say hello");
    face.type("PARSER");
    expect(face.frame).not.toContain("say hello");
    expect(face.frame).toContain("› write tests for the parser");
    face.type("\u0012\r");
    expect(editorRow()).toBe("› fix the parser");
    expect(face.session.prompts).toHaveLength(3);
  });

  it("Esc goes back to what was being written, and stops nothing", () => {
    face.session.running = true;
    face.type("a draft\u0012hello\u001b");
    expect(editorRow()).toBe("› a draft");
    expect(face.session.aborted).toBe(0);
  });

  it("finds nothing calmly", () => {
    face.type("\u0012zzz\r");
    expect(editorRow()).toContain("Ask for something");
  });
});

describe("@file", () => {
  beforeEach(async () => {
    face.files = ["src/parser.ts", "src/print.ts", "docs/a b.md", "evil\u001b[31m.ts"];
    face.type("@");
    await settle();
  });

  it("offers the project's files, and puts the chosen one in without sending", () => {
    face.type("prs");
    expect(face.frame).toContain("› src/parser.ts");
    face.type("\r");
    expect(editorRow()).toBe("› @src/parser.ts ");
    expect(face.session.prompts).toEqual([]);
    face.type("and @a\u001b[A\u001b[B\t");
    expect(face.frame).not.toContain("\u001b");
  });

  it("quotes names with spaces, and completes in the middle of a text", () => {
    face.type("\u0015look at @do then\u001bb\u001b[D\t");
    expect(editorRow()).toBe('› look at @"docs/a b.md"  then');
    face.type('\u0005 @"docs/a');
    expect(face.frame).toContain("› docs/a b.md");
  });

  it("is closed by Esc, and is no completion inside a word", () => {
    face.type("s\u001b");
    expect(face.frame).not.toContain("src/print.ts");
    face.type("\u0015me@s");
    expect(face.frame).not.toContain("src/print.ts");
  });

  it("does not let a file's name reach the terminal as more than a name", () => {
    face.type("evil");
    const { completion } = face.face.store.frame;
    expect(completion.join("")).not.toContain("\u001b[31m.ts");
  });
});

describe("an editor of one's own", () => {
  it("Ctrl+G opens the text, pastes in full, and takes back what was written", async () => {
    const long = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");
    face.paste(long);
    face.type(" end");
    let seen = "";
    let drawn = "";
    face.editFile = async (path) => {
      seen = readFileSync(path, "utf8");
      face.face.say("said meanwhile");
      drawn = face.printed;
      writeFileSync(path, "written\r\noutside\n");
    };
    face.type("\u0007");
    await settle();
    expect(seen).toBe(`${long} end`);
    // Nothing is drawn into the other program's screen; it comes afterwards.
    expect(drawn).not.toContain("said meanwhile");
    expect(face.printed).toContain("said meanwhile");
    expect(face.frame).toContain("› written\n  outside");
    face.type("\u001f");
    expect(face.frame).toContain("[Paste #1");
  });

  it("a fault of it changes nothing and is said", async () => {
    face.type("kept");
    face.editFile = () => Promise.reject(new Error("The editor could not be started."));
    face.type("\u0007");
    await settle();
    expect(editorRow()).toBe("› kept");
    expect(face.all).toContain("could not be started");
  });
});

describe("nothing written is lost", () => {
  it("the draft on disk holds pastes in full", async () => {
    const long = "word ".repeat(400).trim();
    face.paste(long);
    await face.clock.advance(500);
    const again = new FaceHarness(80, 24, { stateDir: face.stateDir });
    again.type("\r");
    expect(again.session.prompts[0]?.text).toBe(long);
    again.dispose();
  });

  it("what was queued when the terminal closed is a draft the next time", () => {
    face.session.queue = ["second", "third"];
    face.type("fourth");
    face.face.close();
    const again = new FaceHarness(80, 24, { stateDir: face.stateDir });
    again.type("\r");
    expect(again.session.prompts[0]?.text).toBe("second\nthird\nfourth");
    again.dispose();
  });
});
