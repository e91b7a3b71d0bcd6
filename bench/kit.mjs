/** What the parts share: a model server, a user's folders, and running the program while the clock runs. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Runs node to its end. @returns wall ms, user CPU ms (Linux: of the process itself), what it wrote */
export function run(args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(
      "/bin/sh",
      ["-c", 'times_of() { "$@"; code=$?; times >&2; exit $code; }; times_of "$@"', "sh", process.execPath, ...args],
      {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      // The second line of `times` is the user and system time of the children.
      const [, children] = stderr.trim().split("\n").slice(-2);
      const [minutes, seconds] = /(\d+)m([\d.]+)s/
        .exec(children ?? "")
        ?.slice(1)
        .map(Number) ?? [0, Number.NaN];
      resolve({ code, wall: performance.now() - started, user: (minutes * 60 + seconds) * 1000, stdout, stderr });
    });
  });
}

/** The least of n: what the machine can do when nothing else happens. */
export async function best(n, measure) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) least = Math.min(least, await measure());
  return least;
}

export const nodeFloor = (n = 7) => best(n, async () => (await run(["-e", "0"])).wall);
