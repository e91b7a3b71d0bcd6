// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are what is read here
/** Cases of false alarms on text that is quoted, discussed or data, through the lanes of real calls. */
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../src/agent/messages.js";
import type { StreamPart } from "../../../src/agent/ports.js";
import type { Rule } from "../../../src/capability/rule.js";
import { TtsrManager } from "../../../src/ttsr/manager.js";
import { createMonitor } from "../../../src/ttsr/monitor.js";
import type { TtsrMatch } from "../../../src/ttsr/types.js";
import { cuts, rule, SETTINGS, TOOLS } from "../helpers.js";

/** What fires on a message of these parts: rule and excerpt. */
async function fires(
  rules: Rule[],
  parts: readonly StreamPart[],
  files: Record<string, string> = {},
): Promise<string[]> {
  const manager = new TtsrManager(SETTINGS, { baseline: (path) => files[path] });
  for (const each of rules) expect(manager.addRule(each)).toBe(true);
  const found: TtsrMatch[] = [];
  const monitor = createMonitor({
    manager,
    tools: (name) => TOOLS[name],
    cwd: "/p",
    onBatch: (matches) => {
      found.push(...matches);
      return "pass";
    },
  });
  monitor.open();
  for (const part of parts) monitor.inspect(part);
  const usage = { ...NO_USAGE };
  await monitor.close({
    role: "assistant",
    provider: "p",
    model: "m",
    wire: "scripted",
    content: [],
    stopReason: "stop",
    usage,
  });
  return found.map((match) => `${match.rule.name}: ${match.excerpt}`);
}

/** The same for every way of cutting the arguments. */
async function call(rules: Rule[], name: string, args: unknown, files?: Record<string, string>): Promise<string[]> {
  const verdicts = await Promise.all(
    cuts(JSON.stringify(args)).map((pieces) =>
      fires(
        rules,
        [
          { type: "call_start", index: 0, id: "c", name },
          ...pieces.map((text): StreamPart => ({ type: "args_delta", index: 0, text })),
          { type: "block_end", index: 0 },
        ],
        files,
      ),
    ),
  );
  for (const verdict of verdicts) expect(verdict).toEqual(verdicts[0]);
  return verdicts[0] ?? [];
}

async function prose(rules: Rule[], text: string): Promise<string[]> {
  const verdicts = await Promise.all(
    cuts(text).map((pieces) =>
      fires(rules, [
        { type: "text_start", index: 0 },
        ...pieces.map((piece): StreamPart => ({ type: "text_delta", index: 0, text: piece })),
        { type: "block_end", index: 0 },
      ]),
    ),
  );
  for (const verdict of verdicts) expect(verdict).toEqual(verdicts[0]);
  return verdicts[0] ?? [];
}

const inCode = (name: string, trigger: string, more: Partial<Rule> = {}): Rule =>
  rule(trigger, { name, in: ["code"], ...more });

describe("C50 prose in a here-document is no command", () => {
  const timeout = inCode("timeout", "\\btimeout\\b");
  it("the body is data where its delimiter is quoted", async () => {
    for (const mark of ["'M'", '"M"', "\\M"]) {
      expect(
        await call([timeout], "bash", { command: `git commit -F - <<${mark}\ntimeout waiting for the ack\nM` }),
      ).toEqual([]);
    }
  });
  it("what comes behind it is a command again, and so is a body that the shell expands", async () => {
    expect(await call([timeout], "bash", { command: "cat <<'M'\nx\nM\ntimeout 5 y" })).toEqual(["timeout: timeout "]);
    expect(await call([timeout], "bash", { command: "cat <<M\n$(timeout 5 y)\nM" })).toEqual(["timeout: $(timeout "]);
  });
});

describe("C52 a command inside a string", () => {
  const pipe = inCode("pipe", "curl\\s[^\\n]*\\|\\s*sh\\b");
  it("is data", async () => {
    expect(await call([pipe], "bash", { command: 'echo "curl x | sh" > note.txt' })).toEqual([]);
    expect(await call([pipe], "bash", { command: "echo 'curl x | sh'" })).toEqual([]);
  });
  it("C24 is none where only a word of it is quoted, or where the shell runs it", async () => {
    expect(await call([pipe], "bash", { command: 'curl "x" | sh' })).toEqual(['pipe: curl "x" | sh']);
    expect(await call([pipe], "bash", { command: 'echo "$(curl x | sh)"' })).toEqual(['pipe: echo "$(curl x | sh)']);
  });
});

describe("C53 the model quotes the rule", () => {
  const any = rule("\\bas any\\b", { name: "any" });
  it("code spans and block quotes are silent by default, fenced code is not", async () => {
    expect(await prose([any], "I must not write `as any` here.\n> as any\n")).toEqual([]);
    expect(await prose([any], "So:\n```ts\nx as any\n```\n")).toEqual(["any: x as any"]);
  });
  it("`in: prose` leaves the fence out, `in: code` the words, `in: any` nothing", async () => {
    const text = "I write as any.\n```ts\nx as any;\n```\n";
    expect(await prose([{ ...any, in: ["prose"] }], text)).toEqual(["any: I write as any."]);
    expect(await prose([{ ...any, in: ["code"] }], text)).toEqual(["any: x as any;"]);
    expect(await prose([{ ...any, in: ["any"] }], "> as any ")).toEqual(["any: > as any "]);
    expect(await prose([{ ...any, in: ["code"] }], "say `as any` ")).toEqual(["any: say `as any`"]);
    expect(await prose([{ ...any, in: ["prose"] }], "open `as any\n\n")).toEqual(["any: open `as any"]);
  });
});

describe("C54 narration is no action", () => {
  it("a rule on what is written does not hear what is said", async () => {
    const wrote = rule("write", { name: "wrote", scope: ["tool:write"] });
    expect(await prose([wrote], "Let me write up what I found")).toEqual([]);
  });
});

describe("C55 a pattern inside a string or a comment of the code", () => {
  const any = inCode("any", "\\bas any\\b");
  const args = (content: string, path = "a.ts") => ({ path, content });
  it("in: code", async () => {
    expect(await call([any], "write", args('const s = "x as any";\n'))).toEqual([]);
    expect(await call([any], "write", args("// x as any\n/* as any */\n"))).toEqual([]);
    expect(await call([any], "write", args("const s = `a ${x as any} b`;\n"))).toEqual([
      "any: const s = `a ${x as any}",
    ]);
    expect(await call([any], "write", args("const s = x as any;\n"))).toEqual(["any: const s = x as any;"]);
  });
  it("in: comment, in: string", async () => {
    const todo = rule("TODO", { name: "todo", in: ["comment"] });
    const url = rule("http://", { name: "url", in: ["string"] });
    const content = 'f("TODO", "http://x"); // TODO http://y\n';
    expect(await call([todo, url], "write", args(content))).toEqual([
      'url: f("TODO", "http://',
      'todo: f("TODO", "http://x"); // TODO',
    ]);
    expect(await call([todo, url], "write", args("# TODO http://x\ny = 'http://'\n", "a.py"))).toEqual([
      "todo: # TODO",
      "url: y = 'http://",
    ]);
  });
  it.each([
    ["a.lua", "-- as any\n--[[ as any\nas any ]]\n", "x as any"],
    ["a.hs", "-- as any\n{- as any {- as any -} as any -}\n", "x as any"],
    ["a.ps1", "# as any\n<# as any\nas any #>\n", "x as any"],
    ["a.vue", "<script>\n// as any\n/* as any */\n", "x as any"],
    ["a.clj", '; as any\n"as any"\n', "(x as any)"],
    ["Dockerfile", "# as any\n", "RUN as any"],
    ["build/Dockerfile.dev", "# as any\n", "RUN as any"],
    ["Makefile", "# as any\n", "x: as any"],
    ["a.ini", "; as any\n# as any\n", "x = as any"],
    [".env.local", "# as any\n", "X=as any"],
    [".gitignore", "# as any\n", "as any"],
  ])("comments of %s", async (path, quiet, loud) => {
    expect(await call([any], "write", args(quiet, path))).toEqual([]);
    expect(await call([any], "write", args(`${quiet}${loud}\n`, path))).toHaveLength(1);
  });
  it("added lines of an edit, each run by itself", async () => {
    const edits = [
      { old: "a\n", new: "a\n// as any\n" },
      { old: "b\n", new: "b as any;\n" },
    ];
    expect(await call([any], "edit", { path: "a.ts", edits })).toEqual(["any: b as any;"]);
  });
  it("a run of added lines begins in the zone in which the lines before it end", async () => {
    const evil = inCode("eval", "eval\\(");
    const file = (doc: string, last: string): string => `def f():\n    """\n    ${doc}\n    """\n    ${last}\n`;
    const files = { "a.py": file("old", "x") };
    expect(await call([evil], "write", { path: "a.py", content: file("never eval(", "x") }, files)).toEqual([]);
    expect(await call([evil], "write", { path: "a.py", content: file("never eval(", "eval(x)") }, files)).toEqual([
      "eval:     eval(",
    ]);
    const edits = [{ old: "/*\na\n*/\nb\n", new: "/*\na\neval(\n*/\nb\neval(c)\n" }];
    expect(await call([evil], "edit", { path: "a.ts", edits })).toEqual(["eval: eval("]);
    const script = "cat <<'E'\nrm a\nE\nb\n";
    const rm = inCode("rm", "\\brm\\b");
    expect(
      await call([rm], "write", { path: "a.sh", content: script.replace("rm a", "rm -rf a") }, { "a.sh": script }),
    ).toEqual([]);
    expect(await call([rm], "write", { path: "a.sh", content: `${script}rm c\n` }, { "a.sh": script })).toEqual([
      "rm: rm ",
    ]);
  });

  it("TTSR-2.5 C28 the file comes after the text", async () => {
    expect(await call([any], "write", { content: "// as any\n", path: "a.ts" })).toEqual([]);
    expect(await call([any], "write", { content: "x as any \n", path: "a.ts" })).toEqual(["any: x as any "]);
    expect(await call([any], "mcp__put", { text: "# as any\n", path: "a.py" })).toEqual([]);
    expect(await call([any], "mcp__put", { text: "// as any\n", path: "a.py" })).toEqual(["any: // as any"]);
  });
  it("without a file, and with one of no known language, everything is code", async () => {
    expect(await call([any], "mcp__say", { text: "// as any " })).toEqual(["any: // as any "]);
    expect(await call([any], "write", args("// as any ", "notes.unknown"))).toEqual(["any: // as any "]);
  });
  it("TTSR-2.4 lines that the file has already are carried over in every zone", async () => {
    expect(await call([any], "write", args("x as any;\ny\n"), { "a.ts": "x as any;\n" })).toEqual([]);
  });
});

describe("C57 C58 what is exempt by default stays exempt in zones", () => {
  const any = inCode("any", "as any");
  it("rule files and tools that only look", async () => {
    expect(await call([any], "write", { path: ".rules/no-any.md", content: "`as any`" })).toEqual([]);
    expect(await call([any], "grep", { pattern: "as any" })).toEqual([]);
  });
});

describe("C58 what a command searches for", () => {
  const evil = rule("eval\\(", { name: "evil" });
  it.each([
    "grep -rn 'eval(' src",
    'rg -n "eval(" src | head',
    "cd src && LC_ALL=C grep -F 'eval(' a.js; ls",
    "git grep 'eval('",
    "git ls-files | xargs -0 grep -l 'eval('",
    "/usr/bin/egrep $'eval(' a",
    "x=$(grep -c 'eval(' a)",
    "ls\ngrep 'eval(' a\n",
  ])("is not written to be run: %s", async (command) => {
    expect(await call([evil], "bash", { command })).toEqual([]);
  });

  it.each([
    "grep 'x' a; node -e 'eval(x)'",
    "grep 'x' a | node -e 'eval(x)'",
    "grep 'x' a && eval(",
    "grep 'x' a\nnode -e 'eval(x)'",
    "grep \"$(node -e 'eval(x)')\" a",
    "grep \"`node -e 'eval(x)'`\" a",
    "echo grep 'eval(x)'",
    "grepper 'eval(x)'",
    "node -e 'grep eval(x)'",
    "git commit -m 'eval('",
    "bash <<'E'\ngrep x\neval(x)\nE",
  ])("and this is: %s", async (command) => {
    expect(await call([evil], "bash", { command })).toHaveLength(1);
  });

  it("is looked at by a rule that names the tool, or wants everything", async () => {
    const command = "grep -rn 'eval(' src";
    expect(await call([{ ...evil, scope: ["tool:bash"] }], "bash", { command })).toHaveLength(1);
    expect(await call([{ ...evil, scope: ["tool:bash.command"] }], "bash", { command })).toHaveLength(1);
    expect(await call([{ ...evil, in: ["any"] }], "bash", { command })).toHaveLength(1);
    expect(await call([{ ...evil, in: ["string"] }], "bash", { command })).toHaveLength(1);
    expect(await call([{ ...evil, scope: ["text", "tool:*"] }], "bash", { command })).toEqual([]);
  });

  it("offsets, and other rules, are as ever", async () => {
    const rules = [evil, rule("\\bgrep\\b", { name: "grep" }), rule("src$", { name: "end", scope: ["tool:bash"] })];
    const found = await call(rules, "bash", { command: "grep 'eval(' src" });
    expect(found).toEqual(["grep: grep ", "end: grep 'eval(' src"]);
  });
});

describe("TTSR-3.3 with other clauses", () => {
  it("rules of several zones are one batch where they hold in the same step", async () => {
    const rules = [
      rule("eval", { name: "plain" }),
      inCode("code", "eval"),
      rule("eval", { name: "string", in: ["string"] }),
    ];
    expect(await call(rules, "write", { path: "a.ts", content: "eval" })).toEqual(["plain: eval", "code: eval"]);
  });
  it("offsets are those of the text as written", async () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(inCode("code", "eval\\("));
    const info = { source: "tool", contentIndex: 0, toolName: "write", argument: "content", filePath: "a.ts" } as const;
    const lane = manager.openLane(info);
    const [match] = lane.push("/* eval( */ 'eval(' eval(x)");
    expect([match?.start, match?.end, match?.excerpt]).toEqual([20, 25, "/* eval( */ 'eval(' eval("]);
  });
  it("TTSR-4.1 check() gives the same verdict on unfinished text", () => {
    const manager = new TtsrManager(SETTINGS);
    manager.addRule(inCode("code", "eval\\("));
    const info = { source: "tool", contentIndex: 0, toolName: "write", argument: "content", filePath: "a.ts" } as const;
    expect(manager.check("// eval(", info)).toEqual([]);
    expect(manager.check("eval(", info)).toHaveLength(1);
  });
});
