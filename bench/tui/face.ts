/** The shipped face in front of a session that only streams. */
import { tmpdir } from "node:os";
import { runInteractive } from "../../src/modes/interactive/index.js";
import { systemClock } from "../../src/platform/clock.js";
import { FakeSession, message } from "../../test/modes/interactive/fake-session.js";
import { MESSAGE, play, task } from "./story.js";

const session = new FakeSession();
void runInteractive({
  start: () => Promise.resolve({ session }),
  stdin: process.stdin,
  stdout: process.stdout,
  env: process.env,
  stateDir: tmpdir(),
  configDir: tmpdir(),
  diagnose: () => Promise.resolve(""),
  prompt: "",
  look: { theme: "ansi", flushMs: 33, screenReader: false, reducedMotion: false },
  clock: systemClock,
});
await new Promise((resolve) => setTimeout(resolve, 100));
for (let i = 0; i < task().before; i++) {
  session.emit({ type: "turn_start", turn: i, prompts: [MESSAGE] });
  if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
let begun = false;
await play(
  (text) => {
    if (!begun) {
      begun = true;
      session.emit({ type: "agent_start" }, { type: "message_start", role: "assistant", attempt: 1 });
    }
    session.emit({ type: "message_update", contentIndex: 0, delta: { kind: "text", text } });
  },
  () => {
    session.emit({ type: "message_end", message: message([]) });
    session.emit({ type: "agent_end", status: "ok", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } });
  },
);
