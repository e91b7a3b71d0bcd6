import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssistantMessage, Message } from "../../../src/agent/messages.js";
import { userText } from "../../../src/agent/messages.js";
import type { SessionReport, TtsrInjection } from "../../../src/session/session-entries.js";
import type { LogIo } from "../../../src/session/session-log.js";
import { type CreateOptions, SessionManager } from "../../../src/session/session-manager.js";

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A wall clock that goes on by one second at each look. */
function tickingClock(start = Date.UTC(2026, 0, 2, 3, 4, 5, 6)): { date(): Date } {
  let now = start - 1000;
  return {
    date: () => {
      now += 1000;
      return new Date(now);
    },
  };
}

export interface Bench {
  dir: string;
  stateDir: string;
  reports: SessionReport[];
  options: CreateOptions;
  create(more?: Partial<CreateOptions>): SessionManager;
  open(file: string, io?: LogIo): SessionManager;
  remove(): void;
}

/** A temporary state folder, and sessions in it. */
export function bench(seed = 1): Bench {
  const dir = mkdtempSync(join(tmpdir(), "ttsr-session-"));
  const reports: SessionReport[] = [];
  const stateDir = join(dir, "state");
  const options: CreateOptions = {
    cwd: "/home/project",
    stateDir,
    clock: tickingClock(),
    random: seeded(seed),
    fsync: false,
    report: (report) => reports.push(report),
  };
  return {
    dir,
    stateDir,
    reports,
    options,
    create: (more = {}) => SessionManager.create({ ...options, ...more }),
    open: (file, io) => SessionManager.open(file, { ...options, ...(io ? { io } : {}) }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export function answer(text: string, more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    provider: "demo",
    model: "showcase",
    wire: "scripted",
    content: [{ type: "text", text }],
    stopReason: "stop",
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    ...more,
  };
}

export function cutAnswer(text: string): AssistantMessage {
  return answer(text, { stopReason: "aborted", abortReason: "ttsr", cutBy: ["no-eval"] });
}

export function injection(session: SessionManager, more: Partial<TtsrInjection> = {}): TtsrInjection {
  return {
    rules: [
      {
        name: "no-eval",
        hash: "ab12",
        path: "/home/project/.rules/no-eval.md",
        lane: "tool:write:content",
        filePath: "src/a.ts",
        excerpt: "eval(",
        start: 4,
        end: 9,
      },
    ],
    attempt: 1,
    turn: 1,
    contextMode: "discard",
    cutMessageId: session.newId(),
    interruptMessageId: session.newId(),
    delivered: true,
    discardedTokens: 12,
    estimated: true,
    ...more,
  };
}

/** @returns the text of each message, for short comparisons */
export function texts(messages: readonly Message[]): string[] {
  return messages.map((message) => message.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
}

/** A session of three messages on disk, closed. @returns its file */
export function threeMessages(on: Bench): string {
  const session = on.create();
  session.appendMessage(userText("one"));
  session.appendMessage(answer("two é ✓ 🌍"));
  session.appendMessage(userText("three"));
  session.close();
  return fileOf(session);
}

export function fileOf(session: SessionManager): string {
  if (session.file === undefined) throw new Error("The session has no file");
  return session.file;
}

export function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}
