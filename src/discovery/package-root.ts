import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "../platform/paths.js";

const NAME = "ttsr-agent";
let known: string | undefined;

/**
 * The folder of this program's own package, found upwards from the running module: `dist/` and `dist/chunks/` of the bundle and `src/…`
 * lie at different depths below it. undefined where the module was taken out of its package (bundled into another program).
 */
export function packageRoot(): string | undefined {
  known ??= findPackage(dirname(fileURLToPath(import.meta.url)));
  return known;
}

/** @returns the nearest folder from `start` upwards whose `package.json` names this program */
export function findPackage(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (nameIn(join(folder, "package.json")) === NAME) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function nameIn(path: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "name") : undefined;
  } catch (error) {
    // No manifest here, or somebody else's broken one: look further up.
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
