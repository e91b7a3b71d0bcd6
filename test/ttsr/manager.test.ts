import { describe, expect, it } from "vitest";
import { TtsrManager } from "../../src/ttsr/manager.js";
import type { LaneInfo, TtsrMatch, TtsrSettings } from "../../src/ttsr/types.js";
import { cuts, rule, SETTINGS } from "./helpers.js";

const TEXT: LaneInfo = { source: "text", contentIndex: 0 };
const COMMAND: LaneInfo = { source: "tool", contentIndex: 1, toolCallId: "c", toolName: "bash", argument: "command" };

function managerOf(rules: ReturnType<typeof rule>[], settings: Partial<TtsrSettings> = {}): TtsrManager {
  const manager = new TtsrManager({ ...SETTINGS, ...settings });
  for (const each of rules) manager.addRule(each);
  return manager;
}

async function feed(manager: TtsrManager, info: LaneInfo, pieces: readonly string[]): Promise<TtsrMatch[]> {
  manager.resetBuffer();
  const lane = manager.openLane(info);
  const matches = pieces.flatMap((piece) => lane.push(piece));
  const { now, late } = lane.close();
  return [...matches, ...now, ...(await late)];
}

const names = (rules: readonly { name: string }[]): string[] => rules.map(({ name }) => name);

describe("TTSR-1.3 addRule", () => {
  it("skips a rule without trigger, a second one of a name, and one none of whose triggers compiles", () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.hasRules()).toBe(false);
    expect(manager.addRule(rule([], { name: "advice" }))).toBe(false);
    expect(manager.addRule(rule("foo", { name: "a" }))).toBe(true);
    expect(manager.addRule(rule("bar", { name: "a", path: "/other.md" }))).toBe(false);
    expect(manager.addRule(rule(["(", "a++"], { name: "bad" }))).toBe(false);
    expect(manager.hasRules()).toBe(true);
    expect(names(manager.rules())).toEqual(["a"]);
    expect(manager.check("foo bar")).toHaveLength(1);
  });

  it("tells rule, file, line, pattern and reason; the rule's other triggers work", () => {
    const manager = new TtsrManager(SETTINGS);
    const added = rule(["ok", "(bad"], { name: "r", path: "/p/r.md", triggerLines: [3, 4] });
    expect(manager.addRule(added)).toBe(true);
    expect(manager.diagnostics()).toEqual([
      {
        rule: "r",
        path: "/p/r.md",
        line: 4,
        pattern: "(bad",
        severity: "error",
        code: "syntax",
        message: "A group is opened with ( and never closed.",
        suggestion: "Close it with ), or write \\( where the character itself is meant.",
      },
    ]);
    expect(names(manager.check("ok"))).toEqual(["r"]);
  });

  it("a scope of which nothing can be read makes the rule broken, with a hint", () => {
    const manager = new TtsrManager(SETTINGS);
    expect(manager.addRule(rule("x", { scope: ["prose"] }))).toBe(false);
    expect(manager.diagnostics()).toMatchObject([
      { code: "scope", severity: "error", suggestion: 'Did you mean "text"?' },
    ]);
  });

  it("C14 says when a rule can never fire", () => {
    const manager = managerOf([rule("x", { scope: ["text"], globs: ["*.ts"] })]);
    expect(manager.diagnostics()).toMatchObject([{ code: "unreachable" }]);
  });
});

describe("TTSR-1.4 ttsr.enabled is honoured at once", () => {
  it("no match while it is off, in lanes that are open too; what had fired is remembered", async () => {
    const settings = { ...SETTINGS, repeatMode: "once" as const };
    const manager = new TtsrManager(() => settings);
    const [fired, other] = [rule("foo"), rule("bar")];
    manager.addRule(fired);
    manager.addRule(other);
    manager.markInjected([fired]);
    const lane = manager.openLane(TEXT);
    lane.push("ba");
    settings.enabled = false;
    expect(lane.push("r")).toEqual([]);
    expect(manager.check("bar")).toEqual([]);
    expect(manager.watches("text")).toBe(false);
    expect(await feed(manager, TEXT, ["bar"])).toEqual([]);
    settings.enabled = true;
    expect(lane.push("bar")).toEqual([]);
    expect(names(manager.check("foo bar"))).toEqual(["bar"]);
  });
});

describe("TTSR-2.1 lanes are dropped", () => {
  it("nothing joins across a reset or across lanes", () => {
    const manager = managerOf([rule("forbidden")]);
    const lane = manager.openLane(TEXT);
    lane.push("forb");
    const other = manager.openLane({ ...TEXT, contentIndex: 1 });
    expect(other.push("idden")).toEqual([]);
    manager.resetBuffer();
    expect(lane.push("idden")).toEqual([]);
    expect(lane.close().now).toEqual([]);
  });
});

describe("TTSR-2.5 a path-scoped rule waits for the path", () => {
  const info: LaneInfo = { source: "tool", contentIndex: 0, toolName: "patch", argument: "new" };

  it("C28 fires when the path is known, at the place where it was", () => {
    for (const pieces of cuts("x sleep 5 y")) {
      const manager = managerOf([rule("sleep \\d", { scope: ["tool:patch(*.ml)"] }), rule("y", { scope: ["tool"] })]);
      const lane = manager.openLane(info);
      const early = pieces.flatMap((piece) => lane.push(piece));
      expect(early.map((match) => match.rule.name)).toEqual(["y"]);
      expect(lane.waiting).toBe(true);
      const [match, ...rest] = lane.setPath("a.ml");
      expect(rest).toEqual([]);
      expect(match).toMatchObject({ start: 2, end: 9, excerpt: "x sleep 5", lane: { filePath: "a.ml" } });
      expect(lane.waiting).toBe(false);
    }
  });

  it("is silent for another file, and when no path comes", () => {
    const manager = managerOf([rule("sleep", { scope: ["tool:patch(*.ml)"] })]);
    const lane = manager.openLane(info);
    expect([...lane.push("sleep"), ...lane.setPath("a.ts"), ...lane.close().now]).toEqual([]);
    const without = manager.openLane(info);
    expect([...without.push("sleep"), ...without.close().now]).toEqual([]);
  });

  it("text after the path goes on where the text before it ended", () => {
    const manager = managerOf([rule("sleep", { globs: ["*.ml"] })]);
    const lane = manager.openLane(info);
    lane.push("sle");
    expect(lane.setPath("a.ml")).toEqual([]);
    expect(lane.push("ep")).toMatchObject([{ start: 0, end: 5 }]);
  });
});

describe("TTSR-2.7 prose", () => {
  const quoting = managerOf([rule("as any")]);
  it.each([
    ["I must not write `as any` here", []],
    ["> as any\n", []],
    ["```ts\nx as any\n```", [[8, 14]]],
    ["write x as any", [[8, 14]]],
    ["an open `as any", [[9, 15]]],
  ])("C53 %j", async (text, expected) => {
    for (const pieces of cuts(text)) {
      const matches = await feed(quoting, TEXT, pieces);
      expect(matches.map(({ start, end }) => [start, end])).toEqual(expected);
    }
  });

  it("an open span is held until it closes or its paragraph ends", () => {
    quoting.resetBuffer();
    const lane = quoting.openLane(TEXT);
    expect(lane.push("an `as any here")).toEqual([]);
    expect(lane.push("\n")).toEqual([]);
    expect(lane.push("\n")).toMatchObject([{ start: 4, end: 10, excerpt: "an `as any" }]);
  });

  it("backticks of a tool's argument hide nothing", async () => {
    expect(await feed(quoting, COMMAND, ["echo `as any`"])).toHaveLength(1);
  });
});

describe("TTSR-4.1 check(buffer): all registered rules that hold and may trigger", () => {
  const rules = [
    rule("foo"),
    rule("bar", { scope: ["tool:bash"] }),
    rule("baz", { scope: ["thinking"] }),
    rule("foo$"),
    rule("qux"),
  ];
  const manager = managerOf(rules);

  it("returns every one, in order, and keeps nothing", () => {
    expect(names(manager.check("baz bar foo"))).toEqual(["foo", "bar", "baz"]);
    expect(manager.check("ba")).toEqual([]);
    expect(manager.check("z")).toEqual([]);
  });

  it("does not return what is quiet", () => {
    const once = managerOf([rule("foo", { repeatMode: "once" }), rule("bar")]);
    once.markInjected([once.rules()[0]!]);
    expect(names(once.check("foo bar"))).toEqual(["bar"]);
  });

  it("gives the same verdict as lanes, for each source", () => {
    const infos: LaneInfo[] = [TEXT, { source: "thinking", contentIndex: 0 }, COMMAND];
    for (const info of infos) {
      for (const text of ["foo bar baz qux", "foo", "a `foo` b `qux", "> qux\nbaz", "ba", ""]) {
        for (const pieces of cuts(text)) {
          manager.resetBuffer();
          const lane = manager.openLane(info);
          const found = new Set(pieces.flatMap((piece) => lane.push(piece)).map((match) => match.rule.name));
          expect([...found].sort()).toEqual(names(manager.check(text, info)).sort());
        }
      }
    }
  });
});

describe("TTSR-4.2 lanes: verdict and offsets do not depend on the cuts", () => {
  const manager = managerOf([
    rule("--force(?!-with-lease)"),
    rule("\\bany\\b"),
    rule(["zzz", "done$"], { name: "two" }),
    rule("a[\\s\\S]*z", { name: "wide" }),
  ]);
  it.each([COMMAND, TEXT, { source: "tool", contentIndex: 0, toolName: "mcp__x", argument: "a.b" } as LaneInfo])(
    "%j",
    async (info) => {
      for (const text of [
        "git push --force any way\nand z done",
        "x --force-with-lease anyone",
        "push --force",
        "all is done",
        "\u{1F600} any \u{1F600}",
      ]) {
        const verdicts = new Set<string>();
        for (const pieces of cuts(text)) {
          const matches = await feed(manager, info, pieces);
          verdicts.add(JSON.stringify(matches.map((m) => [m.rule.name, m.trigger, m.start, m.end, m.excerpt])));
        }
        expect([...verdicts], text).toHaveLength(1);
      }
    },
  );
});

describe("a match", () => {
  it("has the start of the match, the end where it settled, and an excerpt of its line", async () => {
    const manager = managerOf([rule("eval\\(.*\\)")]);
    const [match] = await feed(manager, COMMAND, [`first line\n${"x".repeat(200)} eval(y) and more`]);
    expect(match).toMatchObject({ trigger: 0, start: 212, end: 219, lane: COMMAND });
    expect(match?.excerpt).toHaveLength(120);
    expect(match?.excerpt.endsWith("xx eval(y)")).toBe(true);
  });

  it("settled by a line end shows the line before it", async () => {
    const manager = managerOf([rule("any\\b")]);
    const [match] = await feed(manager, COMMAND, ["a\nlet x: any\nb"]);
    expect(match).toMatchObject({ start: 9, end: 13, excerpt: "let x: any" });
  });

  it("C15 never shows half a character", async () => {
    const manager = managerOf([rule("x\\ud83d")]);
    const [match] = await feed(manager, COMMAND, ["x\u{1F600}"]);
    expect(match?.excerpt).toBe("x");
    const long = managerOf([rule("END")]);
    const [cut] = await feed(long, COMMAND, [`${"\u{1F600}".repeat(80)}END`]);
    expect(cut?.excerpt).not.toMatch(/^[\uDC00-\uDFFF]/);
  });

  it("far into a burst still has its place", async () => {
    const manager = managerOf([rule("needle")]);
    const text = `${"hay\n".repeat(20_000)}a needle${" hay".repeat(20_000)}`;
    for (const pieces of [[text], text.match(/[\s\S]{1,997}/g) ?? []]) {
      expect(await feed(manager, COMMAND, pieces)).toMatchObject([{ start: 80_002, end: 80_008, excerpt: "a needle" }]);
    }
  });
});

describe("TTSR-5.1 repeatMode once", () => {
  it("is quiet after an injection, as long as its text is in the context that will be sent", () => {
    const manager = managerOf([rule("foo")], { repeatMode: "once" });
    const [foo] = manager.rules();
    expect(manager.check("foo")).toHaveLength(1);
    manager.markInjected([foo!]);
    expect(manager.check("foo")).toHaveLength(0);
    manager.setVisible(["foo"]);
    expect(manager.check("foo")).toHaveLength(0);
    manager.setVisible([]); // C67: compaction took it away
    expect(manager.check("foo")).toHaveLength(1);
    manager.markInjected([foo!]);
    expect(manager.check("foo")).toHaveLength(0);
  });

  it("C69 what was never delivered is not spent", () => {
    const manager = managerOf([rule("foo")], { repeatMode: "once" });
    manager.markInjected(manager.rules());
    manager.unmarkInjected(["foo"]);
    expect(manager.check("foo")).toHaveLength(1);
  });

  it("C68 another branch replaces what was known", () => {
    const manager = managerOf([rule("foo"), rule("bar")], { repeatMode: "once" });
    manager.markInjected(manager.rules());
    manager.restoreInjected(["bar"]);
    expect(names(manager.check("foo bar"))).toEqual(["foo"]);
    manager.restoreInjected([]);
    expect(manager.check("foo bar")).toHaveLength(2);
  });

  it("a rule that was edited since is another one", () => {
    const manager = managerOf([rule("foo", { hash: "new" })], { repeatMode: "once" });
    manager.restoreInjected([{ name: "foo", hash: "old", turnsAgo: 1 }]);
    expect(manager.check("foo")).toHaveLength(1);
    manager.restoreInjected([{ name: "foo", hash: "new", turnsAgo: 1 }]);
    expect(manager.check("foo")).toHaveLength(0);
  });

  it("a lane that was open when the rule became quiet does not report it", () => {
    const manager = managerOf([rule("foo")], { repeatMode: "once" });
    const lane = manager.openLane(TEXT);
    lane.push("fo");
    manager.markInjected(manager.rules());
    expect(lane.push("o")).toEqual([]);
  });
});

describe("TTSR-5.2 repeatMode after-gap counts turns", () => {
  it("fires again when the gap is over", () => {
    const manager = managerOf([rule("foo")], { repeatMode: "after-gap", repeatGap: 2 });
    manager.markInjected(manager.rules());
    expect(manager.check("foo")).toHaveLength(0);
    manager.turnEnded();
    expect(manager.check("foo")).toHaveLength(0);
    manager.resetBuffer();
    expect(manager.check("foo")).toHaveLength(0);
    manager.turnEnded();
    expect(manager.check("foo")).toHaveLength(1);
    expect(manager.turnsSinceInjected("foo")).toBe(2);
  });

  it("C88 the age survives a restore; a bare name begins anew", () => {
    const manager = managerOf([rule("foo")], { repeatMode: "after-gap", repeatGap: 5 });
    manager.restoreInjected([{ name: "foo", hash: "h1", turnsAgo: 3 }]);
    manager.turnEnded();
    expect(manager.check("foo")).toHaveLength(0);
    manager.turnEnded();
    expect(manager.check("foo")).toHaveLength(1);
    manager.restoreInjected(["foo"]);
    expect(manager.turnsSinceInjected("foo")).toBe(0);
    expect(manager.check("foo")).toHaveLength(0);
  });
});

describe("TTSR-5.3 repeatMode always, and what a rule says itself", () => {
  it("is armed on every attempt", async () => {
    const manager = managerOf([rule("foo")]);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await feed(manager, TEXT, ["foo"])).toHaveLength(1);
      manager.markInjected(manager.rules());
    }
  });

  it("TTSR-5.4 a rule's own mode and gap override the settings", () => {
    const manager = managerOf([
      rule("aa"),
      rule("bb", { repeatMode: "once" }),
      rule("cc", { repeatMode: "after-gap", repeatGap: 1 }),
    ]);
    manager.markInjected(manager.rules());
    expect(names(manager.check("aa bb cc"))).toEqual(["aa"]);
    manager.turnEnded();
    expect(names(manager.check("aa bb cc"))).toEqual(["aa", "cc"]);
  });
});
