import {
  chmodSync,
  chownSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { userText } from "../../src/agent/messages.js";
import type { LogIo } from "../../src/session/session-log.js";
import { SessionManager } from "../../src/session/session-manager.js";
import { answer, type Bench, bench, fileOf, linesOf, seeded, texts, threeMessages } from "./helpers/session.js";

let on: Bench;
beforeEach(() => {
  on = bench();
});
afterEach(() => on.remove());

interface Disk extends LogIo {
  /** Bytes that still go in before the disk is full. */
  room: number;
  /** Most bytes that one call takes. */
  most: number;
  calls: number;
  syncs: number;
  truncates: boolean;
}

function disk(more: Partial<Disk> = {}): Disk {
  const self: Disk = {
    room: Number.POSITIVE_INFINITY,
    most: Number.POSITIVE_INFINITY,
    calls: 0,
    syncs: 0,
    truncates: true,
    write(fd, bytes, offset, length) {
      self.calls++;
      const take = Math.min(length, self.room, self.most);
      if (take === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      self.room -= take;
      return writeSync(fd, bytes, offset, take);
    },
    truncate(fd, size) {
      if (!self.truncates) throw new Error("EIO: i/o error, ftruncate");
      ftruncateSync(fd, size);
    },
    datasync() {
      self.syncs++;
    },
    ...more,
  };
  return self;
}

/** The superuser may write everywhere, so for the time of `run` it is somebody else, to whom the files belong. */
function asNobody(run: () => void): void {
  const { geteuid, seteuid } = process;
  if (!seteuid || geteuid?.() !== 0) {
    run();
    return;
  }
  const nobody = 65534;
  for (const name of ["", ...readdirSync(on.dir, { recursive: true, encoding: "utf8" })])
    chownSync(join(on.dir, name), nobody, nobody);
  seteuid(nobody);
  try {
    run();
  } finally {
    seteuid(0);
  }
}

describe("D1 one entry is one line, written with one call, before the append returns", () => {
  it("another reader sees it at once", () => {
    const io = disk();
    const session = on.create({ io });
    session.appendMessage(userText("hello"));
    expect(linesOf(fileOf(session)).map((line) => JSON.parse(line).type)).toEqual(["session", "message"]);
    expect(io.calls).toBe(2);
    session.appendMessage(answer("x".repeat(300_000)));
    expect(io.calls).toBe(3);
    expect(linesOf(fileOf(session)).length).toBe(3);
  });

  it("a write that takes only some bytes is gone on with", () => {
    const session = on.create({ io: disk({ most: 7 }) });
    session.appendMessage(userText("hello"));
    session.appendMessage(answer("there"));
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["hello", "there"]);
  });
});

describe("D2 the log has what was said before anything follows from it", () => {
  it("each append is on disk when it returns, in the order of the calls", () => {
    const session = on.create();
    const seen: string[][] = [];
    const look = (): number => seen.push(texts(on.open(fileOf(session)).buildContext().messages));
    session.appendMessage(userText("prompt"));
    look();
    session.appendMessage(
      answer("", {
        content: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } }],
        stopReason: "toolUse",
      }),
    );
    look();
    session.appendMessage({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: "a" }],
      isError: false,
    });
    look();
    expect(seen).toEqual([["prompt"], ["prompt", ""], ["prompt", "", "a"]]);
  });
});

describe("D3 sync waits for the disk where it is asked to", () => {
  it("once for what is new, and at close", () => {
    const io = disk();
    const session = on.create({ io, fsync: true });
    session.appendMessage(userText("hello"));
    expect(io.syncs).toBe(0);
    session.sync();
    session.sync();
    expect(io.syncs).toBe(1);
    session.appendMessage(answer("there"));
    session.close();
    expect(io.syncs).toBe(2);
  });

  it("session.fsync: false never waits", () => {
    const io = disk();
    const session = on.create({ io });
    session.appendMessage(userText("hello"));
    session.sync();
    session.close();
    expect(io.syncs).toBe(0);
  });

  it("a disk that cannot sync is told once, and the session goes on", () => {
    const io = disk({
      datasync: () => {
        throw new Error("EIO: i/o error, fdatasync");
      },
    });
    const session = on.create({ io, fsync: true });
    for (const text of ["a", "b"]) {
      session.appendMessage(userText(text));
      session.sync();
    }
    session.close();
    expect(on.reports.map((report) => report.code)).toEqual(["session-not-synced"]);
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["a", "b"]);
  });
});

describe("D4 a log whose end is torn", () => {
  it("at every cut of the last 3 records: all before are there, and the next entry too", () => {
    const whole = readFileSync(threeMessages(on));
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
    const from = (ends[0] ?? 0) + 1;
    const file = join(on.dir, "cut.jsonl");
    for (let cut = from; cut < whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut));
      on.reports.length = 0;
      // A record is whole without its newline too.
      const complete = ends.filter((end) => end <= cut).length - 1;
      const first = on.open(file);
      expect(first.entries.length, `cut at ${cut}`).toBe(complete);
      const torn = !ends.includes(cut) && !ends.includes(cut - 1);
      expect(on.reports.map((report) => report.code)).toEqual(torn ? ["session-torn-tail"] : []);
      first.appendMessage(userText("next"));
      first.close();
      on.reports.length = 0;
      const again = on.open(file);
      expect(texts(again.buildContext().messages)).toEqual([
        ...["one", "two é ✓ 🌍", "three"].slice(0, complete),
        "next",
      ]);
      expect(on.reports).toEqual([]);
      again.close();
    }
  });

  it("what was cut off lies in a side file, byte for byte, for the owner only", () => {
    const file = threeMessages(on);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, -10));
    on.open(file).close();
    const kept = readFileSync(file);
    expect(Buffer.concat([kept, readFileSync(`${file}.torn`)])).toEqual(
      Buffer.concat([whole.subarray(0, -10), Buffer.from("\n")]),
    );
    expect(statSync(`${file}.torn`).mode & 0o777).toBe(0o600);
  });

  it("opening a whole log changes nothing in it", () => {
    const file = threeMessages(on);
    const before = readFileSync(file);
    on.open(file).close();
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${file}.torn`)).toBe(false);
  });
});

describe("D5 a damaged record in the middle", () => {
  const damage: [string, (lines: string[]) => string[], string[], number][] = [
    [
      "a run of zeros",
      ([a, b, c, d]) => [a, b, `${"\0".repeat(4096)}`, c, d] as string[],
      ["one", "two é ✓ 🌍", "three"],
      1,
    ],
    [
      "zeros before a record",
      ([a, b, c, d]) => [a, b, `${"\0".repeat(4096)}${c}`, d] as string[],
      ["one", "two é ✓ 🌍", "three"],
      1,
    ],
    ["two records glued", ([a, b, c, d]) => [a, `${b}${c}`, d] as string[], ["one", "two é ✓ 🌍", "three"], 1],
    [
      "a record glued to a stump",
      ([a, b, c, d]) => [a, `${b?.slice(0, -30)}${c}`, d] as string[],
      ["two é ✓ 🌍", "three"],
      1,
    ],
    ["junk", ([a, b, c, d]) => [a, "hello", b, "[1,2]", c, "{}", d] as string[], ["one", "two é ✓ 🌍", "three"], 3],
    [
      "a message without content",
      ([a, b, c, d]) =>
        [a, b, '{"type":"message","id":"q","parentId":null,"message":{"role":"user"}}', c, d] as string[],
      ["one", "two é ✓ 🌍", "three"],
      1,
    ],
  ];
  it.each(damage)("%s: the good ones load, the notice counts, the bytes stay", (_, change, expected, count) => {
    const file = threeMessages(on);
    const bytes = `${change(linesOf(file)).join("\n")}\n`;
    writeFileSync(file, bytes);
    const session = on.open(file);
    expect(texts(session.buildContext().messages)).toEqual(expected);
    const damaged = on.reports.filter((report) => report.code === "session-damaged");
    expect(damaged.map((report) => report.message.split(" of ")[0])).toEqual([
      count === 1 ? "1 damaged record" : `${count} damaged records`,
    ]);
    session.appendMessage(userText("four"));
    session.close();
    expect(readFileSync(file, "utf8").startsWith(bytes)).toBe(true);
    expect(texts(on.open(file).buildContext().messages)).toEqual([...expected, "four"]);
  });

  it("a lost header is made up for, and the session is found by its folder again", () => {
    const file = threeMessages(on);
    const id = on.open(file).id;
    writeFileSync(file, `\0\0\0\n${linesOf(file).slice(1).join("\n")}\n`);
    const session = on.open(file);
    expect([session.id, session.cwd]).toEqual([id, "/home/project"]);
    session.appendMessage(userText("four"));
    session.close();
    const again = SessionManager.open(file, { ...on.options, cwd: "/elsewhere" });
    expect([again.id, again.cwd]).toEqual([id, "/home/project"]);
    expect(texts(again.buildContext().messages)).toEqual(["one", "two é ✓ 🌍", "three", "four"]);
  });
});

describe("D6 lines end at \\n only, whatever is said in them", () => {
  it.each([
    ["line separators", "a\u2028b\u2029c"],
    ["other ends of lines", "a\r\nb\rc\u0085d\u000be"],
    ["half a character", "a\ud83d and \ude00 b"],
    ["zeros and escapes", 'a\0b\u001b[31m"\\n"'],
  ])("%s", (_, text) => {
    const session = on.create();
    session.appendMessage(userText(text));
    session.appendMessage(answer("next"));
    const bytes = readFileSync(fileOf(session));
    expect(() => new TextDecoder("utf8", { fatal: true }).decode(bytes)).not.toThrow();
    expect(bytes.toString().split(/\r\n|[\n\r\u2028\u2029\u0085\u000b]/).length).toBe(4);
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual([text, "next"]);
    expect(on.reports).toEqual([]);
  });
});

describe("D12 a disk that is full", () => {
  it("the half line is taken back, the entries wait in memory, and are there when there is room again", () => {
    const io = disk();
    const session = on.create({ io });
    session.appendMessage(userText("one"));
    const before = readFileSync(fileOf(session));
    io.room = 50;
    session.appendMessage(answer("two"));
    expect(readFileSync(fileOf(session))).toEqual(before);
    io.room = 20;
    session.appendMessage(userText("three"));
    expect(readFileSync(fileOf(session))).toEqual(before);
    expect(session.unsaved).toBe(2);
    expect(texts(session.buildContext().messages)).toEqual(["one", "two", "three"]);
    expect(on.reports.map((report) => report.code)).toEqual(["session-unsaved"]);
    io.room = Number.POSITIVE_INFINITY;
    session.appendMessage(answer("four"));
    expect(session.unsaved).toBe(0);
    expect(on.reports.map((report) => report.code)).toEqual(["session-unsaved", "session-saved-again"]);
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["one", "two", "three", "four"]);
  });

  it("a half line that cannot be taken back costs only itself", () => {
    const io = disk({ truncates: false });
    const session = on.create({ io });
    session.appendMessage(userText("one"));
    io.room = 50;
    session.appendMessage(answer("two"));
    io.room = Number.POSITIVE_INFINITY;
    session.appendMessage(userText("three"));
    session.close();
    on.reports.length = 0;
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["one", "two", "three"]);
    expect(on.reports.map((report) => report.code)).toEqual(["session-damaged"]);
  });

  it("close tries once more, and what is not saved can be asked for", () => {
    const io = disk({ room: 0 });
    const session = on.create({ io });
    session.appendMessage(userText("one"));
    expect(session.unsaved).toBe(2);
    io.room = Number.POSITIVE_INFINITY;
    session.close();
    expect(session.unsaved).toBe(0);
    expect(texts(on.open(fileOf(session)).buildContext().messages)).toEqual(["one"]);
    expect(() => session.appendMessage(userText("two"))).toThrow("is closed");
  });
});

describe("D13 F48 a state folder that cannot be written", () => {
  it("is told once, and the session works in memory", () => {
    writeFileSync(on.stateDir, "not a folder");
    const session = on.create();
    session.appendMessage(userText("one"));
    session.appendMessage(answer("two"));
    session.appendTitle("name");
    session.sync();
    expect(texts(session.buildContext().messages)).toEqual(["one", "two"]);
    expect([session.file, session.unsaved]).toEqual([undefined, 0]);
    session.close();
    expect(on.reports.map((report) => report.code)).toEqual(["session-memory-only"]);
    expect(on.reports[0]?.message).toContain("TTSR_AGENT_STATE");
  });

  it("the same with a folder that may only be read, and a log that may only be read", () => {
    const file = threeMessages(on);
    chmodSync(file, 0o400);
    chmodSync(dirname(file), 0o500);
    asNobody(() => {
      const resumed = on.open(file);
      resumed.appendMessage(userText("four"));
      expect(texts(resumed.buildContext().messages)).toEqual(["one", "two é ✓ 🌍", "three", "four"]);
      expect(resumed.file).toBe(undefined);
      resumed.close();
      expect(on.reports.map((report) => report.code)).toEqual(["session-memory-only"]);
      on.reports.length = 0;
      const session = on.create();
      session.appendMessage(userText("one"));
      expect(on.reports.map((report) => report.code)).toEqual(["session-memory-only"]);
    });
    chmodSync(dirname(file), 0o700);
    expect(linesOf(file).length).toBe(4);
  });
});

describe("D17 what a power cut leaves", () => {
  it("cut at every byte: never an exception, and a beginning of the session", () => {
    const whole = readFileSync(threeMessages(on));
    const file = join(on.dir, "cut.jsonl");
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut));
      const session = on.open(file);
      const said = texts(session.buildContext().messages);
      expect(["one", "two é ✓ 🌍", "three"].slice(0, said.length)).toEqual(said);
      session.close();
    }
  });

  it("the last bytes zeroed: the same", () => {
    const whole = readFileSync(threeMessages(on));
    const file = join(on.dir, "zeros.jsonl");
    for (let zeros = 1; zeros <= Math.min(4096, whole.length); zeros++) {
      writeFileSync(file, Buffer.concat([whole.subarray(0, -zeros), Buffer.alloc(zeros)]));
      const session = on.open(file);
      const said = texts(session.buildContext().messages);
      expect(["one", "two é ✓ 🌍", "three"].slice(0, said.length)).toEqual(said);
      session.appendMessage(userText("next"));
      session.close();
      expect(texts(on.open(file).buildContext().messages)).toEqual([...said, "next"]);
    }
  });

  it("any byte changed to any other: never an exception, and the next entry is kept", () => {
    const whole = readFileSync(threeMessages(on));
    const file = join(on.dir, "noise.jsonl");
    const random = seeded(9);
    for (let n = 0; n < 400; n++) {
      const bytes = Buffer.from(whole);
      // From the first entry on: a changed version is refused, and has its own test.
      const from = bytes.indexOf(10);
      for (let k = 0; k < 3; k++)
        bytes[from + Math.floor(random() * (bytes.length - from))] = Math.floor(random() * 256);
      writeFileSync(file, bytes);
      const session = on.open(file);
      session.appendMessage(userText("next"));
      session.close();
      expect(texts(on.open(file).buildContext().messages).at(-1)).toBe("next");
    }
  });
});

describe("the log is its owner's", () => {
  it("folders 0700 and files 0600, whatever the umask", () => {
    const deep = join(on.dir, "deep", "er");
    for (const mask of [0, 0o777]) {
      const stateDir = join(deep, String(mask));
      mkdirSync(deep, { recursive: true });
      const before = process.umask(mask);
      let file: string;
      try {
        const session = on.create({ stateDir: join(stateDir, "state") });
        session.appendMessage(userText("secret"));
        file = fileOf(session);
      } finally {
        process.umask(before);
      }
      const mode = (path: string): number => statSync(path).mode & 0o777;
      expect(mode(file)).toBe(0o600);
      for (let dir = dirname(file); dir !== deep; dir = dirname(dir)) expect([dir, mode(dir)]).toEqual([dir, 0o700]);
    }
  });
});

describe("a log that cannot be opened", () => {
  it("missing: exit 2, with what to do", () => {
    const missing = join(on.dir, "no.jsonl");
    expect(() => on.open(missing)).toThrowError(expect.objectContaining({ code: "session-not-readable", exitCode: 2 }));
    expect(() => on.open(missing)).toThrow(/no\.jsonl cannot be opened .*sessions list/);
  });

  it("a folder: exit 1", () => {
    expect(() => on.open(on.dir)).toThrowError(expect.objectContaining({ code: "session-not-readable", exitCode: 1 }));
  });

  it("of a newer version: refused, and left as it is", () => {
    const file = threeMessages(on);
    const newer = readFileSync(file, "utf8").replace('"version":1', '"version":2').slice(0, -5);
    writeFileSync(file, newer);
    expect(() => on.open(file)).toThrowError(expect.objectContaining({ code: "session-newer" }));
    expect(readFileSync(file, "utf8")).toBe(newer);
  });
});
