/** Tells when something changes where rules lie, be it there already or not. */
import { existsSync } from "node:fs";
import { dirname, sep } from "node:path";

/**
 * @param places files and folders, absolute
 * @param onChange may be called several times for one change
 * @returns a function that ends the watching
 */
export async function watchRules(places: readonly string[], onChange: () => void): Promise<() => Promise<void>> {
  // Only who sits in front of a session for a while needs it, so a short run does not load it.
  const { watch } = await import("chokidar");
  const roots = new Set(places.map(nearestFolder));
  const watcher = watch([...roots], {
    ignoreInitial: true,
    persistent: false,
    ignored: (path) => !places.some((place) => isWithin(path, place) || isWithin(place, path)),
  });
  watcher.on("all", onChange);
  // Until now it was only looking round, and told nothing of what changed meanwhile.
  watcher.on("ready", onChange);
  // A folder that may not be watched is looked at between turns all the same.
  watcher.on("error", () => undefined);
  return () => watcher.close();
}

/** A place that is not there is seen to appear from the nearest folder above it that is. */
function nearestFolder(place: string): string {
  let folder = place;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
