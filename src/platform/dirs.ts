import { homedir } from "node:os";
import { join } from "node:path";

export interface Dirs {
  /** Settings, models, user rules. */
  config: string;
  /** Sessions, trust, history, logs. */
  state: string;
}

/**
 * `$TTSR_AGENT_HOME` and `$TTSR_AGENT_STATE`, else the XDG folders. Never read from a repository.
 * @returns absolute paths; the folders need not exist
 */
export function resolveDirs(env: NodeJS.ProcessEnv): Dirs {
  const home = env["HOME"] || homedir();
  return {
    config: env["TTSR_AGENT_HOME"] || join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "ttsr-agent"),
    state: env["TTSR_AGENT_STATE"] || join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "ttsr-agent"),
  };
}
