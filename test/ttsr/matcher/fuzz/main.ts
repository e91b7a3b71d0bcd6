/** `npm run fuzz -- --minutes 30 [--seed 7]`: prints what was compared; exits 1 when something differs. */
import { DifferentialFuzz } from "./differential.js";

const option = (name: string): number | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? Number.NaN : Number(process.argv[at + 1]);
  return Number.isFinite(value) ? value : undefined;
};

const seed = option("seed") ?? Date.now() >>> 0;
const until = Date.now() + (option("minutes") ?? 1) * 60_000;
process.stdout.write(`seed ${seed}\n`);
const fuzz = new DifferentialFuzz(seed);
let shown = 0;
for (let told = Date.now(); Date.now() < until; ) {
  for (let i = 0; i < 50; i++) fuzz.step();
  // Tier 2 looks at what it was given when nothing else is to be done.
  await new Promise((done) => setImmediate(done));
  for (; shown < fuzz.failures.length; shown++) process.stdout.write(`FAILED ${fuzz.failures[shown]}\n`);
  if (Date.now() - told < 30_000) continue;
  told = Date.now();
  process.stdout.write(`${fuzz.counts.cases + fuzz.counts.casesInSets} cases, ${fuzz.counts.failures} failures\n`);
}
process.stdout.write(`${JSON.stringify(fuzz.counts, null, 2)}\n`);
process.exitCode = fuzz.counts.failures > 0 ? 1 : 0;
