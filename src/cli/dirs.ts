import { type Dirs, resolveDirs } from "../platform/dirs.js";

/** The user's folders, from the environment. */
export function systemDirs(): Dirs {
  return resolveDirs(process.env);
}
