import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LoadResult } from "../../src/capability/index.js";
import { flagProvider } from "../../src/discovery/providers/flag.js";
import { projectProvider } from "../../src/discovery/providers/project.js";
import { userProvider } from "../../src/discovery/providers/user.js";
import { ruleText, workspace } from "./workspace.js";

const names = (result: LoadResult): string[] => result.found.map(({ rule }) => rule.name);

describe("TTSR-1.5 where rules live", () => {
  it("the user's config folder, all depths, both extensions", async () => {
    const space = workspace({
      "config/rules/b.md": ruleText("b"),
      "config/rules/python/uv.mdc": ruleText("uv"),
      "config/rules/notes.txt": "no rule",
      "config/rules/node_modules/x.md": ruleText("x"),
    });
    const result = await userProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual(["b", "python/uv"]);
    expect(result.found[1]?.rule).toMatchObject({ provider: "user", path: space.at("config/rules/python/uv.mdc") });
    expect(result.found.every((found) => found.untrusted === undefined)).toBe(true);
  });

  it("no folder, no rules, no word", async () => {
    const space = workspace();
    for (const provider of [userProvider, flagProvider, projectProvider]) {
      expect(await provider.load({ cwd: space.repo, dirs: space.dirs })).toEqual({
        found: [],
        skipped: [],
        diagnostics: [],
      });
    }
    expect((await projectProvider.load({ cwd: space.at("gone"), dirs: space.dirs })).found).toEqual([]);
  });

  it("`--rules` folders in the order typed; one that is not there is a wrong flag", async () => {
    const space = workspace({ "repo/z/z.md": ruleText("z"), "more/a.md": ruleText("a") });
    const result = await flagProvider.load({ cwd: space.repo, dirs: space.dirs, ruleDirs: ["z", space.at("more")] });
    expect(names(result)).toEqual(["z", "a"]);
    await expect(flagProvider.load({ cwd: space.repo, ruleDirs: ["nowhere"] })).rejects.toMatchObject({
      exitCode: 2,
      message: "--rules nowhere: there is no such folder.",
    });
  });

  it("`.rules` from the working folder up to the repository's root, nearest first, and no further", async () => {
    const space = workspace({
      ".rules/above.md": ruleText("above"),
      "repo/.rules/same.md": ruleText("root"),
      "repo/.rules/only-root.md": ruleText("only"),
      "repo/app/.rules/same.md": ruleText("near"),
      "repo/app/deep/x.ts": "",
      "repo/other/.rules/other.md": ruleText("other"),
    });
    const result = await projectProvider.load({ cwd: space.at("repo/app/deep"), dirs: space.dirs, trusted: true });
    expect(result.found.map(({ rule }) => [rule.name, rule.ttsrTrigger[0]])).toEqual([
      ["same", "near"],
      ["only-root", "only"],
      ["same", "root"],
    ]);
  });

  it("without a repository, the working folder alone", async () => {
    const space = workspace({ ".rules/above.md": ruleText("above"), "plain/.rules/here.md": ruleText("here") });
    expect(names(await projectProvider.load({ cwd: space.at("plain"), dirs: space.dirs }))).toEqual(["here"]);
  });

  it("a worktree's `.git` file marks the root too", async () => {
    const space = workspace({ "tree/.git": "gitdir: elsewhere", "tree/.rules/a.md": ruleText("a"), "tree/sub/x": "" });
    expect(names(await projectProvider.load({ cwd: space.at("tree/sub"), dirs: space.dirs }))).toEqual(["a"]);
  });
});

describe("T15 limits of a folder: what is over is skipped and named", () => {
  it("64 KiB a file", async () => {
    const space = workspace({
      "config/rules/big.md": "x".repeat(64 * 1024 + 1),
      "config/rules/fits.md": "x".repeat(64 * 1024),
    });
    const result = await userProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual(["fits"]);
    expect(result.skipped).toEqual([
      {
        path: space.at("config/rules/big.md"),
        provider: "user",
        reason: "it has 65537 bytes; a rule has at most 65536",
      },
    ]);
  });

  it("500 rules", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 502 }, (_, i) => [`repo/.rules/r${String(i).padStart(3, "0")}.md`, ruleText("a")]),
    );
    const space = workspace({ ...files, "repo/app/.rules/near.md": ruleText("near") });
    const result = await projectProvider.load({ cwd: space.at("repo/app"), dirs: space.dirs });
    expect(result.found).toHaveLength(500);
    expect(names(result)[0]).toBe("near");
    expect(result.skipped.map(({ path, reason }) => [path.slice(-7), reason])).toEqual([
      ["r499.md", "there are more than 500 rules; neither it nor what follows was read"],
    ]);
  });

  it("depth 8", async () => {
    const eight = "1/2/3/4/5/6/7/8";
    const space = workspace({
      [`repo/.rules/${eight}/in.md`]: ruleText("a"),
      [`repo/.rules/${eight}/9/out.md`]: ruleText("b"),
    });
    const result = await projectProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual([`${eight}/in`]);
    expect(result.skipped).toEqual([
      { path: space.at(`repo/.rules/${eight}/9`), provider: "project", reason: "it lies deeper than 8 folders" },
    ]);
  });

  it("what an editor leaves beside a rule is none; a name that ends nearly right is told of", async () => {
    const space = workspace({
      "repo/.rules/a.md": ruleText("a"),
      "repo/.rules/b.MD": ruleText("b"),
      "repo/.rules/c.markdown": ruleText("c"),
      "repo/.rules/d.md.txt": ruleText("d"),
      "repo/.rules/a.md~": ruleText("a"),
      "repo/.rules/._a.md": "\u0000\u0005",
      "repo/.rules/notes.txt": "nothing",
      "repo/.rules/.md": "nothing",
    });
    symlinkSync("somebody@host.4711", space.at("repo/.rules/.#a.md"));
    const result = await projectProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual(["a"]);
    expect(result.skipped.map(({ path, reason }) => `${path.slice(space.repo.length + 8)}: ${reason}`)).toEqual([
      "b.MD: the name of a rule's file ends with .md or .mdc; rename it",
      "c.markdown: the name of a rule's file ends with .md or .mdc; rename it",
      "d.md.txt: the name of a rule's file ends with .md or .mdc; rename it",
    ]);
  });

  it("S28 no link that leaves the repository, whether file, folder, or `.rules` itself", async () => {
    const space = workspace({
      "repo-evil/x.md": ruleText("evil"),
      "repo/real/ok.md": ruleText("ok"),
      "repo/.rules/a.md": ruleText("a"),
    });
    symlinkSync(space.at("repo-evil/x.md"), space.at("repo/.rules/file.md"));
    symlinkSync(space.at("repo-evil"), space.at("repo/.rules/folder"));
    symlinkSync(space.at("repo/real"), space.at("repo/.rules/inside"));
    symlinkSync(space.at("repo/gone"), space.at("repo/.rules/dangling.md"));
    symlinkSync(space.at("repo/.rules"), space.at("repo/.rules/self"));
    const result = await projectProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual(["a", "inside/ok"]);
    expect(result.skipped.map(({ path, reason }) => `${path.slice(space.repo.length + 8)}: ${reason}`)).toEqual([
      "dangling.md: it is a link to nothing",
      "file.md: it is a link that leaves the repository",
      "folder: it is a link that leaves the repository",
      "self: it is a link to a folder that it lies in",
    ]);

    rmSync(space.at("repo/.rules"), { recursive: true });
    symlinkSync(space.at("repo-evil"), space.at("repo/.rules"));
    const whole = await projectProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(whole.found).toEqual([]);
    expect(whole.skipped).toMatchObject([{ reason: "it is a link that leaves the repository" }]);
  });

  it("the user's own links lead where they like", async () => {
    const space = workspace({ "dotfiles/rules/mine.md": ruleText("mine") });
    mkdirSync(space.dirs.config, { recursive: true });
    symlinkSync(space.at("dotfiles/rules"), space.at("config/rules"));
    expect(names(await userProvider.load({ cwd: space.repo, dirs: space.dirs }))).toEqual(["mine"]);
  });

  it("a pipe with the name of a rule holds nothing up", async () => {
    const space = workspace({ "repo/.rules/a.md": ruleText("a") });
    execFileSync("mkfifo", [space.at("repo/.rules/pipe.md")]);
    const result = await projectProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(names(result)).toEqual(["a"]);
    expect(result.skipped).toMatchObject([{ reason: "it is no regular file" }]);
  });
});

describe("T17 one broken file leaves the others alone", () => {
  it("is found as broken, with file and line", async () => {
    const space = workspace({
      "config/rules/a.md": "---js\nx\n---\n",
      "config/rules/b c.md": ruleText("b"),
      "config/rules/d.md": ruleText("d"),
    });
    const result = await userProvider.load({ cwd: space.repo, dirs: space.dirs });
    expect(result.found.map(({ rule, broken }) => [rule.name, broken !== undefined])).toEqual([
      ["a", true],
      ["b c", true],
      ["d", false],
    ]);
    expect(result.diagnostics.map(({ path, line, severity }) => [path, line, severity])).toEqual([
      [space.at("config/rules/a.md"), 1, "error"],
      [space.at("config/rules/b c.md"), 1, "error"],
    ]);
  });
});
