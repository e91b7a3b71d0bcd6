import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/platform/errors.js";
import { door, pause } from "../../support/wait.js";
import { CUT_RUN, message, textDeltas } from "./fake-session.js";
import { Screen } from "./screen.js";

const SHOW = process.env["TTSR_SHOW_SCREENS"] !== undefined;
function show(title: string, screen: Screen): void {
  if (SHOW) console.log(`--- ${title}\n${screen.text()}`);
}

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

describe.each(sizes)("TTSR-10.1 TTSR-10.2 an interrupt on a terminal of $columns x $rows", (size) => {
  it("is drawn calmly, in its place, once", async () => {
    const screen = new Screen(size);
    await screen.until("14 rules");
    const { session } = screen;
    session.running = true;
    for (const event of CUT_RUN.before) {
      session.emit(event);
      await pause(2);
    }
    await screen.until("+ return");
    show("before", screen);
    session.isTtsrAbortPending = true;
    session.interrupts = 1;
    session.emit(...CUT_RUN.interrupt);
    await screen.until("rewinding");
    show("cut", screen);
    expect(screen.text()).toContain("⟲ rewound by rule no-eval");
    expect(screen.text()).toContain("⟲ no-eval · edit src/calc.js · 38 tokens cut");
    session.isTtsrAbortPending = false;
    session.emit(...CUT_RUN.retry);
    await screen.until("I use the parser instead.");
    show("retry", screen);
    const text = screen.text();
    expect(text.indexOf("38 tokens cut")).toBeLessThan(text.indexOf("I use the parser"));
    session.emit(...CUT_RUN.rest);
    session.running = false;
    await screen.until((now) => now.includes("1 hit") && now.includes("Done:"));
    show("done", screen);
    const all = screen.all();
    for (const once of [
      "rewound by rule no-eval",
      "38 tokens cut",
      "I use the parser instead.",
      "Done: calc parses now.",
    ]) {
      expect(all.split(once).length - 1, once).toBe(1);
    }
    expect(all.split("eval(").length - 1).toBe(1);
    expect(all).not.toMatch(/abort|error|fail/i);
    expect(screen.raw).not.toContain("\u001b[3J");
    // Warning-coloured, never as a failure.
    expect(screen.raw).toMatch(/\u001b\[33m⟲/);
    expect(screen.raw).not.toContain("\u001b[31m⟲");
    expect(await screen.end()).toBe(0);
    expect(session.disposed).toBe(1);
  });
});

describe("the terminal", () => {
  it("shows the prompt before the session is there, asks through it, and sends what came with the command", async () => {
    let answer: boolean | undefined;
    const session = door();
    const screen = new Screen({
      prompt: "first words",
      greeting: ["ttsr-agent", "scripted model, no network"],
      start: async (ui) => {
        await session.opened;
        answer = await ui.askTrust({ folder: "/p", rules: [], others: [], kind: "new" });
      },
    });
    await screen.until("Ask for something");
    expect(screen.text()).toContain("starting");
    session.open();
    await screen.until("1  No, leave them off");
    show("trust", screen);
    screen.type("2");
    await screen.until("scripted model, no network");
    expect(answer).toBe(true);
    expect(screen.session.prompts).toEqual([{ text: "first words", when: "queue" }]);
    await screen.end();
  });

  it("keeps the cursor where the user writes, also while the model streams", async () => {
    const screen = new Screen();
    await screen.until("14 rules");
    screen.type("héllo 漢");
    await screen.until("héllo 漢");
    screen.session.emit(...CUT_RUN.before.slice(0, 3));
    for (const event of textDeltas("streaming along and on and on ".repeat(20))) {
      screen.session.emit(event);
      await pause(2);
    }
    await screen.until("along and on");
    await screen.untilQuiet(80);
    const row = screen
      .text()
      .split("\n")
      .findIndex((line) => line.startsWith("› héllo"));
    expect(screen.cursor).toEqual({ x: 2 + 8, y: row });
    await screen.end();
  });

  it("loses and doubles nothing of a long answer, and never wipes the scrollback", async () => {
    const screen = new Screen({ columns: 80, rows: 16 });
    await screen.until("14 rules");
    const paragraphs = Array.from(
      { length: 40 },
      (_, i) => `Paragraph number ${i} of the answer, ${"with words ".repeat(i % 9)}end.`,
    );
    const code = Array.from({ length: 80 }, (_, i) => `const line${i} = ${i};`);
    const text = `${paragraphs.join("\n\n")}\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n\nThe very end.`;
    screen.session.emit(...CUT_RUN.before.slice(0, 3));
    for (const event of textDeltas(text, 23)) {
      screen.session.emit(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    screen.session.emit({ type: "message_end", message: message([{ type: "text", text }]) });
    // Code is printed when its grammar is there.
    await screen.until((now) => now.includes("The very end.") && screen.all().includes("const line0 ="));
    await screen.untilQuiet(80);
    const all = screen.all();
    for (const [i] of paragraphs.entries())
      expect(all.split(`Paragraph number ${i} of`).length - 1, `paragraph ${i}`).toBe(1);
    for (const [i] of code.entries()) expect(all.split(`const line${i} =`).length - 1, `line ${i}`).toBe(1);
    expect(screen.raw).not.toContain("\u001b[3J");
    expect(Math.max(...screen.stdout.writes.map((write) => Buffer.byteLength(write)))).toBeLessThan(8 * 1024);
    await screen.end();
  });

  it("prints code that still waits for its colours when the user leaves", async () => {
    const screen = new Screen({ columns: 80, rows: 16 });
    await screen.until("14 rules");
    const text = `\`\`\`nix\n${Array.from({ length: 20 }, (_, i) => `value${i} = ${i};`).join("\n")}\n\`\`\`\n`;
    screen.session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(text));
    screen.session.emit({ type: "message_end", message: message([{ type: "text", text }]) });
    await screen.end();
    for (let i = 0; i < 20; i++) expect(screen.all().split(`value${i} =`).length - 1, `line ${i}`).toBe(1);
  });

  it("prints each of a thousand pieces once, and keeps few of them", async () => {
    const screen = new Screen({ columns: 80, rows: 16 });
    await screen.until("14 rules");
    for (let i = 0; i < 1_200; i++) {
      screen.session.emit({ type: "turn_start", turn: i, prompts: [`prompt ${i} of many`] });
      if (i % 40 === 0) await pause(1);
    }
    await screen.until("prompt 1199 of many");
    const all = screen.all();
    for (let i = 0; i < 1_200; i++) expect(all.split(`prompt ${i} of`).length - 1, `prompt ${i}`).toBe(1);
    expect(screen.raw).not.toContain("\u001b[3J");
    await screen.end();
  });

  it("follows a new size without ghosts and without printing the past again", async () => {
    const screen = new Screen({ columns: 120, rows: 40 });
    await screen.until("14 rules");
    screen.session.emit(
      ...CUT_RUN.before.slice(0, 3),
      ...textDeltas("One line of the past.\n\nAnd what is being said now.\n\n".repeat(6)),
    );
    await screen.until("being said now");
    for (const [columns, rows] of [
      [60, 12],
      [20, 10],
      [100, 30],
      [40, 8],
    ] as const) {
      screen.resize(columns, rows);
      await screen.until((text) => text.split("›").length === 2);
    }
    expect(screen.all().split("make calc work out").length - 1).toBe(1);
    // Frames are erased from the top down, never row after row upwards.
    expect(screen.raw).not.toContain("\u001b[1A\u001b[2K");
    expect(screen.raw).not.toContain("\u001b[3J");
    await screen.end();
  });

  it("gives everything back at the end: modes, cursor, raw mode; and leaves the prompt out", async () => {
    const screen = new Screen();
    await screen.until("14 rules");
    expect(screen.stdin.raw).toBe(true);
    expect(screen.raw).toContain("\u001b[?2004h");
    screen.type("never sent");
    await screen.until("never sent");
    await screen.end();
    expect(screen.stdin.raw).toBe(false);
    expect(screen.raw).toContain("\u001b[?2004l");
    expect(screen.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.raw.lastIndexOf("\u001b[?25l"));
    expect(screen.text()).not.toContain("›");
    expect(screen.text()).not.toContain("14 rules");
  });

  it("a terminal that is gone ends the session at once", async () => {
    const screen = new Screen();
    await screen.until("14 rules");
    screen.stdin.emit("end");
    expect(await screen.done).toBe(130);
    expect(screen.session.disposed).toBe(1);
  });

  it("a start that fails leaves a whole terminal and its one sentence to whoever called", async () => {
    const screen = new Screen({ start: () => Promise.reject(new UserError("no-model", "No model.", 3)) });
    await expect(screen.done).rejects.toThrow("No model.");
    expect(screen.stdin.raw).toBe(false);
    expect(screen.raw).toContain("\u001b[?2004l");
  });
});

describe("foreign text", () => {
  const hostile: [string, string][] = [
    ["a title", "\u001b]0;owned\u0007"],
    ["a clipboard write", "\u001b]52;c;b3duZWQ=\u0007"],
    ["a hyperlink", "\u001b]8;;http://owned.example\u001b\\x\u001b]8;;\u001b\\"],
    ["a notification", "\u001b]777;notify;owned;owned\u001b\\"],
    ["a scrollback wipe", "\u001b[3J"],
    ["a screen wipe", "\u001b[2J\u001b[H"],
    ["the other screen", "\u001b[?1049h"],
    ["a cursor move", "\u001b[10A\u001b[2K"],
    ["a scroll region", "\u001b[1;3r"],
    ["a mode", "\u001b[?1003h"],
    ["a device string", "\u001bPowned\u001b\\"],
    ["an APC string", "\u001b_owned\u001b\\"],
    ["C1 CSI", "\u009b3J"],
    ["C1 OSC", "\u009d0;owned\u009c"],
    ["a reset", "\u001bc"],
    ["a title query", "\u001b[21t"],
  ];

  it.each(hostile)("%s does not reach the terminal from any place", async (_name, sequence) => {
    const screen = new Screen();
    await screen.until("14 rules");
    const evil = `a${sequence}b`;
    const { session } = screen;
    session.cwd = `/p/${evil}`;
    session.statuses = [];
    const own = screen.raw.length;
    session.emit(
      { type: "agent_start" },
      { type: "turn_start", turn: 1, prompts: [`prompt ${evil}`] },
      { type: "message_start", role: "assistant", attempt: 1 },
      { type: "message_update", contentIndex: 0, delta: { kind: "thinking", text: `thought ${evil}` } },
      ...textDeltas(
        `text ${evil} \`${evil}\`\n\n\`\`\`sh\n${evil}\n\`\`\`\n\n| ${evil} | b |\n|---|---|\n| ${evil} | c |\n`,
        3,
        1,
      ),
      ...CUT_RUN.before.slice(4),
      { type: "tool_execution_start", toolCallId: "t", toolName: `bash${evil}`, arguments: { command: evil } },
      { type: "tool_execution_update", toolCallId: "t", toolName: "bash", text: `out ${evil}` },
      {
        type: "tool_execution_end",
        toolCallId: "t",
        toolName: "bash",
        result: { content: [{ type: "text", text: `result ${evil}` }], isError: false },
        details: { diff: `@@ -1 +1 @@\n-${evil}\n+${evil}\n` },
      },
      {
        type: "ttsr_triggered",
        rules: [{ name: `rule${evil}`, path: evil, description: `about ${evil}` }],
        matches: [
          { rule: "r", source: "tool", toolName: evil, filePath: evil, excerpt: evil, start: 0, end: evil.length },
        ],
        attempt: 1,
        discardedTokens: 3,
      },
      { type: "notice", level: "warning", code: "x", message: `notice ${evil}` },
      { type: "error", code: "x", message: `trouble ${evil}`, requestId: evil },
    );
    void session.prompt("x");
    screen.session.queue = [evil];
    session.emit({ type: "turn_start", turn: 2 });
    await screen.until("queued:");
    await screen.untilQuiet(60);
    // Its words are there; only the sequence is not.
    for (const words of ["prompt a", "notice a", "trouble a", "rewound by rule rule"])
      expect(screen.all()).toContain(words);
    // The window's title is the face's own: a mark, the folder's name, ours.
    const raw = screen.raw.slice(own).replaceAll(/\u001b\]2;[ -~]* - ttsr-agent\u0007/g, "");
    expect(raw).not.toContain(sequence);
    expect(raw).not.toMatch(/\u001b[\]P_^cX]|[\u0080-\u009f]|owned.*\u0007/);
    // Only what the face itself uses: colours, erasing its own frame, moving within it, the cursor, synchronised output.
    const allowed = /^\u001b\[(?:[\d;]*m|\d*[ABCDGK]|J|\d*E|\d*F|2K|1A|\?25[hl]|\?2026[hl]|\?2004[hl])$/;
    for (const [found] of raw.matchAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|[^[])/g)) {
      expect(found).toMatch(allowed);
    }
    await screen.end();
  });
});

describe("a library that prints", () => {
  it("does not reach the screen; the console comes back at the end", async () => {
    const original = console.log;
    const screen = new Screen();
    await screen.until("14 rules");
    console.log("chatter of a library");
    await pause(30);
    expect(screen.raw).not.toContain("chatter");
    expect(console.log).not.toBe(original);
    await screen.end();
    expect(console.log).toBe(original);
  });
});
