import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Tool, ToolResult } from "../../src/agent/ports.js";
import { createTools, SeenFiles, type ToolDeps } from "../../src/tools/index.js";
import { PATIENCE_MS } from "../support/wait.js";

export interface Bench {
  /** A folder that holds `root` and `spill`. */
  top: string;
  root: string;
  spill: string;
  path(name: string): string;
  put(name: string, content: string | Uint8Array): string;
  call(tool: string, args: Record<string, unknown>, more?: { signal?: AbortSignal; cwd?: string }): Promise<Answer>;
  tool(name: string): Tool;
  updates: string[];
}

export interface Answer extends ToolResult {
  text: string;
}

/** A workspace in a temporary folder with the real tools; it goes away with the test. */
export function bench(files: Record<string, string | Uint8Array> = {}, deps: Partial<ToolDeps> = {}): Bench {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-tools-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "proj");
  const spill = join(top, "spill");
  mkdirSync(root);
  const tools = createTools({
    workspace: root,
    seen: new SeenFiles(),
    bash: { timeoutSeconds: PATIENCE_MS / 1000 },
    spillDir: spill,
    ...deps,
  });
  const tool = (name: string): Tool => {
    const found = tools.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  const updates: string[] = [];
  const made: Bench = {
    top,
    root,
    spill,
    updates,
    path: (name) => join(root, name),
    put(name, content) {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    tool,
    async call(name, args, { signal = new AbortController().signal, cwd = root } = {}) {
      const found = tool(name);
      const checked = found.validate(args);
      if (!checked.ok) return { content: [], isError: true, text: checked.message };
      const update = (text: string): void => void updates.push(text);
      const result = await found.execute(checked.value, { cwd, signal, toolCallId: "call-1", update });
      return { ...result, text: result.content.map((block) => (block.type === "text" ? block.text : "")).join("") };
    },
  };
  for (const [name, content] of Object.entries(files)) made.put(name, content);
  return made;
}
