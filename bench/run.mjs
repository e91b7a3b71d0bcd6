/**
 * `npm run bench [part …] [-- --json] [-- --check]`: measures the shipped bundle and prints a table. Figures are ratios against `node -e 0` taken in
 * the same run, best of n, or counters. `--check` exits 1 when a figure misses its reach by more than 25 %.
 */
import { interactive } from "./rows/interactive.mjs";
import { interrupt } from "./rows/interrupt.mjs";
import { request } from "./rows/request.mjs";
import { startup } from "./rows/startup.mjs";
import { streaming } from "./rows/streaming.mjs";

const PARTS = { startup, request, streaming, interactive, interrupt };
/** A measurement on a machine that does other things as well. */
const SLACK = 1.25;

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = names.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  process.stderr.write(`There is no part "${unknown}"; the parts are ${Object.keys(PARTS).join(", ")}.\n`);
  process.exit(2);
}

const rows = [];
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  for (const row of await PARTS[name]()) rows.push({ part: name, ...row, ok: row.measured <= row.reach });
}
const missed = rows.filter((row) => row.measured > row.reach * SLACK);

if (flags.includes("--json")) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else {
  const shown = rows.map((row) => [
    row.part,
    row.what,
    `${round(row.measured)} ${row.unit}`,
    `≤ ${row.reach}`,
    row.ok ? "ok" : "missed",
    row.note ?? "",
  ]);
  const widths = shown[0].map((_, i) => Math.max(...shown.map((cells) => cells[i].length)));
  for (const cells of shown)
    process.stdout.write(
      `${cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd()}\n`,
    );
}
process.exit(flags.includes("--check") && missed.length > 0 ? 1 : 0);

function round(value) {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
