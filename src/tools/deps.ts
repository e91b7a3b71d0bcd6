/** What the tools are given. */
import type { Clock } from "../agent/ports.js";
import type { SeenFiles } from "./seen-files.js";

export interface ToolDeps {
  /** Absolute. Links below it are followed only as long as they stay inside. */
  workspace: string;
  /** What the model has seen of files; one registry a session. */
  seen: SeenFiles;
  bash: { timeoutSeconds: number };
  /** Where the whole output of a command is kept when it is too long for a result. Made when it is needed, for the user alone. */
  spillDir: string;
  /** Of this program; commands get it without credentials. Default: the real one. */
  env?: NodeJS.ProcessEnv;
  /** Whether a file, by its absolute path, is left out of searches because the user denied reading it. Default: none is. */
  hidden?(path: string): boolean;
  clock?: Pick<Clock, "now" | "after">;
  /** The ripgrep program; undefined where there is none. Default: the one that is installed with us. */
  ripgrep?: () => Promise<string | undefined>;
}
