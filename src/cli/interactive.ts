/** Puts the interactive face in front of a session, or of the demo where there is no model. */
import { loadSettings } from "../config/settings.js";
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
  /** The program was started bare: then the demo may stand in for a model. What a user said is never answered by it. */
  orDemo: boolean;
  /** Absolute. */
  cwd: string;
  /** `key=value` of `--set`. */
  overrides: readonly string[];
}

export function startInteractive({ prompt, start, orDemo, cwd, overrides }: StartOptions): Promise<ExitCode> {
  return runInteractive({
    ...surroundings(cwd, overrides),
    prompt,
    async start(ui) {
      try {
        const session = await start(ui);
        return { session, greeting: greetingOf(session) };
      } catch (error) {
        if (!orDemo || !(error instanceof UserError) || error.code !== "no-model") throw error;
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
  return runInteractive({ ...surroundings(process.cwd(), []), prompt: "", start: (ui) => demo(ui, fast) });
}

async function demo(ui: SessionUi, fast: boolean): Promise<Opening & { script: InteractiveScript }> {
  const { session, prompt, greeting, skip } = await openDemo({ fast, ui });
  return { session, greeting: ["ttsr-agent", ...greeting], script: { prompt, fast, skip } };
}

function greetingOf(session: AgentSession): string[] {
  return ["ttsr-agent", ...session.startNotices.map((notice) => notice.message)];
}

/** @throws UserError for settings that cannot be read */
function surroundings(cwd: string, overrides: readonly string[]): Omit<InteractiveOptions, "start" | "prompt"> {
  const { stdin, stdout, env } = process;
  const dirs = systemDirs();
  const { settings } = loadSettings({ cwd, dirs, overrides });
  return {
    stdin,
    stdout,
    env,
    stateDir: dirs.state,
    configDir: dirs.config,
    clock: systemClock,
    look: settings.tui,
    diagnose: async (folder) => checkLines(await runChecks(checkContext(folder))).join("\n"),
  };
}
