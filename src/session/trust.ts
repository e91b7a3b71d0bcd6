/** Asks, once, whether a repository's rules, settings and context files may act (TTSR-1.7). */
import { existsSync, readFileSync } from "node:fs";
import { createTwoFilesPatch } from "diff";
import type { Rule } from "../capability/rule.js";
import type { RuleSet } from "../capability/rule-capability.js";
import { projectSettingsFile } from "../config/settings.js";
import type { ChangedFile, TrustStore } from "../config/trust.js";
import { projectContextFiles } from "../context/context-files.js";
import { projectRoot } from "../platform/project-root.js";
import type { TrustQuestion } from "./ui.js";

export interface TrustContext {
  cwd: string;
  store: TrustStore;
  /** As found without trust. */
  rules: RuleSet;
  /** undefined: nobody is there to be asked. */
  ask: ((question: TrustQuestion) => Promise<boolean>) | undefined;
}

export interface TrustAnswer {
  /** Whether the repository's settings and context files hold. */
  trusted: boolean;
  /** Whether rules must be loaded again, because more of them may act now. */
  accepted: boolean;
  /** Asked about the whole folder, the user said no. */
  refused: boolean;
}

/** Milliseconds for the diff of one changed file; past them the file is shown as changed only. */
const DIFF_LIMIT_MS = 500;

/** @returns what the user says now, or said before; without anybody to ask, only what was said before */
export async function settleTrust({ cwd, store, rules, ask }: TrustContext): Promise<TrustAnswer> {
  const root = projectRoot(cwd);
  const known = store.knows(root);
  const waiting = rules.untrusted.map(({ rule }) => rule);
  const others = known ? [] : otherFiles(root, cwd);
  if (waiting.length + others.length === 0 || !ask) return { trusted: known, accepted: false, refused: false };
  const state = store.trustState(root, waiting);
  const changed = typeof state === "object" ? state.changed : [];
  const question: TrustQuestion = {
    folder: root,
    kind: known ? "changed" : "new",
    rules: waiting.map(({ name, path, description = "" }) => ({ name, path, description })),
    others,
    ...(known ? { changes: changed.map(changeOf) } : {}),
  };
  if (!(await ask(question))) return { trusted: known, accepted: false, refused: !known };
  if (known) store.accept(root, waiting);
  else store.trust(root, waiting);
  return { trusted: true, accepted: true, refused: false };
}

/** Asks whether rule files that one of the agent's own tools wrote may hold. */
export function askWritten(
  { cwd, store, ask }: Pick<TrustContext, "cwd" | "store"> & { ask(question: TrustQuestion): Promise<boolean> },
  rules: readonly Rule[],
): Promise<boolean> {
  const root = projectRoot(cwd);
  const state = store.trustState(root, rules);
  const changed = typeof state === "object" ? state.changed : [];
  return ask({
    folder: root,
    kind: "written",
    rules: rules.map(({ name, path, description = "" }) => ({ name, path, description })),
    others: [],
    changes: changed.map(changeOf),
  });
}

/** Files of the repository that would be obeyed beside its rules. */
function otherFiles(root: string, cwd: string): string[] {
  return [projectSettingsFile(cwd), ...projectContextFiles(cwd, root)].filter((file) => existsSync(file));
}

function changeOf(file: ChangedFile): { path: string; diff: string } {
  if (file.before === undefined) return { path: file.path, diff: file.kind === "added" ? "(new file)" : "(changed)" };
  const now = readFileSync(file.path, "utf8");
  const patch = createTwoFilesPatch("accepted", "now", file.before, now, "", "", { timeout: DIFF_LIMIT_MS });
  return { path: file.path, diff: patch ?? "(changed)" };
}
