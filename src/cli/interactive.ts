/** Puts the interactive face in front of a session, or of the demo where there is no model. */
import {
  type InteractiveOptions,
  type InteractiveScript,
  type Opening,
  runInteractive,
} from "../modes/interactive/index.js";
import { systemClock } from "../platform/clock.js";
import { type ExitCode, UserError } from "../platform/errors.js";
import type { AgentSession, SessionUi } from "../sdk.js";
import { systemDirs } from "./dirs.js";
import { checkContext, checkLines, runChecks } from "./doctor/index.js";
import { firstScreen } from "./first-screen.js";
import { openDemo } from "./open-demo.js";

export interface StartOptions {
  prompt: string;
  start(ui: SessionUi): Promise<AgentSession>;
  /** The user named a model: without it there is no falling back to the demo. */
  modelGiven: boolean;
}

export function startInteractive({ prompt, start, modelGiven }: StartOptions): Promise<ExitCode> {
  return runInteractive({
    ...surroundings(),
    prompt,
    async start(ui) {
      try {
        const session = await start(ui);
        return { session, greeting: greetingOf(session) };
      } catch (error) {
        if (modelGiven || !(error instanceof UserError) || error.code !== "no-model") throw error;
        const { session, script } = await demo(ui, false);
        return {
          session,
          script,
          greeting: await firstScreen(session.cwd, { env: process.env, dirs: systemDirs(), fetch, clock: systemClock }),
        };
      }
    },
  });
}

/** `ttsr-agent demo` */
export function startDemo(fast: boolean): Promise<ExitCode> {
  return runInteractive({ ...surroundings(), prompt: "", start: (ui) => demo(ui, fast) });
}

async function demo(ui: SessionUi, fast: boolean): Promise<Opening & { script: InteractiveScript }> {
  const { session, prompt, greeting, skip } = await openDemo({ fast, ui });
  return { session, greeting: ["ttsr-agent", ...greeting], script: { prompt, fast, skip } };
}

function greetingOf(session: AgentSession): string[] {
  return ["ttsr-agent", ...session.startNotices.map((notice) => notice.message)];
}

function surroundings(): Omit<InteractiveOptions, "start" | "prompt"> {
  const { stdin, stdout, env } = process;
  const { state, config } = systemDirs();
  return {
    stdin,
    stdout,
    env,
    stateDir: state,
    configDir: config,
    clock: systemClock,
    diagnose: async (cwd) => checkLines(await runChecks(checkContext(cwd))).join("\n"),
  };
}
