import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeText } from "../../src/platform/text-codec.js";
import type { ToolDeps } from "../../src/tools/index.js";
import { bundledRipgrep } from "../../src/tools/ripgrep.js";
import { type Bench, bench } from "./kit.js";

const own = { ripgrep: async () => undefined };
const engines = [
  ["ripgrep", {}],
  ["own search", own],
] as const;

/** A tree with all that the two searches could disagree about. */
const TREE = {
  ".gitignore": "dist/\n*.gen.ts\n!keep.gen.ts\n/secret.txt\n",
  "a.ts": "const needle = 1;\nother\nNEEDLE\n",
  "b/c.ts": "x\r\nneedle\r\n",
  "b/d.txt": "needle without a line end",
  "b/.gitignore": "local.ts\n",
  "b/local.ts": "needle\n",
  "b-x/e.ts": "needle\n",
  "dist/out.ts": "needle\n",
  "dist/deep/out.ts": "needle\n",
  "made.gen.ts": "needle\n",
  "keep.gen.ts": "needle\n",
  "secret.txt": "needle\n",
  "sub/secret.txt": "needle\n",
  ".hidden/f.ts": "needle\n",
  "bin.dat": Buffer.from("needle\n\0\x01needle\n"),
  "wide.txt": encodeText("needle in UTF-16\n", "utf-16le"),
  "latin.txt": Buffer.from("needle caf\xe9\n", "latin1"),
  "long.js": `needle${"x".repeat(1500)}\n`,
  "empty.ts": "",
};

function repository(deps = {}, git = true): Bench {
  const made = bench(TREE, deps);
  if (git) mkdirSync(made.path(".git"));
  made.put(".git/config", "needle\n");
  made.put(".git/hooks/x.ts", "needle\n");
  symlinkSync("b", made.path("link"));
  symlinkSync("a.ts", made.path("linked.ts"));
  return made;
}

const searches: Record<string, unknown>[] = [
  { pattern: "needle" },
  { pattern: "needle", ignoreCase: true },
  { pattern: "needle$" },
  { pattern: "^needle" },
  { pattern: "^$" },
  { pattern: "needle(?! =)" },
  { pattern: "needle", glob: "*.ts" },
  { pattern: "needle", glob: "*" },
  { pattern: "needle", glob: "*.{ts,txt}" },
  { pattern: "needle", glob: "!*.ts" },
  { pattern: "needle", glob: "b/**" },
  { pattern: "needle", glob: "**/*.ts" },
  { pattern: "needle", path: "b" },
  { pattern: "needle", path: "b", glob: "b/*.ts" },
  { pattern: "needle", path: "b", glob: "/c.ts" },
  { pattern: "needle", path: "dist" },
  { pattern: "needle", path: "dist/deep" },
  { pattern: "needle", path: "secret.txt" },
  { pattern: "needle", path: "link" },
  { pattern: "needle", path: ".git/hooks" },
  { pattern: "nothing of this" },
];
const globs: Record<string, unknown>[] = [
  { pattern: "*.ts" },
  { pattern: "**/*" },
  { pattern: "**/*.{ts,js}" },
  { pattern: "b/*" },
  { pattern: "*", path: "b" },
  { pattern: "out.ts", path: "dist" },
  { pattern: ".hidden/**" },
  { pattern: "none" },
];

describe("grep and glob give the same with and without ripgrep", () => {
  it("the program that is installed with us is there", async () => {
    expect(existsSync((await bundledRipgrep()) ?? "")).toBe(true);
  });

  it.each([
    ["in a repository", true],
    ["in a folder that is none", false],
  ])("%s", async (_name, git) => {
    const made = repository({}, git);
    const other = bench({}, own);
    for (const args of searches) {
      const cwd = made.root;
      expect([args, (await other.call("grep", args, { cwd })).text]).toEqual([
        args,
        (await made.call("grep", args)).text,
      ]);
    }
    for (const args of globs) {
      const cwd = made.root;
      expect([args, (await other.call("glob", args, { cwd })).text]).toEqual([
        args,
        (await made.call("glob", args)).text,
      ]);
    }
  });

  it.each(engines)("%s: what git ignores is left out, in the order of the names", async (_name, deps) => {
    const { call } = repository(deps);
    expect((await call("grep", { pattern: "needle" })).text.replace(/x{50,}…?/, "x…")).toBe(
      [
        ".hidden/f.ts:1:needle",
        "a.ts:1:const needle = 1;",
        "b/c.ts:2:needle",
        "b/d.txt:1:needle without a line end",
        "b-x/e.ts:1:needle",
        "keep.gen.ts:1:needle",
        "latin.txt:1:needle caf\ufffd",
        "long.js:1:needlex…",
        "sub/secret.txt:1:needle",
        "wide.txt:1:needle in UTF-16",
      ].join("\n"),
    );
    expect((await call("grep", { pattern: "needle", glob: "*" })).text).not.toMatch(/dist|made\.gen|\.git\//);
    expect((await call("grep", { pattern: "needle", path: "dist/out.ts" })).text).toBe("dist/out.ts:1:needle");
    expect((await call("grep", { pattern: "needle", path: "bin.dat" })).text).toBe(
      '"bin.dat" is binary; it was not searched.',
    );
  });
});

describe.skipIf(process.platform === "win32")("S41 S27 hostile names", () => {
  const NAMES = ["--pre=x", "-e", "new\nline.ts", "osc\x1b]0;evil\x07.ts", "a:1:b", "bidi\u202e.ts", "sp ace.ts"];

  it.each(engines)(
    "%s: they are searched as files, and shown in one line without control characters",
    async (_name, deps) => {
      const made = bench(Object.fromEntries(NAMES.map((name) => [name, "needle\n"])), deps);
      const found = (await made.call("grep", { pattern: "needle" })).text.split("\n");
      expect(found.sort()).toEqual(
        [
          "--pre=x:1:needle",
          "-e:1:needle",
          "a:1:b:1:needle",
          "bidi\\u202e.ts:1:needle",
          "new\\nline.ts:1:needle",
          "osc\\x1b]0;evil\\x07.ts:1:needle",
          "sp ace.ts:1:needle",
        ].sort(),
      );
      const names = (await made.call("glob", { pattern: "*" })).text.split("\n");
      expect(names.sort()).toEqual(found.map((line) => line.replace(/:1:needle$/, "")).sort());
      for (const name of NAMES)
        expect((await made.call("grep", { pattern: "needle", path: name })).text).toMatch(/:1:needle$/);
      expect((await made.call("ls", {})).text.split("\n").sort()).toEqual(names);
    },
  );

  it("S11 no file name, pattern or glob makes ripgrep run a program", async () => {
    const made = bench({ "--pre=.": "needle\n", "pre.sh": "#!/bin/sh\ntouch marker\n" });
    const script = made.path("pre.sh");
    chmodSync(script, 0o755);
    for (const args of [
      { pattern: `--pre=${script}` },
      { pattern: "needle", glob: `--pre=${script}` },
      { pattern: "needle", path: "--pre=." },
    ]) {
      await made.call("grep", args);
    }
    expect(existsSync(made.path("marker"))).toBe(false);
  });

  it.each(engines)("%s: control sequences in a line are cleaned", async (_name, deps) => {
    const { call } = bench({ f: "\x1b[31mneedle\x1b]52;c;eA==\x07 end\n" }, deps);
    expect((await call("grep", { pattern: "needle" })).text).toBe("f:1:needle end");
  });
});

describe("grep: limits and faults", () => {
  it.each(engines)("%s: caps the hits and says so", async (_name, deps) => {
    const { call } = bench({ f: "needle\n".repeat(1000) }, deps);
    const lines = (await call("grep", { pattern: "needle" })).text.split("\n");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe("[More than 200 hits; the first 200 are shown. Narrow the search.]");
  });

  it.each(engines)("%s: a bad pattern is one sentence", async (_name, deps) => {
    const { call } = bench({ f: "x\n" }, deps);
    for (const pattern of ["(", "[z-a]", "a(?<=b"]) {
      const answer = await call("grep", { pattern });
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(/^The pattern cannot be read: [^\n]+\.$/);
    }
  });

  it.each(engines)("%s: a path that is not there, a link to nothing, an abort", async (_name, deps) => {
    const { call, path } = bench({ f: "x\n" }, deps);
    symlinkSync("nowhere", path("dangling"));
    expect((await call("grep", { pattern: "x", path: "none" })).text).toBe('"none": it does not exist.');
    expect((await call("glob", { pattern: "x", path: "none" })).text).toBe('"none": it does not exist.');
    expect((await call("glob", { pattern: "x", path: "f" })).text).toBe('"f" is not a folder.');
    expect((await call("grep", { pattern: "x", path: "dangling" })).isError).toBe(true);
    for (const tool of ["grep", "glob"]) {
      expect(await call(tool, { pattern: "x" }, { signal: AbortSignal.abort() })).toMatchObject({
        isError: true,
        text: "Interrupted.",
      });
    }
  });

  it("a very long line does not hide the hits after it", async () => {
    const { call } = bench({ f: `${"x".repeat(6_000_000)}needle\nneedle\n` });
    expect((await call("grep", { pattern: "^needle" })).text).toBe("f:2:needle");
    expect((await call("grep", { pattern: "needle" })).text).toMatch(/^f:1:x{300}…\nf:2:needle$/);
  });

  it("names are relative to the working folder, also when it is reached through a link", async () => {
    const { call, root, top } = bench({ "sub/f": "needle\n", g: "needle\n" });
    symlinkSync(root, join(top, "way"));
    expect((await call("grep", { pattern: "needle" }, { cwd: join(top, "way", "sub") })).text).toBe("f:1:needle");
    expect((await call("glob", { pattern: "f" }, { cwd: join(top, "way") })).text).toBe("sub/f");
    expect((await call("grep", { pattern: "needle", path: ".." }, { cwd: join(root, "sub") })).text).toBe(
      `${root}/g:1:needle\nf:1:needle`,
    );
  });
});

describe("glob", () => {
  it.each(engines)("%s: newest first, capped with the count", async (_name, deps) => {
    const { call, put, root } = bench({}, deps);
    for (let i = 0; i < 250; i++) utimesSync(put(`f${i}.ts`, ""), 1000 + i, 1000 + i);
    const lines = (await call("glob", { pattern: "*.ts" })).text.split("\n");
    expect(lines.slice(0, 2)).toEqual(["f249.ts", "f248.ts"]);
    expect(lines.at(-1)).toBe("[250 files; the first 200 are shown.]");
    expect((await call("glob", { pattern: `${root}/f24*.ts` })).text.split("\n")).toHaveLength(10 + 1);
  });
});

describe("ls", () => {
  it("folders first, links marked, ignored names at the end, caps told", async () => {
    const { call, put, path } = bench({
      ".gitignore": "node_modules/\n*.log\n",
      "b.ts": "",
      "z/x": "",
      "node_modules/p/i.js": "",
      "a.log": "",
    });
    symlinkSync("b.ts", path("link"));
    expect((await call("ls", {})).text).toBe("z/\n.gitignore\nb.ts\nlink@\n[ignored by git: a.log node_modules/]");
    expect((await call("ls", { path: "node_modules" })).text).toBe("p/");
    for (let i = 0; i < 600; i++) put(`many/f${i}`, "");
    expect((await call("ls", { path: "many" })).text).toMatch(/\[500 of 600 entries shown\. Use glob to narrow\.\]$/);
    mkdirSync(path("none"));
    expect((await call("ls", { path: "none" })).text).toBe("(empty folder)");
    expect((await call("ls", { path: "b.ts" })).text).toBe('"b.ts" is not a folder; use read.');
    expect((await call("ls", { path: "gone" })).text).toBe('"gone": it does not exist.');
  });

  it.skipIf(process.platform !== "linux" || spawnSync("git", ["--version"]).status !== 0)(
    "agrees with git about what is ignored",
    async () => {
      const { call, root } = repository({}, false);
      spawnSync("rm", ["-rf", join(root, ".git")]);
      spawnSync("git", ["init", "-q", root]);
      writeFileSync(join(root, ".git/info/exclude"), "b-x\n");
      const listed = spawnSync("git", ["-C", root, "ls-files", "-oc", "--exclude-standard"], { encoding: "utf8" });
      const wanted = listed.stdout
        .trim()
        .split("\n")
        .filter((name) => !name.startsWith("link"));
      for (const deps of [{}, own]) {
        const other = bench({}, deps);
        const { text } = await other.call("glob", { pattern: "**/*" }, { cwd: root });
        expect(text.split("\n").sort()).toEqual(wanted.sort());
      }
      expect((await call("ls", {})).text).toMatch(/\[ignored by git: b-x\/ dist\/ made\.gen\.ts secret\.txt\]$/);
    },
  );
});

describe("no pattern freezes a search", () => {
  const own: Partial<ToolDeps> = { ripgrep: async () => undefined };

  it("grep without ripgrep gives up a pattern that backtracks for ever, and still answers harmless ones", async () => {
    const made = bench({ "a.txt": `${"a".repeat(40)}!\nfine\n` }, own);
    const slow = await made.call("grep", { pattern: "^(a+)+$" });
    expect(slow.isError).toBe(true);
    expect(slow.text).toContain("takes too long");
    expect((await made.call("grep", { pattern: "fine" })).text).toBe("a.txt:2:fine");
  });

  it("a glob with many stars in one part is refused in words, in glob and in grep", async () => {
    const made = bench({ ["a".repeat(200)]: "x\n", "src/a.test.ts": "x\n" });
    for (const tool of ["glob", "grep"]) {
      const args = tool === "glob" ? { pattern: "*a*a*a*a*a*a*a*b" } : { pattern: "x", glob: "*a*a*a*a*a*a*a*b" };
      const answer = await made.call(tool, args);
      expect(answer.isError, tool).toBe(true);
      expect(answer.text).toContain("more than 4 stars");
    }
    expect((await made.call("glob", { pattern: "**/*.test.*" })).text).toBe("src/a.test.ts");
  });
});
