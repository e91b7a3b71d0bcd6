import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { userText } from "../../src/agent/messages.js";
import { findSession, latestSession, listSessions } from "../../src/session/session-list.js";
import { slugOf } from "../../src/session/session-paths.js";
import { answer, type Bench, bench, fileOf, linesOf } from "./helpers/session.js";

let on: Bench;
beforeEach(() => {
  on = bench();
});
afterEach(() => on.remove());

/** @returns file and id of a closed session */
function session(prompt: string, cwd = "/home/project", title?: string): { file: string; id: string } {
  const it = on.create({ cwd });
  it.appendMessage(userText(prompt));
  it.appendMessage(answer("yes"));
  if (title !== undefined) it.appendTitle(title);
  it.close();
  return { file: fileOf(it), id: it.id };
}

describe("listSessions", () => {
  it("gives the shape of `sessions list --json`, newest first", () => {
    const one = session("fix the  bug\nin a.ts");
    const two = session("x", "/home/other", "a name");
    expect(listSessions(on.stateDir)).toEqual([
      {
        id: two.id,
        path: two.file,
        cwd: "/home/other",
        title: "a name",
        startedAt: "2026-01-02T03:04:08.006Z",
        updatedAt: "2026-01-02T03:04:11.006Z",
        messages: 2,
      },
      {
        id: one.id,
        path: one.file,
        cwd: "/home/project",
        title: "fix the bug in a.ts",
        startedAt: "2026-01-02T03:04:05.006Z",
        updatedAt: "2026-01-02T03:04:07.006Z",
        messages: 2,
      },
    ]);
    expect(listSessions(on.stateDir, { cwd: "/home/project" }).map((it) => it.id)).toEqual([one.id]);
  });

  it("a session that was gone on with is the newest again", () => {
    const one = session("one");
    const two = session("two");
    const again = on.open(one.file);
    again.appendMessage(userText("more"));
    again.close();
    expect(listSessions(on.stateDir).map((it) => [it.id, it.messages])).toEqual([
      [one.id, 3],
      [two.id, 2],
    ]);
  });

  it("the title is the last one given, else the first words that the user said", () => {
    const it1 = on.create();
    it1.appendMessage(userText("[interrupt]", { synthetic: "ttsr-interrupt" }));
    it1.appendMessage(userText(`please ${"make everything work ".repeat(10)}`));
    it1.close();
    const [found] = listSessions(on.stateDir);
    expect(found?.title).toMatch(/^please make everything work .*…$/);
    expect(found?.title.length).toBeLessThanOrEqual(61);
    const again = on.open(fileOf(it1));
    again.appendTitle("first");
    again.appendTitle("second");
    again.close();
    expect(listSessions(on.stateDir)[0]?.title).toBe("second");
  });

  it("no folder, and a folder that is a file: no sessions", () => {
    expect(listSessions(on.stateDir)).toEqual([]);
    writeFileSync(on.stateDir, "");
    expect(listSessions(on.stateDir)).toEqual([]);
    expect(latestSession(on.stateDir, "/home/project")).toBe(undefined);
  });

  it("damage costs the damaged: zeros, junk, torn ends, lost headers, empty files", () => {
    const good = session("good");
    const torn = session("torn");
    writeFileSync(torn.file, readFileSync(torn.file).subarray(0, -5));
    const headless = session("headless");
    writeFileSync(headless.file, `\0\0\0\n${linesOf(headless.file).slice(1).join("\n")}\njunk\n`);
    const glued = session("glued");
    writeFileSync(glued.file, linesOf(glued.file).join(""));
    writeFileSync(join(dirname(good.file), "empty.jsonl"), "");
    writeFileSync(join(dirname(good.file), "noise.jsonl"), Buffer.alloc(100));
    mkdirSync(join(dirname(good.file), "folder.jsonl"));
    expect(listSessions(on.stateDir).map((it) => [it.id, it.title, it.messages])).toEqual([
      [glued.id, "glued", 2],
      [headless.id, "headless", 2],
      [torn.id, "torn", 1],
      [good.id, "good", 2],
    ]);
    expect(listSessions(on.stateDir, { cwd: "/home/project" }).map((it) => it.id)).toEqual([
      glued.id,
      torn.id,
      good.id,
    ]);
  });

  it("counts as many messages as the session has when it is opened", () => {
    const it1 = on.create();
    it1.appendMessage(userText("one"));
    for (let n = 0; n < 20; n++) it1.appendMessage(answer(`{"type":"message","id":"${n}" }{"type":"title"`));
    it1.appendCustom("message", { type: "message", id: "q" });
    it1.close();
    expect(listSessions(on.stateDir)[0]?.messages).toBe(21);
  });
});

describe("findSession", () => {
  it("by id, or by its beginning", () => {
    const one = session("one");
    session("two");
    expect(findSession(on.stateDir, one.id).path).toBe(one.file);
    expect(findSession(on.stateDir, one.id.slice(0, 6)).path).toBe(one.file);
  });

  it("an id that is the beginning of another one is that session", () => {
    const one = session("one");
    const two = session("two");
    const longer = two.file.replace(two.id, `${one.id}ff`);
    writeFileSync(two.file, readFileSync(two.file, "utf8").replace(two.id, `${one.id}ff`));
    renameSync(two.file, longer);
    expect(findSession(on.stateDir, one.id).path).toBe(one.file);
    expect(() => findSession(on.stateDir, one.id.slice(0, 8))).toThrowError(
      expect.objectContaining({ code: "session-ambiguous", exitCode: 2 }),
    );
    expect(() => findSession(on.stateDir, one.id.slice(0, 8))).toThrow(/fits 2 sessions \(.*give more of the id/);
  });

  it.each(["zzzz", ""])('unknown: "%s"', (id) => {
    session("one");
    expect(() => findSession(on.stateDir, id)).toThrowError(
      expect.objectContaining({ code: "session-unknown", exitCode: 2 }),
    );
    expect(() => findSession(on.stateDir, id)).toThrow(
      `There is no session "${id}"; "ttsr-agent sessions list --all" shows them.`,
    );
  });
});

describe("latestSession", () => {
  it("is the one of this folder that was used last", () => {
    const one = session("one");
    session("two");
    session("elsewhere", "/home/other");
    const again = on.open(one.file);
    // Longer than what is read of a log's end at first.
    again.appendMessage(answer("z".repeat(300_000)));
    again.close();
    expect(latestSession(on.stateDir, "/home/project")).toMatchObject({ id: one.id, messages: 3 });
    expect(latestSession(on.stateDir, "/home/nowhere")).toBe(undefined);
  });

  it("a log without messages, or torn, is passed over or understood", () => {
    const one = session("one");
    const two = session("two");
    appendFileSync(two.file, '{"type":"mess');
    writeFileSync(join(dirname(one.file), "zz.jsonl"), linesOf(one.file)[0] ?? "");
    expect(latestSession(on.stateDir, "/home/project")?.id).toBe(two.id);
  });
});

describe("slugOf", () => {
  it("can be read, is never long, and differs where folders differ", () => {
    expect(slugOf("/home/me/my project")).toMatch(/^home-me-my-project-[0-9a-f]{10}$/);
    expect(slugOf("/a/b")).not.toBe(slugOf("/a-b"));
    expect(slugOf("/")).toMatch(/^[0-9a-f]{10}$/);
    expect(slugOf(`/${"very-long/".repeat(100)}`).length).toBeLessThanOrEqual(91);
    expect(slugOf("/../..")).not.toContain("..");
  });
});
