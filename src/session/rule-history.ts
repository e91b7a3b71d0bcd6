/** What a rule did in the sessions of the past, read from their logs: within bounds, and without parsing what says nothing of rules. */
import { basename } from "node:path";
import { parseRecord } from "./entry-parse.js";
import { decodeLine, readLines } from "./log-lines.js";
import type { TtsrInjectionEntry } from "./session-entries.js";
import { sessionFiles, withFile } from "./session-list.js";

export interface RuleHistory {
  /** Times it was put before the model, or was to be. */
  hits: number;
  /** Answers that it cut off. */
  interrupts: number;
  /** Output tokens of these answers; whole for each rule of a batch (TTSR-6.8). */
  discardedTokens: number;
  /** Sessions in which it did something. */
  sessions: number;
  /** ISO 8601; of the last hit. */
  last?: string;
  /** Logs that were looked at. */
  read: number;
}

/** The newest logs, up to so many bytes together: what a disk gives in a second or two. */
const MOST_LOGS = 1_000;
const MOST_BYTES = 512 * 1024 * 1024;
/** How our entries begin. In a string of another entry the quotes would be escaped, so this stands nowhere else. */
const INJECTION = Buffer.from('{"type":"ttsr_injection","id":"');

/** @param onProgress how many logs were read */
export function ruleHistory(
  stateDir: string,
  name: string,
  onProgress: (done: number, all: number) => void = () => undefined,
): RuleHistory {
  const files = sessionFiles(stateDir)
    .sort((a, b) => (basename(a) < basename(b) ? 1 : -1))
    .slice(0, MOST_LOGS);
  const history: RuleHistory = { hits: 0, interrupts: 0, discardedTokens: 0, sessions: 0, read: 0 };
  let left = MOST_BYTES;
  for (const file of files) {
    if (left <= 0) break;
    const { entries, bytes } = injectionsIn(file, name);
    left -= bytes;
    add(history, entries);
    onProgress(++history.read, files.length);
  }
  return history;
}

/** An interrupt that the user was quicker than has two entries: what it was to be, and that it was not. */
function add(history: RuleHistory, entries: readonly TtsrInjectionEntry[]): void {
  const takenBack = new Set(entries.filter(({ delivered }) => !delivered).map(({ cutMessageId }) => cutMessageId));
  const seen = new Set<string>();
  for (const { cutMessageId, discardedTokens, timestamp } of entries) {
    if (cutMessageId !== "" && seen.has(cutMessageId)) continue;
    seen.add(cutMessageId);
    history.hits++;
    if (history.last === undefined || timestamp > history.last) history.last = timestamp;
    if (cutMessageId === "" || takenBack.has(cutMessageId)) continue;
    history.interrupts++;
    history.discardedTokens += discardedTokens;
  }
  if (entries.length > 0) history.sessions++;
}

function injectionsIn(file: string, name: string): { entries: TtsrInjectionEntry[]; bytes: number } {
  const entries: TtsrInjectionEntry[] = [];
  const take = (line: Buffer): void => {
    if (!line.includes(INJECTION)) return;
    for (const value of decodeLine(line).values) {
      const record = parseRecord(value, null);
      if (record?.type === "ttsr_injection" && record.rules.some((rule) => rule.name === name)) entries.push(record);
    }
  };
  const bytes = withFile(file, (fd) => readLines(fd, take).size) ?? 0;
  return { entries, bytes };
}
