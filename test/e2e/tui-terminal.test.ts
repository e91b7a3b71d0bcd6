/** The shipped program against its terminal, byte by byte: what it may write, what a new size does, who is told of what. */
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, callTool, holdAfter, say } from "../server/index.js";
import { World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";
import { door, pause, until } from "../support/wait.js";

let world: World | undefined;
let tui: PtyProgram | undefined;
afterEach(async () => {
  tui?.kill("SIGKILL");
  await world?.close();
});

interface Start {
  files?: Record<string, string>;
  args?: readonly string[];
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

async function start(script: readonly Answer[], { files, args = [], env, ...size }: Start = {}): Promise<PtyProgram> {
  world = await World.open(script, files);
  tui = new PtyProgram({
    args: ["-m", "anthropic-messages/m", "--trust", "--no-builtin-rules", "--permission-mode", "yolo", ...args],
    cwd: world.project,
    env: { ...world.env, ...env },
    ...size,
  });
  await tui.until("anthropic-messages/m");
  return tui;
}

/** What the face itself writes: styles, erasing and moving within its frame, the cursor, synchronised output, its modes, its title, the bell. */
const OWN =
  /\u001b\[[\d;]*m|\u001b\[\d*[A-GK]|\u001b\[J|\u001b\[\?(?:25|2026|2004|1004)[hl]|\u001b\[22;2t|\u001b\[23;2t|\u001b\[\?u|\u001b\[c|\u001b\[>4;[02]m|\u001b\]11;\?\u0007|\u001b\]2;(?:[*?] )?[ -~]*\u0007|\r\n/g;

/** @returns whatever else in the output is no printable character */
function foreign(raw: string): string[] {
  return (
    raw
      .replaceAll(OWN, "")
      .match(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069].{0,20}/gu) ?? []
  );
}

const HOSTILE = [
  "\u001b]0;owned\u0007",
  "\u001b]52;c;b3duZWQ=\u0007",
  "\u001b]8;;http://owned.example\u001b\\x\u001b]8;;\u001b\\",
  "\u001b]777;notify;owned;owned\u001b\\",
  "\u001b[3J",
  "\u001b[2J\u001b[H",
  "\u001b[?1049h",
  "\u001b[10A\u001b[2K",
  "\u001b[1;3r",
  "\u001b[?1003h",
  "\u001bPowned\u001b\\",
  "\u001b_owned\u001b\\",
  "\u009b3J",
  "\u009d0;owned\u009c",
  "\u001bc",
  "\u001b[21t\u202e\u0007\b",
];
const EVIL = `a${HOSTILE.join("b")}z`;

describe("0 foreign escapes", () => {
  it("16 hostile sequences through every channel: prompt, text, thinking, fence, table, link, arguments, output, file, rule, error", async () => {
    const octal = [...Buffer.from(EVIL, "utf8")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    const screen = await start(
      [
        {
          blocks: [
            { type: "thinking", thinking: `thought ${EVIL}` },
            {
              type: "text",
              text: `text ${EVIL} \`${EVIL}\` [${EVIL}](https://a.example/${EVIL})\n\n- ${EVIL}\n\n\`\`\`ts ${EVIL}\nconst a = "${EVIL}";\n\`\`\`\n\n| ${EVIL} | b |\n|---|---|\n| ${EVIL} | c |\n\n`,
            },
            { type: "call", name: "bash", args: { command: `printf '${octal}'; echo done # ${EVIL}` } },
          ],
        },
        callTool("write", { path: "evil.txt", content: `one ${EVIL}\ntwo\n` }),
        callTool("edit", { path: "evil.txt", edits: [{ old: "two", new: `three ${EVIL}` }] }),
        callTool("read", { path: `none-${EVIL}.txt` }),
        callTool(`tool${EVIL}`, { [EVIL]: EVIL }),
        callTool("write", { path: "b.txt", content: `x = eval(${EVIL}` }),
        { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: `no ${EVIL}` } } },
      ],
      {
        files: {
          ".rules/no-eval.md": `---\ndescription: ${JSON.stringify(`about ${EVIL}`)}\nttsr_trigger: 'eval\\('\n---\nNo.\n`,
        },
        env: { TERM_PROGRAM: "WezTerm", FORCE_HYPERLINK: "0" },
      },
    );
    screen.write(`\u001b[200~prompt ${EVIL}\u001b[201~\r`);
    await screen.until((now) => now.includes("✗") && now.includes("Ask for something"));
    const seen = screen.all();
    for (const words of ["prompt a", "text a", "done", "three a", "⟲ rewound by rule no-eval", "no a"])
      expect(seen).toContain(words);
    expect(foreign(screen.raw)).toEqual([]);
    expect(screen.raw).not.toContain("owned\u0007");
  });

  it("links are the only OSC 8, and only to http, https and mailto", async () => {
    const screen = await start(
      [say("[one](https://a.example/x) [two](javascript:alert) <https://b.example> end of it")],
      {
        env: { FORCE_HYPERLINK: "1" },
      },
    );
    screen.write("x\r");
    await screen.until("end of it");
    const targets = [...screen.raw.matchAll(/\u001b\]8;;([^\u0007]*)\u0007/g)].map(([, target]) => target);
    expect([...new Set(targets)].sort()).toEqual(["", "https://a.example/x", "https://b.example/"]);
    // Each is closed in its row.
    for (const row of screen.raw.split("\n"))
      expect((row.match(/\u001b\]8;;[^\u0007]/g) ?? []).length).toBe((row.match(/\u001b\]8;;\u0007/g) ?? []).length);
  });
});

const LONG = `${Array.from({ length: 30 }, (_, i) => `Paragraph number ${i} with a few words in it.`).join("\n\n")}\n\n\`\`\`ts\n${Array.from({ length: 60 }, (_, i) => `const line${i} = ${i};`).join("\n")}\n\`\`\`\n\nThe very end.`;

describe("the frame in a real terminal", () => {
  it.each([10, 12, 17, 24, 40, 60])("of %i rows: never as tall as it, 0 wipes, everything once", async (rows) => {
    const screen = await start([say(LONG)], { columns: 80, rows });
    screen.write("go\r");
    // Code is printed when its grammar is there.
    await screen.until((now) => now.includes("The very end.") && screen.all().includes("const line0 = 0;"));
    const seen = screen.all();
    for (let i = 0; i < 30; i++) expect(seen.split(`Paragraph number ${i} with`).length - 1, `paragraph ${i}`).toBe(1);
    for (let i = 0; i < 60; i++) expect(seen.split(`const line${i} =`).length - 1, `line ${i}`).toBe(1);
    // Erasing goes up to the first row of the frame before.
    const climbs = [...screen.raw.matchAll(/\u001b\[(\d+)A\u001b\[2G\u001b\[1K\u001b\[J/g)].map(
      ([, up]) => Number(up) + 1,
    );
    expect(climbs.length).toBeGreaterThan(2);
    expect(Math.max(...climbs)).toBeLessThan(rows);
    expect(screen.raw).not.toMatch(/\u001b\[[23]J|\u001b\[\?1049h/);
  });

  it("follows new sizes while a reply streams: no wipe, no ghost, nothing lost", async () => {
    // The answer goes on when the size has changed.
    const sizes = [
      [60, 14],
      [120, 40],
      [40, 10],
      [100, 30],
    ] as const;
    const doors = sizes.map(() => door());
    // A paragraph is some 11 events.
    const before = (count: number) => (count % 60 === 0 ? doors[count / 60 - 1]?.opened : undefined);
    const screen = await start([say(LONG, { before })], { columns: 100, rows: 30 });
    screen.write("go\r");
    for (const [i, [columns, rows]] of sizes.entries()) {
      await screen.until(() => screen.raw.includes(`Paragraph number ${i * 5 + 3} `));
      screen.resize(columns, rows);
      doors[i]?.open();
    }
    await screen.until((now) => now.includes("The very end.") && now.includes("Ask for"));
    await screen.until(
      (now) => now.split("Ask for something").length === 2 && screen.all().includes("const line0 = 0;"),
    );
    for (let i = 0; i < 60; i++) expect(screen.all(), `line ${i}`).toContain(`const line${i} = ${i};`);
    for (let i = 0; i < 30; i++) expect(screen.all(), `paragraph ${i}`).toContain(`Paragraph number ${i} with`);
    expect(screen.raw).not.toMatch(/\u001b\[[23]J|\u001b\[\?1049h/);
  });
});

describe("a window made lower", () => {
  it("eats nothing of what has been printed", async () => {
    const screen = await start([say(LONG)], { columns: 80, rows: 30 });
    screen.write("go\r");
    await screen.until((now) => now.includes("The very end.") && screen.all().includes("const line0 = 0;"));
    for (const rows of [24, 20, 14, 30, 10]) {
      screen.resize(80, rows);
      // A frame that is the same in the new size is not drawn again, so there is nothing to wait for.
      await pause(100);
      await screen.until((now) => now.split("Ask for something").length === 2);
    }
    const seen = screen.all();
    for (let i = 0; i < 60; i++) expect(seen.split(`const line${i} =`).length - 1, `line ${i}`).toBe(1);
    expect(seen).toContain("The very end.");
    expect(seen.split("Ask for something").length - 1).toBe(1);
  });
});

describe("looks", () => {
  it("NO_COLOR: no colour, and marks that carry what colour would", async () => {
    const screen = await start([callTool("write", { path: "a.js", content: "eval(x)\n" }), say("**Done** `now`.")], {
      args: ["--set", "tui.theme=none"],
    });
    screen.write("x\r");
    await screen.until("Done `now`.");
    expect(screen.raw).not.toMatch(/\u001b\[[\d;]*m/);
    expect(screen.all()).toContain("»eval(«");
  });

  it("an unknown theme is refused in a sentence, before anything is drawn", async () => {
    world = await World.open([]);
    tui = new PtyProgram({ args: ["--set", "tui.theme=neon"], cwd: world.project, env: world.env });
    expect(await tui.untilExit()).toBe(2);
    expect(tui.all().replaceAll("\n", "")).toContain("must be one of auto, dark, light, ansi, none");
  });

  it("reduced motion: no glyph turns and no time runs while a reply is waited for", async () => {
    const answer = door();
    const screen = await start([say("late", holdAfter(0, answer.opened))], {
      args: ["--set", "tui.reducedMotion=true"],
    });
    screen.write("x\r");
    await screen.until("working");
    // A glyph would turn many times in this, the time would run once.
    await screen.untilQuiet(1_200);
    answer.open();
    await screen.until("late");
  });

  it("a screen reader: nothing is written while a block grows, words for marks, a bell at the end", async () => {
    const rest = door();
    const screen = await start([say("one two three four five six seven eight nine ten", holdAfter(8, rest.opened))], {
      args: ["--set", "tui.screenReader=true"],
    });
    screen.write("count\r");
    await screen.until("You: count");
    await until(() => world?.server.requests[0]?.eventsWritten === 8);
    await screen.untilQuiet(300);
    expect(screen.all()).not.toContain("one two");
    rest.open();
    await screen.until("nine ten");
    await screen.until((now) => !now.includes("working"));
    expect(screen.raw.replaceAll(/\u001b\][^\u0007]*\u0007/g, "")).toContain("\u0007");
    expect(screen.all()).not.toMatch(/[›•⟲✗⠋]/);
  });
});

describe("title and notifications", () => {
  it("the title follows the state, and the terminal has its own back at the end", async () => {
    const answer = door();
    const screen = await start([say("words", holdAfter(0, answer.opened))]);
    screen.write("x\r");
    await screen.until(() => screen.raw.includes("\u001b]2;* project - ttsr-agent"));
    answer.open();
    await screen.until("words");
    await screen.until((now) => !now.includes("working"));
    const titles = [...screen.raw.matchAll(/\u001b\]2;([^\u0007]*)\u0007/g)].map(([, title]) => title);
    expect(titles).toEqual(["ttsr-agent", "project - ttsr-agent", "* project - ttsr-agent", "project - ttsr-agent"]);
    screen.write("\u0003\u0003");
    await screen.untilExit();
    expect(screen.raw.indexOf("\u001b[22;2t")).toBeLessThan(screen.raw.indexOf("\u001b]2;"));
    expect(screen.raw.lastIndexOf("\u001b[23;2t")).toBeGreaterThan(screen.raw.lastIndexOf("project - ttsr-agent"));
    expect(screen.raw).toContain("\u001b[?1004l");
  });

  it("tells of the end of a run when the window is not in front", async () => {
    const more = door();
    const screen = await start([say("words"), say("more", holdAfter(0, more.opened))], {
      env: { TERM_PROGRAM: "WezTerm" },
    });
    screen.write("x\r");
    await screen.until("words");
    await screen.until((now) => !now.includes("working"));
    expect(screen.raw).not.toContain("\u001b]9;");
    screen.write("y\r");
    // One piece: when its words are seen, the rest has been read.
    screen.write("away\u001b[O");
    await screen.until("› away");
    more.open();
    await screen.until("more");
    await screen.until((now) => !now.includes("working"));
    expect(screen.raw.split("\u001b]9;ttsr-agent: done\u0007").length - 1).toBe(1);
  });
});
