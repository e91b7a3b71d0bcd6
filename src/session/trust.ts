/** Asks, once, whether a repository's rules, settings and context files may act (TTSR-1.7). */
import { readFileSync } from "node:fs";
import type { Rule } from "../capability/rule.js";
import type { RuleSet } from "../capability/rule-capability.js";
import type { ChangedFile, TrustFile, TrustStore } from "../config/trust.js";
import { projectRoot } from "../platform/project-root.js";
import { acceptedInputs } from "./repository-inputs.js";
import type { TrustQuestion } from "./ui.js";

export interface TrustContext {
  cwd: string;
  store: TrustStore;
  /** As found without trust. */
  rules: RuleSet;
  /** Settings and context files of the repository, as they are now. */
  inputs: readonly TrustFile[];
  /** undefined: nobody is there to be asked. */
  ask: ((question: TrustQuestion) => Promise<boolean>) | undefined;
}

export interface TrustAnswer {
  /** More of the repository may act now than before: it must be loaded again. */
  accepted: boolean;
  /** Asked about the whole folder, the user said no. */
  refused: boolean;
}

/** Milliseconds for the diff of one changed file; past them the file is shown as changed only. */
const DIFF_LIMIT_MS = 500;

/** Asks about everything of the repository that waits to be accepted. Without anybody to ask nothing changes. */
export async function settleTrust({ cwd, store, rules, inputs, ask }: TrustContext): Promise<TrustAnswer> {
  const root = projectRoot(cwd);
  const known = store.knows(root);
  const accepted = acceptedInputs(cwd, store, inputs);
  const others = inputs.filter(({ path }) => !accepted.has(path));
  const waiting = rules.untrusted.map(({ rule }) => rule);
  const files = [...waiting, ...others];
  if (files.length === 0 || !ask) return { accepted: false, refused: false };
  const state = store.trustState(root, files);
  const changed = typeof state === "object" ? state.changed : [];
  const question: TrustQuestion = {
    folder: root,
    kind: known ? "changed" : "new",
    rules: waiting.map(({ name, path, description = "" }) => ({ name, path, description })),
    others: known ? [] : others.map(({ path }) => path),
    ...(known ? { changes: await Promise.all(changed.map(changeOf)) } : {}),
  };
  if (!(await ask(question))) return { accepted: false, refused: !known };
  if (known) store.accept(root, files);
  else store.trust(root, files);
  return { accepted: true, refused: false };
}

/** Asks whether rule files that one of the agent's own tools wrote may hold. */
export async function askWritten(
  { cwd, store, ask }: Pick<TrustContext, "cwd" | "store"> & { ask(question: TrustQuestion): Promise<boolean> },
  rules: readonly Rule[],
): Promise<boolean> {
  const root = projectRoot(cwd);
  const state = store.trustState(root, rules);
  const changed = typeof state === "object" ? state.changed : [];
  return await ask({
    folder: root,
    kind: "written",
    rules: rules.map(({ name, path, description = "" }) => ({ name, path, description })),
    others: [],
    changes: await Promise.all(changed.map(changeOf)),
  });
}

async function changeOf(file: ChangedFile): Promise<{ path: string; diff: string }> {
  if (file.before === undefined) return { path: file.path, diff: file.kind === "added" ? "(new file)" : "(changed)" };
  // Only a changed file needs it, and every start would pay for it.
  const { createTwoFilesPatch } = await import("diff");
  const now = readFileSync(file.path, "utf8");
  const patch = createTwoFilesPatch("accepted", "now", file.before, now, "", "", { timeout: DIFF_LIMIT_MS });
  return { path: file.path, diff: patch ?? "(changed)" };
}
