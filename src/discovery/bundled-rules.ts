/**
 * The rules of a folder of the program itself. The build puts what this function gives for `rules/` in its place (`build/bundled-rules.mjs`):
 * reading and parsing them anew would be a fifth of every start.
 */
import type { LoadResult } from "../capability/rule-capability.js";
import { addFolder, emptyResult } from "./load-folder.js";

/** @param folder absolute */
export function bundledRules(folder: string): LoadResult {
  const result = emptyResult();
  addFolder(result, folder, { provider: "bundled" });
  return result;
}
