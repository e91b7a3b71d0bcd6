import { describe, expect, it } from "vitest";
import { commandReadings, isPlainCommand } from "../../src/permissions/command-parts.js";
import { covers, parsePattern, touches } from "../../src/permissions/patterns.js";

describe("patterns", () => {
  it.each(["", "(x)", "bash(", "bash()", "bash npm", "bash(x) y", "sp ace"])("%j cannot be read", (source) => {
    expect(() => parsePattern(source, "--allow")).toThrow(
      expect.objectContaining({
        code: "bad-pattern",
        exitCode: 2,
        message: expect.stringContaining(`--allow "${source}"`),
      }),
    );
  });

  it.each([
    ["read", "read", "anything", true],
    ["read", "reader", "anything", false],
    ["mcp:*", "mcp:server/tool", "x", true],
    ["*", "bash", "x", true],
    ["bash(npm test*)", "bash", "npm test -w a", true],
    ["bash(npm test*)", "bash", "xnpm test", false],
    ["bash(npm test)", "bash", "npm test -w a", false],
    ["bash(npm (test))", "bash", "npm (test)", true],
    ["bash(a.c)", "bash", "abc", false],
    ["edit(src/*)", "edit", "src/deep/a.ts", true],
    ["edit(src/*)", "edit", "src", false],
    ["edit(**/x.ts)", "edit", "x.ts", true],
    ["edit(**/x.ts)", "edit", "a/b/x.ts", true],
    ["edit(**/x.ts)", "edit", "a/yx.ts", false],
  ])("%s %s %s %s", (source, tool, name, fits) => {
    expect(covers(parsePattern(source, "--allow"), tool, [[name]])).toBe(fits);
    expect(touches(parsePattern(source, "--deny"), tool, [[name]])).toBe(fits);
  });

  it("allowing needs all of the files, denying one of them; each by any of its names", () => {
    const files = [["a.ts", "/w/a.ts"], ["/tmp/b"]];
    expect(covers(parsePattern("edit(a.ts)", "--allow"), "edit", files)).toBe(false);
    expect(covers(parsePattern("edit(/*)", "--allow"), "edit", files)).toBe(true);
    expect(touches(parsePattern("edit(a.ts)", "--deny"), "edit", files)).toBe(true);
    expect(touches(parsePattern("edit(/tmp/*)", "--deny"), "edit", files)).toBe(true);
    expect(covers(parsePattern("x(*)", "--allow"), "x", [])).toBe(false);
  });

  it("S18 denying looks past letter case and Unicode form, allowing does not", () => {
    expect(touches(parsePattern("edit(secret/*)", "--deny"), "edit", [["Secret/x"]])).toBe(true);
    expect(touches(parsePattern("edit(café)", "--deny"), "edit", [["cafe\u0301"]])).toBe(true);
    expect(covers(parsePattern("edit(secret/*)", "--allow"), "edit", [["Secret/x"]])).toBe(false);
  });
});

describe("S12 S14 one plain command", () => {
  it.each(["npm test", "git log --oneline -n 5", "  tsc -p tsconfig.json  ", "make -j4 all", "x --k=b"])(
    "%j is one",
    (command) => {
      expect(isPlainCommand(command)).toBe(true);
    },
  );

  it.each([
    "npm test; touch x",
    "npm test && touch x",
    "npm test || touch x",
    "npm test | sh",
    "npm test & touch x",
    "npm test\ntouch x",
    "npm test\rtouch x",
    "npm test $(touch x)",
    "npm test `touch x`",
    "npm test <(touch x)",
    "npm test > x",
    "npm test < x",
    "npm test $IFS",
    "npm test $" + "{x@P}",
    "npm test $'\\n'",
    "npm test {a,b}",
    "npm test *",
    "npm test ?",
    "npm test [a]",
    "npm test ~",
    "npm test #x\ntouch y",
    "npm test \\\ntouch",
    'npm test "a"',
    "npm test 'a'",
    "! npm test",
    "PATH=. npm test",
    "A+=1 npm test",
  ])("%j is not", (command) => {
    expect(isPlainCommand(command)).toBe(false);
  });
});

describe("S14 S15 denying reads every part of a compound", () => {
  const deny = parsePattern("bash(rm *)", "--deny");
  const denied = (command: string) => touches(deny, "bash", [commandReadings(command)]);

  it.each([
    "rm x",
    "ls; rm x",
    "ls && rm -rf x",
    "ls || rm x",
    "ls | xargs rm x",
    "ls & rm x",
    "ls\nrm x",
    "(rm x)",
    "{ rm x; }",
    "echo $(rm x)",
    "echo `rm x`",
    "cat <(rm x)",
    "sudo rm x",
    "sudo -n rm x",
    "env A=1 rm x",
    "A=1 rm x",
    "/bin/rm x",
    "r\\m x",
    "'rm' x",
    'r""m x',
    "RM x",
    "bash -c 'rm x'",
    'sh -c "ls; rm x"',
    "if true; then rm x; fi",
    "while rm x; do :; done",
    "time nice -n 5 rm x",
    "timeout 5 rm x",
    "rm\tx",
    "r\\\nm x",
    `${"true;".repeat(60)} rm x`,
  ])("%j", (command) => {
    expect(denied(command)).toBe(true);
  });

  it.each(["ls", "echo rm x", "git rm x", "git commit -m 'rm old files'", "npm run rm x", "perform x"])(
    "not %j",
    (command) => {
      expect(denied(command)).toBe(false);
    },
  );

  it("a very long command is no work", () => {
    expect(denied(`${"sudo ".repeat(50_000)}ls`)).toBe(false);
    expect(denied(`${"true;".repeat(50_000)} rm x`)).toBe(true);
  });
});
