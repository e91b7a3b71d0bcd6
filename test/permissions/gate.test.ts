import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GateDecision, PermissionSubject, Tool } from "../../src/agent/ports.js";
import { createGate } from "../../src/permissions/gate.js";
import { hiddenFiles } from "../../src/permissions/hidden-files.js";
import type { PermissionAnswer, PermissionMode } from "../../src/permissions/types.js";
import { fakeTool } from "../support/tools.js";
import { eventually, pause, until } from "../support/wait.js";
import {
  BASH,
  bash,
  decide,
  EDIT,
  edit,
  folder,
  gateOf,
  OTHER,
  READ,
  read,
  type Setup,
  verdict,
} from "./gate-setup.js";

describe("modes × kinds", () => {
  const table: [what: string, tool: Tool, subject: (root: string) => PermissionSubject, verdicts: string[]][] = [
    //                                                                                plan      ask      auto-edit  yolo
    ["read inside", READ, (root) => read(join(root, "a")), ["allow", "allow", "allow", "allow"]],
    ["read outside", READ, () => read("/etc/hosts"), ["ask", "ask", "ask", "allow"]],
    ["read of a neighbour", READ, (root) => read(`${root}-evil/x`), ["ask", "ask", "ask", "allow"]],
    ["edit inside", EDIT, (root) => edit(join(root, "a")), ["policy", "ask", "allow", "allow"]],
    ["edit outside", EDIT, () => edit("/tmp/x"), ["policy", "ask", "ask", "allow"]],
    ["edit inside and outside", EDIT, (root) => edit(join(root, "a"), "/tmp/x"), ["policy", "ask", "ask", "allow"]],
    ["an edit that cannot succeed", EDIT, (root) => read(join(root, "a")), ["policy", "allow", "allow", "allow"]],
    ["command", BASH, () => bash("ls"), ["policy", "ask", "ask", "allow"]],
    ["other", OTHER, () => ({ kind: "other", title: "x", paths: [] }), ["policy", "ask", "ask", "allow"]],
    ["protected edit", EDIT, (root) => edit(join(root, ".git/hooks/x")), ["policy", "ask", "ask", "ask"]],
    ["protected command", BASH, () => bash("echo x > .git/hooks/x"), ["policy", "ask", "ask", "ask"]],
  ];
  const MODES: PermissionMode[] = ["plan", "ask", "auto-edit", "yolo"];

  it.each(table)("%s", async (_what, tool, subject, verdicts) => {
    const place = folder();
    const found = [];
    for (const mode of MODES) found.push(await verdict(place, { mode }, tool, subject(place.root)));
    expect(found).toEqual(verdicts);
  });

  it.each(table)("headless: %s; what would ask is denied, by name", async (_what, tool, subject, verdicts) => {
    const place = folder();
    for (const [i, mode] of MODES.entries()) {
      const decision = await decide(gateOf(place, { mode }).gate, tool, subject(place.root));
      expect(decision.allow).toBe(verdicts[i] === "allow");
      if (!decision.allow && verdicts[i] === "ask") {
        expect(decision).toMatchObject({ by: "policy" });
        expect(decision.reason).toMatch(new RegExp(`^${tool.name} needs leave, and nobody is there to be asked`));
      }
    }
  });

  it.each([
    [READ, () => read("/etc/hosts"), "--allow 'read(/etc/hosts)' would allow it"],
    [EDIT, (root: string) => edit(join(root, "a")), "--permission-mode auto-edit would allow it"],
    [EDIT, () => edit("/tmp/x"), "--permission-mode yolo would allow it"],
    [BASH, () => bash("npm test"), "--allow 'bash(npm test)' or --permission-mode yolo would allow it"],
    [BASH, () => bash("a && b"), "(Run); --permission-mode yolo would allow it"],
    [EDIT, (root: string) => edit(join(root, ".npmrc")), "no flag allows it"],
  ] as const)("headless names the flag: %#", async (tool, subject, flag) => {
    const place = folder();
    const decision = await decide(gateOf(place).gate, tool, subject(place.root));
    expect(decision.allow ? "" : decision.reason).toContain(flag);
    // What the text promises holds.
    const promised = /--allow '(.*?)'/.exec(flag)?.[1];
    if (promised) expect(await verdict(place, { allow: [promised] }, tool, subject(place.root))).toBe("allow");
  });

  it("the mode is looked up at each call", async () => {
    const place = folder();
    let mode: PermissionMode = "plan";
    const gate = createGate({ mode: () => mode, allow: [], deny: [], workspace: place.root, folders: place.folders });
    expect((await decide(gate, EDIT, edit(join(place.root, "a")))).allow).toBe(false);
    mode = "auto-edit";
    expect((await decide(gate, EDIT, edit(join(place.root, "a")))).allow).toBe(true);
  });

  it("a workspace that is reached through a link is still the workspace", async () => {
    const place = folder();
    const way = join(place.top, "way");
    symlinkSync(place.root, way);
    const subject = edit(join(place.root, "a"), join(way, "a"));
    expect(await verdict(place, { mode: "auto-edit", workspace: way }, EDIT, subject)).toBe("allow");
    expect(await verdict(place, { workspace: way }, READ, read(join(place.root, "a"), join(way, "a")))).toBe("allow");
    expect(await verdict(place, { workspace: way }, READ, read("/etc/hosts", join(way, "a")))).toBe("ask");
  });

  it("F40 where long outputs are kept may be read, not written", async () => {
    const place = folder();
    const kept = join(place.folders.state, "output");
    expect(await verdict(place, { readable: [kept] }, READ, read(join(kept, "o.txt")))).toBe("allow");
    expect(await verdict(place, { readable: [kept] }, READ, read(join(place.folders.state, "log")))).toBe("ask");
    expect(await verdict(place, { readable: [kept], mode: "yolo" }, EDIT, edit(join(kept, "o.txt")))).toBe("ask");
  });
});

describe("questions", () => {
  const allowed: GateDecision = { allow: true };

  it("carry what is asked, why, and what the session scope would be", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, { answer: { allow: true } });
    await decide(gate, BASH, bash("ls"));
    await decide(gate, EDIT, edit(join(place.root, ".git/config")));
    expect(questions).toEqual([
      {
        toolCallId: "c",
        toolName: "bash",
        subject: bash("ls"),
        sessionScope: "exactly this command",
        pattern: { suggested: "bash(ls)", fault: expect.any(Function) },
      },
      {
        toolCallId: "c",
        toolName: "edit",
        subject: edit(join(place.root, ".git/config")),
        because: expect.stringMatching(/is protected/),
      },
    ]);
  });

  it("offers a pattern for its like, and says why another cannot be taken", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, { answer: { allow: true } });
    const asked = ["npm test -- a", "git push --force", "rm -rf build", "ls", "a && b"];
    for (const command of asked) await decide(gate, BASH, bash(command));
    await decide(gate, EDIT, edit(join(place.root, "src/a.ts")));
    expect(questions.map((question) => question.pattern?.suggested)).toEqual([
      "bash(npm test*)",
      "bash(git push*)",
      "bash(rm *)",
      "bash(ls)",
      undefined,
      `${EDIT.name}(src/*)`,
    ]);
    const fault = questions[0]?.pattern?.fault;
    expect(fault?.("bash(npm *)")).toBeUndefined();
    expect(fault?.("bash(yarn*)")).toBe("That does not cover this call.");
    expect(fault?.("(")).toContain("cannot be read");
  });

  it("what a pattern covers is not asked again; what it does not, and chained commands, are", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, {
      answer: { allow: true, remember: "pattern", pattern: "bash(npm test*)" },
    });
    for (const command of ["npm test", "npm test -- b", "npm test && rm -rf /", "npm install"]) {
      await decide(gate, BASH, bash(command));
    }
    expect(questions.map(({ subject }) => subject.command)).toEqual([
      "npm test",
      "npm test && rm -rf /",
      "npm install",
    ]);
  });

  it("a denial reaches the model in the user's words, and may end the run", async () => {
    const place = folder();
    const say = async (answer: PermissionAnswer) => decide(gateOf(place, { answer }).gate, BASH, bash("ls"));
    expect(await say({ allow: false })).toEqual({
      allow: false,
      by: "user",
      reason: expect.stringContaining("Do not send it again"),
    });
    expect(await say({ allow: false, message: " use npm " })).toMatchObject({
      reason: "The user denied this call and says: use npm",
    });
    expect(await say({ allow: false, stop: true })).toMatchObject({ endRun: true });
  });

  it("a session grant covers edits in the folder, and nothing outside, protected, or run", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, { answer: { allow: true, remember: "session" } });
    await decide(gate, EDIT, edit(join(place.root, "a")));
    await decide(gate, EDIT, edit(join(place.root, "b")));
    expect(questions).toHaveLength(1);
    await decide(gate, EDIT, edit("/tmp/outside"));
    expect(questions).toHaveLength(2);
    await decide(gate, EDIT, edit("/tmp/outside"));
    expect(questions).toHaveLength(2);
    await decide(gate, EDIT, edit("/tmp/elsewhere"));
    await decide(gate, EDIT, edit(join(place.root, ".npmrc")));
    await decide(gate, EDIT, edit(join(place.root, ".npmrc")));
    await decide(gate, BASH, bash("ls"));
    expect(questions).toHaveLength(6);
  });

  it("a grant for a command is for exactly that command", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, { answer: { allow: true, remember: "session" } });
    for (const command of ["ls", "ls", "ls -a", "ls; rm x", "ls "]) await decide(gate, BASH, bash(command));
    expect(questions.map(({ subject }) => subject.command)).toEqual(["ls", "ls -a", "ls; rm x", "ls "]);
  });

  it("deny patterns hold also where the session has granted", async () => {
    const place = folder();
    const { gate } = gateOf(place, { answer: { allow: true, remember: "session" }, deny: ["edit(secret*)"] });
    expect(await decide(gate, EDIT, edit(join(place.root, "a")))).toEqual(allowed);
    expect(await decide(gate, EDIT, edit(join(place.root, "secret.txt")))).toMatchObject({
      allow: false,
      by: "policy",
    });
  });

  it("one at a time, in the order of the calls; an answer for the session settles those that wait", async () => {
    const place = folder();
    const pending: ((answer: PermissionAnswer) => void)[] = [];
    const { gate, questions } = gateOf(place, { answer: () => new Promise((resolve) => void pending.push(resolve)) });
    const asked = (n: number) => eventually(() => expect(pending).toHaveLength(n));
    const calls = [
      bash("one"),
      read(join(place.root, "free")),
      edit(join(place.root, "a")),
      edit(join(place.root, "b")),
      bash("two"),
    ];
    const decisions = calls.map((subject) =>
      decide(gate, { edit: EDIT, read: READ, command: BASH, other: OTHER }[subject.kind], subject),
    );
    await asked(1);
    await pause(50);
    expect(questions).toHaveLength(1);
    pending[0]?.({ allow: false });
    await asked(2);
    pending[1]?.({ allow: true, remember: "session" });
    await asked(3);
    pending[2]?.({ allow: true });
    expect((await Promise.all(decisions)).map(({ allow }) => allow)).toEqual([false, true, true, true, true]);
    expect(questions.map(({ subject }) => subject.command ?? subject.paths[0])).toEqual([
      "one",
      join(place.root, "a"),
      "two",
    ]);
  });

  it("F33 an abort while asking ends it, also where nobody takes the question back; those that wait are not asked", async () => {
    const place = folder();
    const { gate, questions } = gateOf(place, { answer: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const decisions = [decide(gate, BASH, bash("a"), stop.signal), decide(gate, BASH, bash("b"), stop.signal)];
    await until(() => questions.length > 0);
    stop.abort();
    for (const decision of await Promise.all(decisions)) {
      expect(decision).toEqual({ allow: false, by: "user", reason: "Not run: the user interrupted." });
    }
    expect(questions).toHaveLength(1);
  });

  it("a yes that comes after the abort does not count; a question that fails blocks nobody", async () => {
    const place = folder();
    const stop = new AbortController();
    const late = gateOf(place, {
      answer: async () => {
        stop.abort();
        return { allow: true };
      },
    });
    expect((await decide(late.gate, BASH, bash("a"), stop.signal)).allow).toBe(false);
    let asked = 0;
    const failing = gateOf(place, {
      answer: async () => {
        if (++asked === 1) throw new Error("no terminal");
        return { allow: true };
      },
    });
    await expect(decide(failing.gate, BASH, bash("a"))).rejects.toThrow("no terminal");
    expect(await decide(failing.gate, BASH, bash("b"))).toEqual(allowed);
  });
});

describe("S14 allow and deny patterns", () => {
  it.each([
    ["npm test", "allow"],
    ["npm test -w a", "allow"],
    ["npm test; touch x", "ask"],
    ["npm test\ntouch x", "ask"],
    ["npm test $(touch x)", "ask"],
    ["npm test > x", "ask"],
    ["npm test & touch x", "ask"],
    ["PATH=. npm test", "ask"],
  ])("allow bash(npm test*): %j → %s", async (command, expected) => {
    expect(await verdict(folder(), { allow: ["bash(npm test*)"] }, BASH, bash(command))).toBe(expected);
  });

  it("a bare tool name allows it whatever it does", async () => {
    expect(await verdict(folder(), { allow: ["bash"] }, BASH, bash("a && b"))).toBe("allow");
  });

  it.each(["plan", "ask", "auto-edit", "yolo"] as const)(
    "in %s deny wins over allow, in every part of a compound",
    async (mode) => {
      const setup: Setup = { mode, allow: ["bash", "bash(rm*)"], deny: ["bash(rm *)"] };
      const decide = (command: string) => verdict(folder(), setup, BASH, bash(command));
      expect([await decide("rm x"), await decide("ls && rm x"), await decide(`${"true;".repeat(60)}rm x`)]).toEqual([
        "policy",
        "policy",
        "policy",
      ]);
    },
  );

  it("files by their relative or absolute name, in any letter case, also for reading", async () => {
    const place = folder();
    const { root } = place;
    for (const pattern of ["read(secret/*)", `read(${root}/secret/*)`, "*(**/secret/*)", "read"]) {
      expect(await verdict(place, { mode: "yolo", deny: [pattern] }, READ, read(join(root, "Secret/x")))).toBe(
        "policy",
      );
    }
    expect(await verdict(place, { allow: ["edit(src/*)"] }, EDIT, edit(join(root, "src/a")))).toBe("allow");
    expect(await verdict(place, { allow: ["edit(src/*)"] }, EDIT, edit(join(root, "lib/a")))).toBe("ask");
    // A link into another folder: both places must be allowed.
    expect(await verdict(place, { allow: ["edit(src/*)"] }, EDIT, edit(join(root, "lib/a"), join(root, "src/a")))).toBe(
      "ask",
    );
  });

  it("a pattern that cannot be read names its flag", () => {
    const place = folder();
    expect(() => gateOf(place, { deny: ["bash("] })).toThrow('--deny "bash(" cannot be read');
  });
});

describe("a mode that changes while questions wait holds for those that were not asked yet", () => {
  it.each<[PermissionMode, (GateDecision["allow"] | string)[]]>([
    ["yolo", [true, true, true]],
    ["auto-edit", [true, true, "asked"]],
    ["plan", [true, false, false]],
  ])("%s", async (later, expected) => {
    const place = folder();
    let mode: PermissionMode = "ask";
    const answers: ((answer: PermissionAnswer) => void)[] = [];
    const gate = createGate({
      mode: () => mode,
      allow: [],
      deny: [],
      workspace: place.root,
      folders: place.folders,
      ask: () => new Promise((resolve) => void answers.push(resolve)),
    });
    const decisions = [
      decide(gate, BASH, bash("one")),
      decide(gate, EDIT, edit(join(place.root, "a"))),
      decide(gate, BASH, bash("two")),
    ];
    await until(() => answers.length === 1);
    mode = later;
    answers[0]?.({ allow: true });
    if (expected.includes("asked")) {
      await until(() => answers.length === 2);
      answers[1]?.({ allow: false });
    }
    const allowed = (await Promise.all(decisions)).map(({ allow }) => allow);
    expect(allowed).toEqual(expected.map((each) => (each === "asked" ? false : each)));
    expect(answers).toHaveLength(expected.includes("asked") ? 2 : 1);
  });
});

describe("patterns mean what their writer meant", () => {
  const WRITE = fakeTool("write");

  it("--deny edit(…) stops every tool that changes files", async () => {
    const place = folder();
    const setup: Setup = { mode: "yolo", deny: ["edit(secret/**)"] };
    expect(await verdict(place, setup, WRITE, edit(join(place.root, "secret/x")))).toBe("policy");
    expect(await verdict(place, setup, WRITE, edit(join(place.root, "open/x")))).toBe("allow");
  });

  it.each([
    ["the tool itself", READ, (root: string) => read(join(root, "secret.env")), "policy"],
    ["another tool that looks into it", fakeTool("grep"), (root: string) => read(join(root, "secret.env")), "policy"],
    ["a command that names it", BASH, () => bash("cat ./x/../secret.env | head"), "policy"],
    ["a script that names it", BASH, () => bash("python3 -c \"print(open('secret.env').read())\""), "policy"],
    ["a command with its absolute path", BASH, (root: string) => bash(`head -1 <${root}/secret.env`), "policy"],
    ["another file", READ, (root: string) => read(join(root, "open.env")), "allow"],
    ["a command on another file", BASH, () => bash("cat open.env"), "allow"],
  ])("--deny read(…) stops %s", async (_what, tool, subject, expected) => {
    const place = folder();
    const setup: Setup = { mode: "yolo", deny: ["read(secret.env)"] };
    expect(await verdict(place, setup, tool, subject(place.root))).toBe(expected);
  });

  it("--deny edit(…) stops commands that are seen to write there, not those that read or run there", async () => {
    const place = folder();
    const setup: Setup = { mode: "yolo", deny: ["edit(secret/**)"] };
    for (const command of ["echo x > secret/a", "cp a secret/b", "sed -i s/a/b/ secret/c"]) {
      expect(await verdict(place, setup, BASH, bash(command))).toBe("policy");
    }
    for (const command of ["cat secret/a > b", "npx vitest secret/a.test.ts"]) {
      expect(await verdict(place, setup, BASH, bash(command))).toBe("allow");
    }
  });

  it("--deny without a pattern means that tool, and with edit every tool that changes files", async () => {
    const place = folder();
    const setup: Setup = { mode: "yolo", deny: ["read", "edit"] };
    expect(await verdict(place, setup, fakeTool("grep"), read(place.root))).toBe("allow");
    expect(await verdict(place, setup, BASH, bash("rm x"))).toBe("allow");
    expect(await verdict(place, setup, WRITE, edit(join(place.root, "x")))).toBe("policy");
  });

  it("what is denied to be read is left out of searches", () => {
    const hidden = hiddenFiles(["read(secret/**)", "read(*.pem)", "bash", "read"], ["/w"]);
    const paths = ["/w/secret/a", "/w/keys/a.pem", "/w/open/a", "/w/secret.txt"];
    expect(paths.filter(hidden)).toEqual(["/w/secret/a", "/w/keys/a.pem"]);
  });

  it("--allow with a relative pattern never covers a file outside the workspace; an absolute one does", async () => {
    const place = folder();
    expect(await verdict(place, { allow: ["edit(*.md)"] }, EDIT, edit("/opt/x.md"))).toBe("ask");
    expect(await verdict(place, { allow: ["edit(*.md)"] }, EDIT, edit(join(place.root, "x.md")))).toBe("allow");
    expect(await verdict(place, { allow: ["edit(/opt/*.md)"] }, EDIT, edit("/opt/x.md"))).toBe("allow");
  });
});
