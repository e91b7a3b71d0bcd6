import type { Command } from "commander";
import type { ExitCode } from "../../platform/errors.js";
import { listSessions, type SessionSummary } from "../../session/session-list.js";
import { systemDirs } from "../dirs.js";
import { printJson, printLine, printTable } from "../output.js";

/** `ttsr-agent sessions` */
export function addSessions(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command("sessions")
    .description("the conversations kept on this machine")
    .addHelpText("after", "\nExample:\n  ttsr-agent sessions list --all");
  command
    .command("list", { isDefault: true })
    .description("list them, newest first")
    .option("--all", "of every folder, not of this one alone")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent sessions list --json")
    .action(({ all, json }: { all?: boolean; json?: boolean }) => {
      const found = listSessions(systemDirs().state, all ? {} : { cwd: process.cwd() });
      if (json) printJson(found);
      else if (found.length === 0) printLine(all ? "No sessions yet." : "No sessions yet in this folder.");
      else printTable(found.map((session) => rowOf(session, all === true)));
      done(0);
    });
}

function rowOf({ id, updatedAt, cwd, title }: SessionSummary, all: boolean): string[] {
  return [id, updatedAt.slice(0, 16).replace("T", " "), ...(all ? [cwd || "?"] : []), title];
}
