import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BASH, bash, decide, EDIT, edit, folder, gateOf, READ, read, verdict } from "./gate-setup.js";

describe("S17 S18 protected paths ask even in yolo", () => {
  it.each([
    ".git/hooks/pre-commit",
    ".Git/hooks/x",
    ".GIT/config",
    ".ttsr-agent/settings.yml",
    ".TTSR-Agent/Settings.YML",
    ".rules/a.md",
    ".Rules/a.md",
    "sub/.rules/a.md",
    ".git\u200b/config",
    ".vscode/settings.json",
    ".VSCODE/tasks.json",
    ".mcp.json",
    ".npmrc",
    "packages/a/.npmrc",
    ".bashrc",
    ".cursor/rules/x.mdc",
    ".github/instructions/a.instructions.md",
    ".github/copilot-instructions.md",
    "my.code-workspace",
  ])("%s", async (name) => {
    const place = folder();
    const subject = edit(join(place.root, name));
    expect(await verdict(place, { mode: "yolo" }, EDIT, subject)).toBe("ask");
    expect(await verdict(place, { mode: "auto-edit", allow: ["edit", "edit(*)"] }, EDIT, subject)).toBe("ask");
    expect((await decide(gateOf(place, { mode: "yolo" }).gate, EDIT, subject)).allow).toBe(false);
  });

  it.each([".gitignore", "git/config", ".github/workflows/x.yml", "rules/a.md", "src/.gitkeep", "AGENTS.md"])(
    "%s is not protected",
    async (name) => {
      const place = folder();
      expect(await verdict(place, { mode: "yolo" }, EDIT, edit(join(place.root, name)))).toBe("allow");
    },
  );

  it("a name in another Unicode form is the same name", async () => {
    const place = folder();
    const folders = { config: join(place.top, "café"), state: join(place.top, "state") };
    for (const name of ["café/x", "cafe\u0301/x", "CAFE\u0301/x", "State/log"]) {
      expect(await verdict(place, { mode: "yolo", folders }, EDIT, edit(join(place.top, name)))).toBe("ask");
    }
  });

  it("by the real path too: a link with a harmless name", async () => {
    const place = folder();
    mkdirSync(join(place.root, ".git"));
    symlinkSync(".git", join(place.root, "harmless"));
    expect(await verdict(place, { mode: "yolo" }, EDIT, edit(join(place.root, "harmless/config")))).toBe("ask");
  });

  it("what stands above the workspace says nothing, its own name does", async () => {
    const place = folder();
    const root = join(place.top, ".claude/worktrees/one");
    mkdirSync(root, { recursive: true });
    expect(await verdict(place, { mode: "yolo", workspace: root }, EDIT, edit(join(root, "a.ts")))).toBe("allow");
    expect(await verdict(place, { mode: "yolo", workspace: root }, EDIT, edit(join(root, ".git")))).toBe("ask");
    const own = join(place.top, ".vscode");
    mkdirSync(own);
    expect(await verdict(place, { mode: "yolo", workspace: own }, EDIT, edit(join(own, "tasks.json")))).toBe("ask");
  });

  it("reading them is free", async () => {
    const place = folder();
    writeFileSync(join(place.root, ".npmrc"), "");
    expect(await verdict(place, {}, READ, read(join(place.root, ".npmrc")))).toBe("allow");
  });

  it.each([
    "echo x > .ttsr-agent/settings.yml",
    "echo x >> .git/hooks/x",
    "echo x >| .npmrc",
    "cd .git && echo x > hooks/y",
    "cat a | tee .vscode/tasks.json",
    "cp x '.git/hooks/pre-commit'",
    "cp x .g''it/hooks/pre-commit",
    "sed -i s/a/b/ .npmrc",
    "sed -E -i.bak s/a/b/ .npmrc",
    "rm -rf .GIT",
    "ln -s x ~/.ssh/config",
    "dd if=x of=.git/config",
    "true 2>/dev/null > .envrc",
    "python3 -c \"open('.rules/x.md','w')\"",
    'node -e \'require("fs").writeFileSync(".ttsr-agent/settings.yml", "")\'',
    "cat a.md; find .rules -delete",
    "ls -d .git | xargs rm -rf",
    "git checkout main -- .rules",
    "git -c alias.log='!rm x' log .git",
    'echo "$(rm -rf .git)"',
    "bash -c 'cat x > .rules/y.md'",
    "rm -rf .r*",
    "sed 'w .git/hooks/x' a",
    "echo x > $TTSR_AGENT_HOME/settings.yml",
    "cp x $XDG_CONFIG_HOME/ttsr-agent/models.yml",
  ])("S13 S17 %s asks", async (command) => {
    expect(await verdict(folder(), { mode: "yolo", allow: ["bash"] }, BASH, bash(command))).toBe("ask");
  });

  it.each([
    "git status",
    "cat .git/config",
    "find . -path ./.git -prune -o -name '*.ts' 2>/dev/null",
    "ls -a .git > list.txt",
    "grep -r x --exclude-dir=.git . > out.txt",
    "tar czf x.tgz --exclude=.git .",
    "sed -n 1,5p .npmrc",
    "cp a b",
    "git log 2>&1 | head",
    "git add .rules && git commit -m 'a rule (new); see .rules/x.md'",
    "grep -E '(\\.git|\\.rules)' a.txt | sort | head -3",
    "find . -path ./.git -prune -o -name '*.ts' | xargs wc -l",
    "node -e \"console.log(require('./a').git, f().agents)\"",
    "rm -rf dist/* *.log",
    "cat <<< x > notes.md",
  ])("%s does not", async (command) => {
    expect(await verdict(folder(), { mode: "yolo" }, BASH, bash(command))).toBe("allow");
  });
});

describe("a command that reaches the program's own folders asks even in yolo", () => {
  it.each(["echo x > CONFIG/settings.yml", "python3 -c \"open('STATE/trust.json','w')\"", "cp a CONFIG/rules/b.md"])(
    "%s",
    async (command) => {
      const place = folder();
      const { config, state } = place.folders;
      const real = command.replace("CONFIG", config).replace("STATE", state);
      expect(await verdict(place, { mode: "yolo" }, BASH, bash(real))).toBe("ask");
    },
  );

  it("reading there does not", async () => {
    const place = folder();
    expect(await verdict(place, { mode: "yolo" }, BASH, bash(`ls ${place.folders.state} > x`))).toBe("allow");
  });
});
