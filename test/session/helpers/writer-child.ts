/** One of several processes that append to the same log. Arguments: file, seed, number of entries. */
import { SessionManager } from "../../../src/session/session-manager.js";
import { answer, seeded } from "./session.js";

const [file = "", seed = "1", entries = "0"] = process.argv.slice(2);
const random = seeded(Number(seed));
const session = SessionManager.open(file, {
  clock: { date: () => new Date() },
  random,
  fsync: false,
  cwd: "/home/project",
  report: () => undefined,
});
for (let n = 0; n < Number(entries); n++) {
  session.appendMessage(answer(`${seed}:${n} ${"y".repeat(Math.floor(random() ** 6 * 300_000))}`));
}
session.close();
