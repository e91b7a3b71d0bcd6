import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PermissionSubject, Tool, ToolGate } from "../../src/agent/ports.js";
import { createGate, type GateDeps } from "../../src/permissions/gate.js";
import type {
  AskPermission,
  PermissionAnswer,
  PermissionMode,
  PermissionQuestion,
} from "../../src/permissions/types.js";
import { fakeTool } from "../support/tools.js";

export function folder(): { top: string; root: string; folders: { config: string; state: string } } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ttsr-gate-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "proj");
  mkdirSync(root);
  return { top, root, folders: { config: join(top, "home/config"), state: join(top, "home/state") } };
}

export interface Setup extends Partial<Omit<GateDeps, "mode" | "ask">> {
  mode?: PermissionMode;
  answer?: PermissionAnswer | AskPermission;
}

export function gateOf(place: ReturnType<typeof folder>, { mode = "ask", answer, ...deps }: Setup = {}) {
  const questions: PermissionQuestion[] = [];
  const gate = createGate({
    mode: () => mode,
    allow: [],
    deny: [],
    workspace: place.root,
    folders: place.folders,
    ...(answer
      ? {
          ask: async (question, signal) => {
            questions.push(question);
            return typeof answer === "function" ? answer(question, signal) : answer;
          },
        }
      : {}),
    ...deps,
  });
  return { gate, questions };
}

export const READ = fakeTool("read", { readOnly: true });
export const EDIT = fakeTool("edit");
export const BASH = fakeTool("bash");
export const OTHER = fakeTool("deploy");

export const read = (...paths: string[]): PermissionSubject => ({ kind: "read", title: "Read", paths });
export const edit = (...paths: string[]): PermissionSubject => ({ kind: "edit", title: "Edit", paths });
export const bash = (command: string): PermissionSubject => ({ kind: "command", title: "Run", paths: [], command });

export function decide(gate: ToolGate, tool: Tool, subject: PermissionSubject, signal = new AbortController().signal) {
  return gate.decide(tool, subject, { type: "toolCall", id: "c", name: tool.name, arguments: {} }, signal);
}

/** "allow", "ask", or who denies. */
export async function verdict(place: ReturnType<typeof folder>, setup: Setup, tool: Tool, subject: PermissionSubject) {
  const { gate, questions } = gateOf(place, { answer: { allow: true }, ...setup });
  const decision = await decide(gate, tool, subject);
  if (questions.length > 0) return "ask";
  return decision.allow ? "allow" : decision.by;
}
