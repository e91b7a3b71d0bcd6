import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentEvent } from "../../src/agent/events.js";
import { type ModelServer, SERVED_WIRES, startModelServer } from "../server/index.js";

/** `TTSR_AGENT_BIN` names another build to be tested, such as an installed package. */
export const BIN = process.env["TTSR_AGENT_BIN"] ?? fileURLToPath(new URL("../../bin/ttsr-agent.js", import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The lines of stdout as JSON. */
  events(): (AgentEvent | { type: "session" | "result"; [key: string]: unknown })[];
}

export const NO_EVAL = `---
description: Never build code from strings
ttsr_trigger: '\\beval\\s*\\('
instead: Write a parser.
---
eval runs whatever text reaches it.
`;

/** A folder of its own for one test: a project, the user's two folders, and a model server that speaks all wires. */
export class World {
  readonly root = mkdtempSync(join(tmpdir(), "ttsr-e2e-"));
  readonly project = join(this.root, "project");
  readonly config = join(this.root, "config");
  readonly state = join(this.root, "state");
  server!: ModelServer;

  /** @param files below the project */
  static async open(
    script: Parameters<typeof startModelServer>[0]["script"],
    files: Record<string, string> = {},
  ): Promise<World> {
    const world = new World();
    mkdirSync(world.project);
    for (const [name, text] of Object.entries({ ".rules/no-eval.md": NO_EVAL, ...files })) world.write(name, text);
    world.server = await startModelServer({ script });
    // One provider a wire, named after it.
    const providers = SERVED_WIRES.map(
      (wire) =>
        `  ${wire}:\n    wire: ${wire}\n    baseUrl: ${world.server.url(wire)}\n    apiKey: test-key\n    models:\n      - { id: m, contextWindow: 100000, maxOutput: 4000 }\n`,
    );
    mkdirSync(world.config);
    // Whatever this machine serves on the usual ports is not part of a test.
    writeFileSync(join(world.config, "models.yml"), `localServers: false\nproviders:\n${providers.join("")}`);
    return world;
  }

  /** As on a machine on which nobody has connected a model yet. */
  withoutModels(): void {
    writeFileSync(join(this.config, "models.yml"), "localServers: false\n");
  }

  write(name: string, text: string): void {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  get env(): Record<string, string> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^TTSR_|^OLLAMA_/.test(name)),
    );
    return {
      ...(env as Record<string, string>),
      HOME: this.root,
      TTSR_AGENT_HOME: this.config,
      TTSR_AGENT_STATE: this.state,
    };
  }

  /** Runs the shipped program to its end. */
  run(
    args: readonly string[],
    options: {
      env?: Record<string, string>;
      stdin?: string;
      /** `told` calls back once, as soon as standard output holds these words. */
      kill?: (kill: (signal: NodeJS.Signals) => void, told: (words: string, then: () => void) => void) => void;
    } = {},
  ): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [BIN, ...args], {
        cwd: this.project,
        env: { ...this.env, ...options.env },
        stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
      let stdout = "";
      let stderr = "";
      let awaited: { words: string; then: () => void } | undefined;
      child.stdout?.on("data", (chunk) => {
        stdout += chunk;
        if (!awaited || !stdout.includes(awaited.words)) return;
        const { then } = awaited;
        awaited = undefined;
        then();
      });
      child.stderr?.on("data", (chunk) => {
        stderr += chunk;
      });
      child.stdin?.end(options.stdin);
      options.kill?.(
        (signal) => child.kill(signal),
        (words, then) => {
          awaited = { words, then };
        },
      );
      child.on("error", reject);
      child.on("close", (code, signal) => {
        const events = () =>
          stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        resolve({ code, signal, stdout, stderr, events });
      });
    });
  }

  /** Headless with a model of one wire, trusting the project. */
  print(args: readonly string[], wire = "anthropic-messages"): Promise<Ended> {
    return this.run(["-p", "--trust", "--no-builtin-rules", "-m", `${wire}/m`, ...args]);
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
