/** The face alone, without model and rules, against the plain way with Ink in the same run: what a delta costs, and what stays. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { build } from "esbuild";
import { inkPatch } from "../../build/ink-patch.mjs";
import { BIN, bestOf, openWorld } from "../kit.mjs";

const HERE = fileURLToPath(new URL("../tui/", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACE = 500;

export async function tui() {
  // Beside the project's packages, which the bundles need at run time.
  const dir = mkdtempSync(join(ROOT, "node_modules", ".cache-bench-"));
  try {
    await bundle("face.ts", dir, [inkPatch()]);
    await bundle("plain.tsx", dir, [withoutDevtools()]);
    await bundle("hello.tsx", dir, [withoutDevtools()]);
    const play = (name, task) => run(join(dir, `${name}.mjs`), { idleMs: 0, before: 10, pace: PACE, ...task });
    const ours = await play("face", { deltas: 1_500, idleMs: 2_000 });
    const plain = await play("plain", { deltas: 1_500 });
    const few = await leastCpu(2, () => play("face", { deltas: 1_000, before: 10 }));
    const many = await leastCpu(2, () => play("face", { deltas: 1_000, before: 1_000 }));
    // 400 KB in two halves: what the second one keeps is what is kept for ever.
    const soak = await play("face", { deltas: 100_000, pace: 20_000 });
    const [, half, end] = soak.heap;
    const prompt = await promptRatio(join(dir, "hello.mjs"));
    return [
      {
        what: "CPU a delta / the plain way",
        measured: ours.cpu / plain.cpu,
        unit: "x",
        reach: 0.35,
        note: `${us(ours.cpu / 1_500)} against ${us(plain.cpu / 1_500)}`,
      },
      {
        what: "bytes written a delta",
        measured: ours.bytes / 1_500,
        unit: "",
        reach: 120,
        note: `plain ${Math.round(plain.bytes / 1_500)}`,
      },
      {
        what: "biggest write",
        measured: ours.biggestWrite / 1024,
        unit: "KB",
        reach: 8,
        note: `plain ${Math.round(plain.biggestWrite / 1024)} KB`,
      },
      { what: "wipes", measured: ours.wipes + soak.wipes, unit: "", reach: 0, note: `plain ${plain.wipes}` },
      { what: "CPU after 1,000 messages / after 10", measured: many / few, unit: "x", reach: 1.3 },
      { what: "idle CPU of 2 s", measured: Math.floor(ours.idleCpu / 10) * 10, unit: "ms", reach: 0 },
      { what: "idle bytes of 2 s", measured: ours.idleBytes, unit: "", reach: 0 },
      {
        what: "heap kept of 10 KB streamed",
        measured: Math.max(0, (end - half) / 1024 / 1024 / 20),
        unit: "MB",
        reach: 1,
      },
      {
        what: "heap growth, second half of a soak of 400 KB",
        measured: Math.max(0, (end - half) / 1024 / 1024),
        unit: "MB",
        reach: 2,
      },
      { what: "prompt visible / bare Ink", measured: prompt, unit: "x", reach: 2.5 },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const us = (ms) => `${Math.round(ms * 1000)} µs`;

async function leastCpu(n, measure) {
  return (await bestOf(n, { cpu: async () => (await measure()).cpu })).cpu.least;
}

function bundle(name, dir, plugins) {
  return build({
    entryPoints: [join(HERE, name)],
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    jsx: "automatic",
    loader: { ".md": "text" },
    external: ["@vscode/ripgrep", "@ast-grep/napi"],
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"', __VERSION__: '"0"' },
    banner: { js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);' },
    plugins,
    logLevel: "error",
  });
}

/** Ink as it is, but for a developer tool that nobody has. */
function withoutDevtools() {
  return {
    name: "without-devtools",
    setup(builder) {
      builder.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "empty" }));
      builder.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};" }));
    },
  };
}

/** @returns the figures that the child writes down */
function run(file, task) {
  const out = join(mkdtempSync(join(tmpdir(), "ttsr-bench-tui-")), "figures.json");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", file], {
      cols: 100,
      rows: 40,
      name: "xterm-256color",
      env: { ...cleanEnv(), TTSR_BENCH: JSON.stringify({ ...task, out }) },
    });
    let output = "";
    child.onData((data) => {
      output = (output + data).slice(-2_000);
    });
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 180_000);
    child.onExit(({ exitCode }) => {
      clearTimeout(giveUp);
      if (exitCode !== 0) reject(new Error(`${file} ended with ${exitCode}:\n${output}`));
      else resolve(JSON.parse(readFileSync(out, "utf8")));
    });
  });
}

function cleanEnv() {
  const env = { ...process.env, TERM: "xterm-256color", COLORFGBG: "15;0" };
  for (const name of ["CI", "CONTINUOUS_INTEGRATION", "NO_COLOR"]) delete env[name];
  return env;
}

/** Spawn → prompt in the terminal, wall, ours against a bundle that draws one line with Ink. */
async function promptRatio(hello) {
  const world = await openWorld(({ say }) => [say("x")]);
  try {
    const visible = (args, cwd, env) =>
      new Promise((resolve) => {
        const started = performance.now();
        const child = spawn(process.execPath, args, { cols: 100, rows: 40, name: "xterm-256color", cwd, env });
        let output = "";
        let seen = false;
        child.onData((data) => {
          output += data;
          if (seen || !output.includes("Ask for something")) return;
          seen = true;
          resolve(performance.now() - started);
          child.kill("SIGKILL");
        });
      });
    const { bare, ours } = await bestOf(5, {
      bare: () => visible([hello], ROOT, cleanEnv()),
      ours: () => visible([BIN, "--trust", "--no-session", "-m", "bench/m"], world.cwd, world.env),
    });
    return ours.least / bare.least;
  } finally {
    await world.close();
  }
}
