/** The demo's session: a scripted model that drives the real loop, tools and rules, in a folder of its own that stays. */
import { tmpdir } from "node:os";
import { createShowcase, writeDemoWorkspace } from "../models/demo/index.js";
import { systemClock } from "../platform/clock.js";
import { type AgentSession, createAgentSession, type SessionUi } from "../sdk.js";
import { makeDemoFolder } from "./demo-folders.js";

const GREETING = "scripted model, no network";

export interface OpenDemo {
  folder: string;
  prompt: string;
  session: AgentSession;
  greeting: string[];
  /** The rest of what is being streamed comes at once. */
  skip(): void;
}

/** @param ui who answers questions; without, the demo's own edits and its test run are allowed beforehand */
export async function openDemo({ fast, ui }: { fast: boolean; ui?: SessionUi }): Promise<OpenDemo> {
  const folder = makeDemoFolder(tmpdir(), systemClock.date().getTime());
  const { prompt } = await writeDemoWorkspace(folder);
  const model = createShowcase({ clock: systemClock, pace: fast ? 0 : 1 });
  const session = await createAgentSession({
    cwd: folder,
    model,
    trust: true,
    session: { persist: false },
    permissionMode: "auto-edit",
    ...(ui ? { ui } : { allow: ["bash(node --test)"] }),
  });
  const greeting = [GREETING, `workspace: ${folder}`];
  return { folder, prompt, session, greeting, skip: () => model.skip() };
}
