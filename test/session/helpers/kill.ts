import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { userText } from "../../../src/agent/messages.js";
import { type Bench, seeded } from "./session.js";

const CHILDREN = {
  "kill-child": new URL("./kill-child.ts", import.meta.url),
  "writer-child": new URL("./writer-child.ts", import.meta.url),
};

/** Bundles a helper beside this file for plain Node. @returns the bundle's path */
export async function bundle(name: keyof typeof CHILDREN, dir: string): Promise<string> {
  const outfile = join(dir, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(CHILDREN[name])],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    loader: { ".md": "text" },
    logLevel: "error",
  });
  return outfile;
}

interface Kill {
  script: string;
  stateDir: string;
  /** undefined: the child makes a session. */
  file: string | undefined;
  seed: number;
  /** The kill comes after this many acks, and a little later still. */
  afterAcks: number;
  afterMicroseconds: number;
  /** Instead: the child dies in the middle of writing this line. */
  half: number;
}

/** Lets a child append until it is killed. @returns the log, and the ids of the entries that the child was told are saved */
async function appendUntilKilled(kill: Kill): Promise<{ file: string; acked: string[]; signal: string | null }> {
  const args = [kill.script, kill.stateDir, kill.file ?? "-", String(kill.seed), String(kill.half)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  let acks = 0;
  let killed = false;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    out += text;
    acks += text.split("saved ").length - 1;
    if (killed || kill.half > 0 || acks < kill.afterAcks) return;
    killed = true;
    const until = performance.now() + kill.afterMicroseconds / 1000;
    while (performance.now() < until);
    child.kill("SIGKILL");
  });
  const signal = await new Promise<string | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, sent) => resolve(sent));
  });
  // A last line without its end was never said.
  const lines = out.split("\n").slice(0, -1);
  const said = (word: string): string[] =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
  return { file: said("file ")[0] ?? "", acked: said("saved "), signal };
}

export interface Chain {
  /** Saves that a child was told of. */
  acked: number;
  /** Ids of those that were not there afterwards. */
  lost: string[];
  /** Logs whose last line had no end when the child was dead. */
  torn: number;
  signals: Set<string | null>;
  /** What should not be: a notice of more than a torn end, entries outside the one conversation. */
  faults: string[];
}

/** One session that is killed and taken up again, `kills` times; every fourth time in the middle of a write. */
export async function killChain(on: Bench, script: string, seed: number, kills: number): Promise<Chain> {
  const random = seeded(seed);
  const chain: Chain = { acked: 0, lost: [], torn: 0, signals: new Set(), faults: [] };
  const all = new Set<string>();
  let file: string | undefined;
  for (let n = 0; n < kills; n++) {
    const run = await appendUntilKilled({
      script,
      stateDir: on.stateDir,
      file,
      seed: seed * 10_000 + n,
      afterAcks: 1 + Math.floor(random() * 40),
      afterMicroseconds: Math.floor(random() * 2000),
      half: n % 4 === 3 ? 2 + Math.floor(random() * 30) : 0,
    });
    file = run.file;
    chain.signals.add(run.signal);
    chain.acked += run.acked.length;
    for (const id of run.acked) all.add(id);
    if (readFileSync(file).at(-1) !== 10) chain.torn++;
    on.reports.length = 0;
    const session = on.open(file);
    chain.lost.push(...[...all].filter((id) => session.getEntry(id) === undefined));
    for (const report of on.reports) if (report.code !== "session-torn-tail") chain.faults.push(report.message);
    if (session.branch().length !== session.entries.length) chain.faults.push(`kill ${n}: not one conversation`);
    all.add(session.appendMessage(userText("after the crash")));
    session.close();
  }
  return chain;
}
