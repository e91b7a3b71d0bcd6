import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bindings, loadBindings } from "../../../src/modes/interactive/term/bindings.js";
import { type Key, KeyParser } from "../../../src/modes/interactive/term/key-parser.js";
import { FaceHarness } from "./face-harness.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ttsr-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(text: string): Bindings {
  writeFileSync(join(folder, "keybindings.yml"), text);
  return loadBindings(folder);
}

function press(bytes: string): Key {
  const parser = new KeyParser();
  const [key] = [...parser.push(bytes), ...parser.flush()];
  if (key?.type !== "key") throw new Error("no key");
  return key;
}

describe("key bindings", () => {
  it("without a file, or with an empty one: the usual keys", () => {
    expect(loadBindings(folder).actionOf(press("\u0001"))).toBe("line-start");
    expect(load("# nothing\n").actionOf(press("\u001b[13;2u"))).toBe("newline");
  });

  it("take the place of the usual keys of their action, and take a key from whoever had it", () => {
    const bindings = load("history-search: [f2, Ctrl+A]\nsuspend: null\n");
    expect(bindings.actionOf(press("\u001bOQ"))).toBe("history-search");
    expect(bindings.actionOf(press("\u0001"))).toBe("history-search");
    expect(bindings.actionOf(press("\u0012"))).toBeUndefined();
    expect(bindings.actionOf(press("\u001a"))).toBeUndefined();
    expect(bindings.keyOf("line-start")).toBe("Home");
  });

  it.each([
    ["histroy-search: f2\n", ':1: there is no action "histroy-search"; did you mean "history-search"?'],
    ["undo: f2\nredo: ctrl+mouse\n", ':2: "ctrl+mouse" is no key'],
    ["undo: f2\nredo: [f3, f2]\n", ':2: f2 is given to "undo" and to "redo"'],
    ["undo: enter\n", ":1: enter cannot be given away"],
    ["undo: 7\n", ":1: a key is written as"],
    ["- undo\n", ':1: write "action: key"'],
    ["undo: [\n", ":"],
  ])("%j is refused with its place", (text, message) => {
    expect(() => load(text)).toThrow(join(folder, "keybindings.yml") + message);
  });

  it("every usual key is a key, and belongs to one action", () => {
    const keys = new Bindings().list().flatMap(({ keys: each }) => each);
    expect(new Set(keys).size).toBe(keys.length);
    // The file may say what is so already.
    const same = new Bindings().list().map(({ action, keys: each }) => `${action}: ${JSON.stringify(each)}`);
    expect(load(same.join("\n")).list()).toEqual(new Bindings().list());
  });

  it("change what the keys do, and what the help says", () => {
    const face = new FaceHarness(100, 60, { bindings: load("newline: ctrl+o\nexpand: f5\n") });
    face.type("a\u000fb\r");
    expect(face.session.prompts[0]?.text).toBe("a\nb");
    face.type("/help\r");
    expect(face.frame).toMatch(/Ctrl\+O +new line/);
    expect(face.frame).toMatch(/F5 +show whole/);
    face.dispose();
  });
});
