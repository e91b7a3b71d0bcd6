/** Files that the user does not want to be read, for tools that find them by themselves. */
import { displayPath } from "../platform/paths.js";
import { parsePattern, touches } from "./patterns.js";

/**
 * @param deny patterns as the user wrote them
 * @param roots the workspace, as given and as it really is, absolute
 * @returns whether a file, by its absolute path, is denied by `read(…)`
 * @throws UserError (exit 2) for a pattern that cannot be read
 */
export function hiddenFiles(deny: readonly string[], roots: readonly string[]): (path: string) => boolean {
  const patterns = deny
    .map((source) => parsePattern(source, "--deny"))
    .filter((pattern) => pattern.argument !== undefined);
  if (patterns.length === 0) return () => false;
  return (path) => {
    const spellings = [path, ...roots.map((root) => displayPath(root, path))];
    return patterns.some((pattern) => touches(pattern, "read", [spellings]));
  };
}
