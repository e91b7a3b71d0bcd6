/** The tools of a session, and the gate before them. */
import { join, resolve } from "node:path";
import type { Clock, Tool, ToolGate } from "../agent/ports.js";
import type { LoadedSettings } from "../config/settings.js";
import { createGate } from "../permissions/gate.js";
import { hiddenFiles } from "../permissions/hidden-files.js";
import type { PermissionMode } from "../permissions/types.js";
import type { Dirs } from "../platform/dirs.js";
import { realpathDeepest } from "../platform/paths.js";
import { projectRoot } from "../platform/project-root.js";
import { createTools, SeenFiles } from "../tools/index.js";
import type { Notice } from "./notice.js";
import { checkFlagPatterns, checkSettingPatterns, chooseTools } from "./tool-names.js";
import type { SessionUi } from "./ui.js";

export interface ToolOptions {
  /** Names; default: all. */
  tools?: readonly string[];
  customTools?: readonly Tool[];
  allow?: readonly string[];
  deny?: readonly string[];
  rules?: { dirs?: readonly string[] };
  ui?: Pick<SessionUi, "askPermission">;
}

export interface ToolGround {
  cwd: string;
  env: NodeJS.ProcessEnv;
  dirs: Dirs;
  clock: Clock;
  loaded: LoadedSettings;
  permissionMode: { readonly current: PermissionMode };
}

/**
 * @returns `unknown`: what the settings' patterns name that is no tool
 * @throws UserError (exit 2) for a flag that names no tool, and for a pattern that cannot be read
 */
export async function openTools(
  options: ToolOptions,
  { cwd, env, dirs, clock, loaded, permissionMode }: ToolGround,
): Promise<{ tools: Tool[]; gate: ToolGate; unknown: Notice[] }> {
  const { permission, bash } = loaded.settings;
  // The whole repository is the workspace, wherever in it the session was started.
  const workspace = projectRoot(cwd);
  const spillDir = join(dirs.state, "output");
  const deny = [...permission.deny, ...(options.deny ?? [])];
  const hidden = hiddenFiles(deny, [workspace, await realpathDeepest(workspace)]);
  const own = createTools({ workspace, seen: new SeenFiles(), bash, spillDir, hidden, env, clock });
  const every = [...own, ...(options.customTools ?? [])];
  const tools = chooseTools(every, options.tools);
  checkFlagPatterns(options, every);
  const unknown = checkSettingPatterns(loaded, every);
  const ownRuleFolders = [join(dirs.config, "rules"), ...(options.rules?.dirs ?? []).map((dir) => resolve(cwd, dir))];
  const gate = createGate({
    mode: () => permissionMode.current,
    allow: [...permission.allow, ...(options.allow ?? [])],
    deny,
    workspace,
    folders: dirs,
    // What a command printed in full may be read back, and a rule of the user's that is listed for it.
    readable: [spillDir, ...ownRuleFolders],
    ...(options.ui ? { ask: options.ui.askPermission } : {}),
  });
  return { tools, gate, unknown };
}
