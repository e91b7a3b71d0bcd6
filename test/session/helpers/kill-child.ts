/**
 * The victim of the kill tests: opens a session, or makes one, appends without end, and says each time on standard output what it was told
 * is saved. With `half <n>` its disk takes only half of the n-th line before the process dies.
 * Arguments: state folder, session file or "-", seed, half-written line or 0.
 */
import { writeSync } from "node:fs";
import type { Message } from "../../../src/agent/messages.js";
import type { LogIo } from "../../../src/session/session-log.js";
import { SessionManager } from "../../../src/session/session-manager.js";
import { answer, seeded } from "./session.js";

const [stateDir = "", file = "-", seed = "1", half = "0"] = process.argv.slice(2);
const random = seeded(Number(seed));
let writes = 0;
const io: LogIo = {
  write(fd, bytes, offset, length) {
    writes++;
    if (writes !== Number(half)) return writeSync(fd, bytes, offset, length);
    writeSync(fd, bytes, offset, Math.floor(length / 2));
    process.kill(process.pid, "SIGKILL");
    return 0;
  },
  truncate: () => undefined,
  datasync: () => undefined,
};
const options = {
  clock: { date: () => new Date() },
  random,
  fsync: false,
  io,
  cwd: "/home/project",
  report: () => undefined,
};
const session = file === "-" ? SessionManager.create({ ...options, stateDir }) : SessionManager.open(file, options);
writeSync(1, `file ${session.file}\n`);
for (let n = 0; ; n++) {
  const text = "x€\n".repeat(Math.floor(random() ** 8 * 40_000));
  const message: Message = n % 2 === 0 ? { role: "user", content: [{ type: "text", text }] } : answer(text);
  const id = session.appendMessage(message);
  if (session.unsaved === 0) writeSync(1, `saved ${id}\n`);
}
