/** What the parts share: a model server, a user's folders, and running the program while the clock runs. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const BIN = fileURLToPath(new URL("../bin/ttsr-agent.js", import.meta.url));

const RULE = "---\nttsr_trigger: '\\beval\\s*\\('\n---\nNo eval.\n";

/** The test server, bundled at start: Node runs no TypeScript. */
async function serverModule() {
  const built = await build({
    stdin: {
      contents: 'export * from "./index.ts"; export { monotonicMs } from "./log.ts";',
      resolveDir: fileURLToPath(new URL("../test/server", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString("base64")}`);
}

/** A project with one rule, an own provider for the server, and `rules` further rules that never fire. */
export async function openWorld(script, { rules = 0 } = {}) {
  const { startModelServer, say, callTool, monotonicMs } = await serverModule();
  const server = await startModelServer({ script: script({ say, callTool }) });
  const root = mkdtempSync(join(tmpdir(), "ttsr-bench-"));
  const write = (name, text) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write("project/.rules/no-eval.md", RULE);
  for (let i = 0; i < rules; i++)
    write(`project/.rules/r${i}.md`, `---\nttsr_trigger: '\\bforbidden${i}\\s*\\('\n---\nNot ${i}.\n`);
  write(
    "config/models.yml",
    `providers:\n  bench:\n    wire: anthropic-messages\n    baseUrl: ${server.url("anthropic-messages")}\n    apiKey: k\n    models: [{ id: m }]\n`,
  );
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^TTSR_|^CI$/.test(name)),
  );
  Object.assign(env, {
    HOME: root,
    TTSR_AGENT_HOME: join(root, "config"),
    TTSR_AGENT_STATE: join(root, "state"),
    TERM: "xterm-256color",
  });
  return {
    server,
    env,
    cwd: join(root, "project"),
    now: monotonicMs,
    headless: (...args) => ["-p", "--trust", "--no-builtin-rules", "--no-session", "-m", "bench/m", ...args],
    async close() {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Writes what the process used into a file as it ends: microseconds, where `times` of a shell and /proc count in ticks of 10 ms. */
const TELL_USAGE = `data:text/javascript,${encodeURIComponent(
  'import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));',
)}`;

/**
 * For a process whose user CPU is asked for. It loads one line more, so its wall time is not to be used.
 * @returns the arguments that go before the program's, what goes into its environment, and `user()`: milliseconds, once it has ended
 */
export function usageProbe() {
  const file = join(tmpdir(), `ttsr-bench-usage-${process.pid}-${probes++}`);
  return {
    args: ["--import", TELL_USAGE],
    env: { BENCH_USAGE: file },
    user() {
      const { userCPUTime } = JSON.parse(readFileSync(file, "utf8"));
      rmSync(file);
      return userCPUTime / 1000;
    },
  };
}

let probes = 0;

/**
 * Runs node to its end; a failure (any code but `codes`) ends the bench, since a figure of a failed run means nothing.
 * @returns wall ms, `user` CPU ms (with `usage`), what it wrote
 */
export function run(args, { cwd, env, codes = [0] } = {}, { usage = false } = {}) {
  const probe = usage ? usageProbe() : { args: [], env: {}, user: () => undefined };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, [...probe.args, ...args], {
      cwd,
      env: { ...(env ?? process.env), ...probe.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const wall = performance.now() - started;
      if (codes.includes(code)) resolve({ wall, user: probe.user(), stdout, stderr });
      else reject(new Error(`node ${args.join(" ")} ended with ${code ?? signal}:\n${stdout.slice(-2_000)}${stderr}`));
    });
  });
}

/**
 * The least of n of each measure: what the machine can do when nothing else happens. They take turns, so a busy minute hits all of them.
 * @param measures name → async () => number
 * @returns name → { least, median, most }
 */
export async function bestOf(n, measures) {
  const all = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  for (let i = 0; i < n; i++) for (const [name, measure] of Object.entries(measures)) all[name].push(await measure());
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, spread(values)]));
}

/** @returns { least, median, most } */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { least: sorted[0], median: sorted[sorted.length >> 1], most: sorted.at(-1) };
}

/** The reference of every start-up figure. */
export const nodeFloor = async () => (await run(["-e", "0"])).wall;
