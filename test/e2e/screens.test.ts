/**
 * The screens that people see, of the shipped program in a real pty, kept as text in test/fixtures/screens. `npm run screens` writes them
 * anew, and draws those of 80 x 24 into docs/screens.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, callTool, say } from "../server/index.js";
import { DRAW, expectKeptScreen } from "../support/kept-screen.js";
import { World } from "../support/program.js";
import { PtyProgram } from "../support/pty.js";
import { pause } from "../support/wait.js";

const TEXTS = fileURLToPath(new URL("../fixtures/screens", import.meta.url));
const PICTURES = fileURLToPath(new URL("../../docs/screens", import.meta.url));

const ANSWER = `## How it is built

The loop drives **ports**; it knows no provider by name. See [the guide](https://example.com/guide) and \`src/agent/agent.ts\`.

1. A delta comes in and is looked at *before* it is drawn.
2. A match cuts the stream:
   - the socket is closed,
   - nothing of the call is run.

\`\`\`ts
/* Sums what
   it is given. */
export function sum(values: number[]): number {
  let total = 0; // nothing yet
  for (const value of values) total += value;
  return total;
}
\`\`\`

| Part | What it does | Cost |
|:-----|:-------------|-----:|
| lanes | Put each argument of a call into a text of its own, with the places of its characters | 2 µs |
| 照合 | ルールの照合を行う | 5 µs |
| emoji 🙂 | stay where they are | 0 |

> Quoted, as it was said.
`;

const SOURCE = `import { add } from "./add.js";

export function total(prices, rate) {
  const sum = prices.reduce(add, 0);
  return sum * rate;
}
`;

interface Scene {
  /** The project is a repository. */
  git?: boolean;
  files?: Record<string, string>;
  script: readonly Answer[];
  args?: readonly string[];
  env?: Record<string, string>;
  play(tui: PtyProgram): Promise<void>;
}

const idle = (tui: PtyProgram, words: string): Promise<void> =>
  tui.until((screen) => screen.includes("Ask for something") && tui.all().includes(words));

const CUT = callTool(
  "write",
  { path: "src/calc.js", content: "// works out an expression\nexport const calc = (text) => eval(text);\n" },
  { gapMs: 8 },
);
const RIGHT = callTool("write", {
  path: "src/calc.js",
  content: 'import { parse } from "./parse.js";\n\nexport const calc = parse;\n',
});
const INTERRUPT: Scene = {
  files: { ".rules/no-eval.md": readRule() },
  script: [CUT, RIGHT, say("`calc` parses its text now.")],
  args: ["--permission-mode", "auto-edit"],
  async play(tui) {
    tui.write("make calc work out expressions\r");
    await idle(tui, "parses its text now.");
  },
};

function readRule(): string {
  return `---
description: Never build code from strings. eval and new Function run whatever reaches them; parse the input, keep the set of operators closed, and work the result out yourself.
ttsr_trigger: '\\beval\\s*\\('
---
There is a small parser in src/parse.js.
`;
}

const AUDIT: Scene = {
  git: true,
  files: {
    ".rules/no-eval.md": readRule().replace("\n---\nThere", "\nscope: tool:write, tool:edit\n---\nThere"),
    ".rules/no-key.md":
      "---\nseverity: error\nttsr_trigger: 'sk-live-\\w{8}'\nscope: tool:write, tool:edit\n---\nKeys come from the environment.\n",
  },
  script: [
    callTool("bash", {
      command: "for i in 1 2 3 4 5 6; do echo \"eval(input$i)\" >> gen.js; done; echo 'sk-live-abcd1234' > a.env",
    }),
    say("Six lines are generated."),
  ],
  args: ["--permission-mode", "yolo"],
  async play(tui) {
    tui.write("generate it\r");
    await idle(tui, "have the model mend them");
  },
};

const scenes: Record<string, Scene> = {
  audit: AUDIT,
  "audit-spoken": { ...AUDIT, args: ["--permission-mode", "yolo", "--set", "tui.screenReader=true"] },
  asking: {
    script: [callTool("bash", { command: "npm test -- --run" })],
    async play(tui) {
      tui.write("run the tests\r");
      await tui.until("Allow bash?");
      tui.write("and then 1 more");
      await tui.until("draft  and then 1 more");
    },
  },
  blocked: {
    files: { ".rules/no-eval.md": readRule() },
    script: [CUT, CUT, CUT, say("I cannot do it without eval.")],
    args: ["--permission-mode", "auto-edit"],
    async play(tui) {
      tui.write("use eval\r");
      await idle(tui, "I cannot do it without eval.");
    },
  },
  start: { script: [], play: (tui) => tui.until("Ask for something") },
  answer: {
    script: [say(ANSWER, { gapMs: 1 })],
    async play(tui) {
      tui.write("how is it built?\r");
      await idle(tui, "Quoted, as it was said.");
    },
  },
  edit: {
    files: { "src/total.js": SOURCE },
    script: [
      callTool("read", { path: "src/total.js" }),
      callTool("edit", {
        path: "src/total.js",
        edits: [{ old: "  return sum * rate;", new: "  return Math.round(sum * rate * 100) / 100;" }],
      }),
    ],
    async play(tui) {
      tui.write("round the total\r");
      await tui.until("Allow edit?");
    },
  },
  "edit-done": {
    files: { "src/total.js": SOURCE },
    script: [
      callTool("edit", {
        path: "src/total.js",
        edits: [{ old: "  return sum * rate;", new: "  return Math.round(sum * rate * 100) / 100;" }],
      }),
      callTool("bash", { command: "seq 1 40; echo 'one failed' >&2; exit 3" }),
      say("The total is rounded; one test still fails."),
    ],
    args: ["--permission-mode", "yolo"],
    async play(tui) {
      tui.write("round the total\r");
      await idle(tui, "one test still fails.");
    },
  },
  interrupt: INTERRUPT,
  "interrupt-seen": {
    ...INTERRUPT,
    script: [CUT, { ...RIGHT, stallAfter: 22 }],
    async play(tui) {
      tui.write("make calc work out expressions\r");
      await tui.until((screen) => screen.includes("tokens cut") && screen.includes("import { p"));
    },
  },
  "interrupt-spoken": { ...INTERRUPT, args: ["--permission-mode", "auto-edit", "--set", "tui.screenReader=true"] },
  "answer-light": {
    script: [say(ANSWER)],
    env: { COLORFGBG: "0;15", COLORTERM: "truecolor" },
    async play(tui) {
      tui.write("how is it built?\r");
      await idle(tui, "Quoted, as it was said.");
    },
  },
  "answer-plain": {
    script: [say(ANSWER)],
    args: ["--set", "tui.theme=none"],
    async play(tui) {
      tui.write("how is it built?\r");
      await idle(tui, "Quoted, as it was said.");
    },
  },
  error: {
    script: [{ status: 401 }],
    async play(tui) {
      tui.write("hello\r");
      await tui.until((screen) => screen.includes("✗"));
      await tui.until("Ask for something");
    },
  },
};

/** What is another at each run: the time a run has taken, the glyph that turns. */
function scrub(screen: string): string {
  return screen
    .replaceAll(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /gm, "◌ ")
    .replaceAll(/working \d+ s/g, "working")
    .replaceAll(/request req_\w+/g, "request req_…")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

let world: World | undefined;
let tui: PtyProgram | undefined;
afterEach(async () => {
  tui?.kill("SIGKILL");
  await world?.close();
});

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])("the screen at $columns x $rows", ({ columns, rows }) => {
  it.each(Object.entries(scenes))("%s", async (name, scene) => {
    world = await World.open(scene.script, scene.files);
    if (scene.git) execFileSync("git", ["init", "-q"], { cwd: world.project });
    const face = new PtyProgram({
      args: ["-m", "anthropic-messages/m", "--trust", "--no-builtin-rules", ...(scene.args ?? [])],
      cwd: world.project,
      env: { ...world.env, COLORTERM: "truecolor", COLORFGBG: "15;0", ...scene.env },
      columns,
      rows,
    });
    tui = face;
    await face.until("anthropic-messages/m");
    await scene.play(face);
    // All of it, with the scrollback; the last rows are what stands on the screen.
    const kept = () =>
      expectKeptScreen(face, join(TEXTS, `${name}-${columns}x${rows}.txt`), () => `${scrub(face.all())}\n`);
    await kept();
    // And nothing comes after it.
    await pause(100);
    await kept();
    if (DRAW && columns === 80) await draw(name, face, scene.env?.["COLORFGBG"] === "0;15" ? "light" : "dark");
    expect(face.raw).not.toContain("\u001b[3J");
    expect(face.raw).not.toContain("\u001b[2J");
    expect(face.raw).not.toContain("\u001b[?1049h");
  });
});

async function draw(name: string, { terminal }: PtyProgram, look: "dark" | "light"): Promise<void> {
  // @ts-expect-error: a script of the build, in plain JavaScript
  const { toSvg } = await import("../../build/screen-to-svg.mjs");
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, `${name}.svg`), toSvg(terminal, "ttsr-agent", look));
}
