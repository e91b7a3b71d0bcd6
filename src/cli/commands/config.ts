import type { Command } from "commander";
import { placeOf } from "../../config/origin.js";
import { type LoadedSettings, loadSettings } from "../../config/settings.js";
import { TrustStore } from "../../config/trust.js";
import type { ExitCode } from "../../platform/errors.js";
import { obeysProjectSettings } from "../../session/repository-inputs.js";
import { systemDirs } from "../dirs.js";
import { printJson, printTable } from "../output.js";

/** `ttsr-agent config` */
export function addConfig(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command("config")
    .description("the settings that hold here, and their schema")
    .addHelpText("after", "\nExample:\n  ttsr-agent config get ttsr.contextMode --show-origin");
  command
    .command("get [key]", { isDefault: true })
    .description("print one setting, or all of them")
    .option("--show-origin", "also where each was written")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ttsr-agent config get ttsr.contextMode --show-origin")
    .action((key: string | undefined, { showOrigin, json }: { showOrigin?: boolean; json?: boolean }) => {
      const loaded = load();
      const keys = key === undefined ? [...loaded.all().keys()] : [key];
      const rows = keys.map((name) => ({ key: name, ...loaded.getWithOrigin(name) }));
      if (json) printJson(showOrigin ? rows : Object.fromEntries(rows.map((row) => [row.key, row.value ?? null])));
      else if (key !== undefined && !showOrigin) printTable(rows.map((row) => [shown(row.value)]));
      else printTable(rows.map((row) => [row.key, shown(row.value), ...(showOrigin ? [placeOf(row)] : [])]));
      done(0);
    });
  command
    .command("schema")
    .description("print the JSON schema of settings.yml")
    .option("--events", "of the lines of --output-format stream-json instead")
    .addHelpText("after", "\nExample:\n  ttsr-agent config schema --events")
    .action(async ({ events }: { events?: boolean }) => {
      if (events) printJson((await import("../schemas/events.json")).default);
      else printJson(await (await import("../../config/json-schema.js")).settingsJsonSchema());
      done(0);
    });
}

function load(): LoadedSettings {
  const dirs = systemDirs();
  const cwd = process.cwd();
  return loadSettings({ cwd, dirs, trusted: obeysProjectSettings(cwd, new TrustStore(dirs.state)) });
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "(none)");
}
