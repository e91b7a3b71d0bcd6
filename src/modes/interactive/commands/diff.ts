import type { Command, CommandContext } from "./command.js";

/** Characters; more is not looked at in a terminal. */
const LIMIT = 200_000;

/** A repository may name programs of its own to be run for these. */
const QUIET = ["-c", "core.fsmonitor=false"];

export const diffCommand: Command = {
  name: "/diff",
  summary: "what differs from the last commit",
  run(context) {
    context.run(diff(context));
  },
};

async function diff({ output, say, show }: CommandContext): Promise<void> {
  const changed = await output("git", [...QUIET, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD"]);
  const fresh = await output("git", [...QUIET, "ls-files", "--others", "--exclude-standard"]);
  if (changed === undefined || fresh === undefined) {
    say("git has nothing to compare here: no repository, or no commit yet.");
    return;
  }
  const names = fresh.trim() === "" ? "" : `New files:\n${fresh.trim()}\n`;
  if (changed === "" && names === "") say("Nothing differs from the last commit.");
  if (names !== "") say(names);
  if (changed !== "") show("git diff HEAD", changed.slice(0, LIMIT));
}
