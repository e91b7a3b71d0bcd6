/**
 * `npm run bench [part …] [-- --json] [-- --check]`: builds, measures the shipped bundle and prints a table. Figures are ratios against `node -e 0`
 * taken in the same run, best of n, or counters. `--check` exits 1 when a figure misses its reach by more than 25 %.
 *
 * A part is a file in `rows/` that exports one function of its own name, and one line here. The function gives rows of
 * `{ what, measured, unit, reach, note? }`; less is better.
 */
const PARTS = {
  startup: () => import("./rows/startup.mjs"),
  request: () => import("./rows/request.mjs"),
  streaming: () => import("./rows/streaming.mjs"),
  interactive: () => import("./rows/interactive.mjs"),
  interrupt: () => import("./rows/interrupt.mjs"),
  memory: () => import("./rows/memory.mjs"),
  session: () => import("./rows/session.mjs"),
  matcher: () => import("./rows/matcher.mjs"),
  scan: () => import("./rows/scan.mjs"),
  tui: () => import("./rows/tui.mjs"),
};
/** A measurement on a machine that does other things as well. */
const SLACK = 1.25;
const FLAGS = ["--json", "--check"];

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("--"));
const names = words.filter((word) => !word.startsWith("--"));
for (const [unknown, known] of [
  [names.find((name) => !Object.hasOwn(PARTS, name)), Object.keys(PARTS)],
  [flags.find((flag) => !FLAGS.includes(flag)), FLAGS],
]) {
  if (unknown === undefined) continue;
  process.stderr.write(`There is no "${unknown}"; there are ${known.join(", ")}.\n`);
  process.exit(2);
}

const rows = [];
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  const part = await PARTS[name]();
  for (const row of await part[name]()) rows.push({ part: name, ...row, ok: row.measured <= row.reach });
}

process.stdout.write(flags.includes("--json") ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
process.exit(flags.includes("--check") && rows.some((row) => row.measured > row.reach * SLACK) ? 1 : 0);

function table(rows) {
  const shown = rows.map((row) => [
    row.part,
    row.what,
    `${round(row.measured)} ${row.unit}`.trim(),
    `≤ ${row.reach}`,
    row.ok ? "ok" : "missed",
    row.note ?? "",
  ]);
  const widths = shown[0].map((_, i) => Math.max(...shown.map((cells) => cells[i].length)));
  const line = (cells) => cells.map((cell, i) => cell.padEnd(widths[i])).join("  ");
  return shown.map((cells) => `${line(cells).trimEnd()}\n`).join("");
}

function round(value) {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
