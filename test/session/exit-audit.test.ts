import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { Git } from "../../src/platform/git.js";
import { ExitAudit } from "../../src/session/exit-audit.js";
import { Languages } from "../../src/ttsr/ast/languages.js";
import { rule } from "../support/rules.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-audit-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): void =>
  void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: root,
    stdio: "ignore",
  });
const put = (name: string, text: string | Buffer): void => {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
};
const open = (rules = [rule("no-eval", { scope: ["tool:write", "tool:edit"] })]): ExitAudit =>
  new ExitAudit({
    root,
    cwd: root,
    env: process.env,
    clock: systemClock,
    rules: () => rules,
    languages: new Languages(),
  });

/** What is left behind by these changes. */
async function left(change: () => void, audit = open()): Promise<string[]> {
  await audit.begin();
  change();
  return (await audit.end()).map(({ rule: name, path, line, excerpt }) => `${name} ${path}:${line} ${excerpt}`);
}

describe("the last look of a run", () => {
  beforeEach(() => {
    git("init", "-q");
    put("src/old.ts", "eval(old)\n");
    put("clean.ts", "one\n");
    put(".gitignore", "dist/\n");
    git("add", "-A");
    git("commit", "-qm", "first");
  });

  it("sees what a shell, a generator or a program wrote: new files, added lines, and nothing that was there", async () => {
    put("dirty.ts", "eval(mine)\n");
    appendFileSync(join(root, "clean.ts"), "eval(mine too)\n");
    const hits = await left(() => {
      appendFileSync(join(root, "src/old.ts"), "fine\n");
      appendFileSync(join(root, "clean.ts"), "two\neval(theirs)\n");
      appendFileSync(join(root, "dirty.ts"), "x = eval(theirs)\n");
      put("new ü.ts", "a\neval(new)\n");
      put("dist/out.js", "eval(ignored)\n");
      put("image.png", Buffer.from("eval(\0"));
      rmSync(join(root, ".gitignore"));
      put(".gitignore", "dist/\n");
    });
    expect(hits.sort()).toEqual([
      "no-eval clean.ts:4 eval(",
      "no-eval dirty.ts:2 x = eval(",
      "no-eval new ü.ts:2 eval(",
    ]);
  });

  it("also what was committed meanwhile, and in a repository without a commit", async () => {
    expect(
      await left(() => {
        put("b.ts", "eval(b)\n");
        git("add", "-A");
        git("commit", "-qm", "second");
      }),
    ).toEqual(["no-eval b.ts:1 eval("]);
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q");
    expect(await left(() => put("c.ts", "eval(c)\n"))).toEqual(["no-eval c.ts:1 eval("]);
  });

  it("looks only where something could have been written, and where a rule looks at files", async () => {
    const audit = open();
    put("a.ts", "eval(\n");
    expect(await audit.end()).toEqual([]);
    expect(await left(() => put("b.ts", "eval(\n"), open([rule("prose", { scope: ["text"] })]))).toEqual([]);
  });

  it("a file that was renamed or split up brings nothing new with it", async () => {
    expect(
      await left(() => {
        rmSync(join(root, "src/old.ts"));
        put("src/new.ts", "eval(old)\neval(new)\n");
      }),
    ).toEqual(["no-eval src/new.ts:2 eval("]);
    git("checkout", "-q", "src/old.ts");
    rmSync(join(root, "src/new.ts"));
    expect(await left(() => git("mv", "src/old.ts", "src/moved.ts"))).toEqual([]);
  });

  it("what others committed is not the run's: a checkout, a merge with a commit of its own", async () => {
    const past = { GIT_COMMITTER_DATE: "@1000000000 +0000" };
    git("checkout", "-qb", "theirs");
    put("theirs.ts", "eval(theirs)\n");
    git("add", "-A");
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qm", "theirs"], {
      cwd: root,
      env: { ...process.env, ...past },
    });
    git("checkout", "-q", "-");
    expect(await left(() => git("checkout", "-q", "theirs"))).toEqual([]);
    git("checkout", "-q", "-");
    const merged = await left(() => {
      put("ours.ts", "eval(ours)\n");
      git("add", "-A");
      git("commit", "-qm", "ours");
      git("merge", "-q", "-m", "both", "theirs");
    });
    expect(merged).toEqual(["no-eval ours.ts:1 eval("]);
  });

  it("looks into submodules and worktrees, and runs nothing that is configured there", async () => {
    const inner = join(root, "lib");
    const other = mkdtempSync(join(tmpdir(), "ttsr-audit-lib-"));
    execFileSync("git", ["clone", "-q", root, other]);
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib");
    git("commit", "-qm", "with lib");
    put("run.sh", `#!/bin/sh\ntouch ${join(root, "ran")}\n`);
    execFileSync("chmod", ["+x", join(root, "run.sh")]);
    execFileSync("git", ["config", "core.fsmonitor", join(root, "run.sh")], { cwd: inner });
    expect(await left(() => appendFileSync(join(inner, "clean.ts"), "eval(inner)\n"))).toEqual([
      "no-eval lib/clean.ts:2 eval(",
    ]);
    expect(existsSync(join(root, "ran"))).toBe(false);
    const tree = mkdtempSync(join(tmpdir(), "ttsr-audit-tree-"));
    git("worktree", "add", "-q", "--detach", join(tree, "t"));
    const main = root;
    root = join(tree, "t");
    expect(await left(() => put("w.ts", "eval(w)\n"))).toEqual(["no-eval w.ts:1 eval("]);
    root = main;
    for (const folder of [tree, other]) rmSync(folder, { recursive: true, force: true });
  });

  it("files beyond those whose texts are kept are not blamed on the run", async () => {
    for (let i = 0; i < 2_010; i++) put(`many/${i}.ts`, "eval(mine)\n");
    expect(await left(() => put("many/a.ts", "eval(theirs)\n"))).toEqual(["no-eval many/a.ts:1 eval("]);
  });

  it("is not led astray by what a hook of git sets", async () => {
    const env = { ...process.env, GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere/index" };
    const audit = new ExitAudit({
      cwd: root,
      root,
      env,
      clock: systemClock,
      rules: () => [rule("no-eval")],
      languages: new Languages(),
    });
    expect(await left(() => put("b.ts", "eval(b)\n"), audit)).toEqual(["no-eval b.ts:1 eval("]);
  });

  it("S7: runs nothing that the repository has configured", async () => {
    put("run.sh", `#!/bin/sh\ntouch ${join(root, "ran")}\ncat\n`);
    execFileSync("chmod", ["+x", join(root, "run.sh")]);
    const run = join(root, "run.sh");
    git("config", "core.fsmonitor", run);
    git("config", "core.hooksPath", root);
    git("config", "filter.bad.clean", run);
    git("config", "filter.bad.process", run);
    git("config", "filter.bad.required", "true");
    git("config", "diff.external", run);
    git("config", "diff.bad.textconv", run);
    put(".gitattributes", "* filter=bad diff=bad\n");
    const hits = await left(() => appendFileSync(join(root, "clean.ts"), "eval(theirs)\n"));
    expect(existsSync(join(root, "ran"))).toBe(false);
    expect(hits).toEqual(["no-eval clean.ts:2 eval("]);
  });
});

it("without a repository there is nothing to compare with", async () => {
  expect(await left(() => put("a.ts", "eval(\n"))).toEqual([]);
  expect(await new Git(root, process.env).ask(["rev-parse", "HEAD"])).toBeUndefined();
});
