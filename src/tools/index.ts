/** The tools that every session has. */
import type { Tool } from "../agent/ports.js";
import { createBashTool } from "./bash.js";
import type { ToolDeps } from "./deps.js";
import { createEditTool } from "./edit.js";
import { createGlobTool } from "./glob.js";
import { createGrepTool } from "./grep.js";
import { createLsTool } from "./ls.js";
import { createReadTool } from "./read.js";
import { createWriteTool } from "./write.js";

export type { ToolDeps } from "./deps.js";
export { SeenFiles } from "./seen-files.js";

/** @returns the tools by name, in the order in which they are sent */
export function createTools(deps: ToolDeps): Tool[] {
  const tools = [
    createBashTool(deps),
    createEditTool(deps),
    createGlobTool(deps),
    createGrepTool(deps),
    createLsTool(deps),
    createReadTool(deps),
    createWriteTool(deps),
  ];
  return tools as Tool[];
}
