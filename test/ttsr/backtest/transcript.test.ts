import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../../src/agent/ports.js";
import { Backtest } from "../../../src/ttsr/backtest/backtest.js";
import { likeOurs } from "../../../src/ttsr/backtest/foreign-tools.js";
import { readTranscript } from "../../../src/ttsr/backtest/transcript.js";
import { rule } from "../../support/rules.js";
import { fakeTool } from "../../support/tools.js";

/** As "text: …" or "bash: {…}", one a block. */
function blocks(text: string): string[] {
  return readTranscript(text).messages.flatMap(({ parts }) => {
    const said: string[] = [];
    let name = "";
    for (const part of parts as StreamPart[]) {
      if (part.type === "call_start") name = part.name;
      if (part.type === "text_delta") said.push(`text: ${part.text}`);
      if (part.type === "thinking_delta") said.push(`thinking: ${part.text}`);
      if (part.type === "args_delta") said.push(`${name}: ${part.text}`);
    }
    return said;
  });
}
const lines = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");

describe("transcripts as what the model wrote", () => {
  it("our own log, and pi's", () => {
    const log = lines(
      { type: "session", version: 1, id: "s", cwd: "/x" },
      { type: "message", message: { role: "user", content: [{ type: "text", text: "do eval(" }] } },
      {
        type: "message",
        message: {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "I will" },
            { type: "toolCall", id: "1", name: "bash", arguments: { command: "ls" } },
            { type: "toolCall", id: "2", name: "edit", arguments: { path: "a", oldText: "x", newText: "y" } },
          ],
        },
      },
      { type: "message", message: { role: "toolResult", content: [{ type: "text", text: "eval(" }] } },
    );
    expect(blocks(log)).toEqual([
      "thinking: hm",
      "text: I will",
      'bash: {"command":"ls"}',
      'edit: {"path":"a","edits":[{"old":"x","new":"y"}]}',
    ]);
    expect(readTranscript(log).messages[0]?.place).toBe("line 3");
  });

  it("Claude Code's", () => {
    const log = lines(
      { type: "user", message: { role: "user", content: "hi" } },
      {
        type: "assistant",
        message: { role: "assistant", content: [{ type: "tool_use", name: "Bash", input: { command: "ls" } }] },
      },
      { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "out" }] } },
      {
        type: "assistant",
        message: {
          role: "assistant",
          content: [
            {
              type: "tool_use",
              name: "MultiEdit",
              input: { file_path: "a", edits: [{ old_string: "1", new_string: "2" }] },
            },
          ],
        },
      },
    );
    expect(blocks(log)).toEqual(['bash: {"command":"ls"}', 'edit: {"path":"a","edits":[{"old":"1","new":"2"}]}']);
  });

  it("chat completions, trajectories, and the same answers twice", () => {
    const chat = {
      messages: [
        {
          role: "assistant",
          content: "hey",
          tool_calls: [{ function: { name: "shell", arguments: '{"command":["bash","-lc","ls"]}' } }],
        },
      ],
    };
    expect(blocks(JSON.stringify(chat))).toEqual(["text: hey", 'bash: {"command":"ls"}']);
    const steps = {
      trajectory: [{ action: "ls\n", observation: "eval(", response: "Look", thought: "Look" }],
      history: [
        { role: "assistant", content: "Look again" },
        { role: "user", content: "no" },
      ],
    };
    expect(blocks(JSON.stringify(steps))).toEqual(["text: Look", 'bash: {"command":"ls\\n"}', "text: Look again"]);
    expect(
      blocks(
        JSON.stringify([
          { role: "assistant", content: "a" },
          { role: "assistant", content: "a" },
        ]),
      ),
    ).toEqual(["text: a"]);
  });

  it("plain text; lines that cannot be read are counted; depth ends", () => {
    expect(blocks("# Chat\nwords")).toEqual(["text: # Chat\nwords"]);
    expect(blocks("")).toEqual([]);
    const broken = readTranscript(`${JSON.stringify({ role: "assistant", content: "ok" })}\n{"role":"assist`);
    expect(broken).toMatchObject({ unreadable: 1, messages: [{ place: "line 1" }] });
    expect(readTranscript("[".repeat(5000) + "]".repeat(5000)).messages).toEqual([]);
  });

  it("a tool like none of ours stays as it is", () => {
    expect(likeOurs({ toolName: "WebFetch", args: { url: "u" } })).toEqual([
      { toolName: "WebFetch", args: { url: "u" } },
    ]);
    expect(likeOurs({ toolName: "run_commands", args: { commands: ["a", "b"] } }).map(({ args }) => args)).toEqual([
      { command: "a" },
      { command: "b" },
    ]);
  });
});

describe("a back-test", () => {
  it("counts hits, sets quotes apart, and says what would have been cut", async () => {
    const bash = fakeTool("bash", { authored: [{ kind: "text", argument: "command" }] });
    const test = new Backtest([rule("no-eval"), rule("quiet", { ttsrTrigger: ["zzz"] })], {
      tools: (name) => (name === "bash" ? bash : undefined),
    });
    await test.add(
      "t.json",
      readTranscript(
        JSON.stringify([
          {
            role: "assistant",
            content: [
              { type: "text", text: "Well then" },
              { type: "tool_use", name: "Bash", input: { command: "node -e 'eval(x)'" } },
            ],
          },
          { role: "assistant", content: "Never use eval( again" },
        ]),
      ),
    );
    expect(test.results()).toEqual([
      {
        rule: "no-eval",
        hits: [
          {
            file: "t.json",
            place: "message 1",
            excerpt: "node -e 'eval(",
            source: "tool",
            toolName: "bash",
            quote: false,
            tokensCut: 6,
          },
          expect.objectContaining({ place: "message 2", source: "text", quote: true }),
        ],
      },
      { rule: "quiet", hits: [] },
    ]);
  });

  it("sees the calls that were cut off before their arguments were whole", async () => {
    const write = fakeTool("write", { authored: [{ kind: "file", argument: "content" }], pathArgument: "path" });
    const test = new Backtest([rule("no-eval", { globs: ["*.ts"] })], { tools: () => write });
    const json = '{"path":"a.ts","content":"const x = eval(';
    const cut = { type: "toolCall", id: "1", name: "write", arguments: {}, invalidArguments: json };
    const elsewhere = { function: { name: "write", arguments: json } };
    await test.add(
      "s.jsonl",
      readTranscript(
        lines(
          { type: "message", message: { role: "assistant", content: [cut], abortReason: "ttsr" } },
          { role: "assistant", content: "Again:", tool_calls: [elsewhere] },
        ),
      ),
    );
    const [result] = test.results();
    expect(result?.hits.map(({ place, filePath, excerpt }) => [place, filePath, excerpt])).toEqual([
      ["line 1", "a.ts", "const x = eval("],
      ["line 2", "a.ts", "const x = eval("],
    ]);
  });
});

const SHARED = join(process.env["TTSR_SHARED"] ?? join(process.cwd(), "..", "shared"), "transcripts");
const present = existsSync(SHARED);
describe.skipIf(!present)(`published transcripts${present ? "" : " (skipped: they are not here)"}`, () => {
  /** Answers of the model, counted by hand or by an independent query of the file. */
  const ANSWERS: Record<string, number> = {
    "aider-complex-change.md": 1,
    "specstory-code-review.md": 1,
  };
  for (const name of present ? readdirSync(SHARED).filter((file) => file !== "README.md") : []) {
    it(name, () => {
      const { messages, unreadable } = readTranscript(readFileSync(join(SHARED, name), "utf8"));
      expect(unreadable).toBe(0);
      if (ANSWERS[name] !== undefined) expect(messages).toHaveLength(ANSWERS[name]);
      else expect(messages.length).toBeGreaterThan(3);
      for (const { parts, lengths } of messages) expect(parts).toHaveLength(lengths.length * 3);
    });
  }
});
