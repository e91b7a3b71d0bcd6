/** Runs the shipped program as a user would: a process of its own, folders of its own, no key of the machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { ModelServer, ServedWire } from "../server/index.js";
import { SERVED_WIRES } from "../server/index.js";

/** `TTSR_AGENT_BIN` names another build to be tested. */
export const BIN = resolve(process.env["TTSR_AGENT_BIN"] ?? join(import.meta.dirname, "../../bin/ttsr-agent.js"));

/** A folder with a project, a config folder and a state folder. */
export interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly state: string;
  /** `path` is relative to the root: `project/…`, `home/…` or `state/…`. */
  write(path: string, text: string): string;
  has(path: string): boolean;
  read(path: string): string;
  remove(): void;
}

/** @param files by path below the root, e.g. `project/a.ts` */
export function createPlace(files: Readonly<Record<string, string>> = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-agent-e2e-")));
  const place: Place = {
    root,
    cwd: join(root, "project"),
    home: join(root, "home"),
    state: join(root, "state"),
    write(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    has: (path) => existsSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const folder of [place.cwd, place.home]) mkdirSync(folder, { recursive: true });
  // The project ends here, wherever the temporary folder lies.
  mkdirSync(join(place.cwd, ".git"));
  for (const [path, text] of Object.entries(files)) place.write(path, text);
  return place;
}

/** Writes a `models.yml` with one own provider for each wire, named after it: `--model gemini-wire/m`. */
export function writeModels(place: Place, server: Pick<ModelServer, "url">): void {
  const providers = SERVED_WIRES.map((wire) =>
    [
      `  ${wire}-wire:`,
      `    wire: ${wire}`,
      `    baseUrl: ${server.url(wire)}`,
      "    apiKey: test-key-1234",
      "    models:",
      "      - { id: m, contextWindow: 100000, maxOutput: 8000 }",
    ].join("\n"),
  );
  place.write("home/models.yml", `providers:\n${providers.join("\n")}\n`);
}

export const modelOf = (wire: ServedWire): string => `${wire}-wire/m`;

export interface Ended {
  /** undefined when a signal ended it. */
  code: number | undefined;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  place: Place;
  env?: Readonly<Record<string, string>>;
  /** Piped; without, standard input is closed. */
  stdin?: string;
  cwd?: string;
}

export interface Running {
  child: ChildProcess;
  /** What came so far. */
  readonly stdout: string;
  readonly stderr: string;
  ended: Promise<Ended>;
}

/** A process that hangs is a failed test, not a stuck one. Milliseconds. */
const MOST_MS = 15_000;

/** Starts the program. */
export function startAgent(args: readonly string[], { place, env, stdin, cwd }: RunOptions): Running {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: cwd ?? place.cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: place.root,
      TTSR_AGENT_HOME: place.home,
      TTSR_AGENT_STATE: place.state,
      ...env,
    },
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (out.stderr += text));
  child.stdin?.end(stdin);
  const timer = setTimeout(() => child.kill("SIGKILL"), MOST_MS);
  const ended = new Promise<Ended>((settle, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      settle({ code: code ?? undefined, signal, ...out });
    });
  });
  return {
    child,
    ended,
    get stdout() {
      return out.stdout;
    },
    get stderr() {
      return out.stderr;
    },
  };
}

/** Runs the program to its end. */
export function runAgent(args: readonly string[], options: RunOptions): Promise<Ended> {
  return startAgent(args, options).ended;
}

/** @returns the lines of a stream-json or JSON output. @throws when anything but JSON stands there */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A rule against `eval(`, with one sentence that tests look for. */
export const NO_EVAL = `---
description: Never evaluate text
ttsr_trigger: '\\beval\\('
---
Write a parser instead of evaluating text.
`;
