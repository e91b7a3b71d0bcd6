/**
 * The last look of a run: the rules that watch files, on the lines that the run has really added to the working tree. So what a redirect, a
 * generator or a program wrote is seen too. Needs a git repository, whose state before the run is what lines are compared with.
 */
import { relative, sep } from "node:path";
import type { AuditHit } from "../agent/events.js";
import type { Clock } from "../agent/ports.js";
import type { Rule } from "../capability/rule.js";
import { FileScanner, type FileScannerDeps, watchesFiles } from "../ttsr/scan/scanner.js";
import { TreeBaseline } from "./tree-baseline.js";

/** What a session knows of it. */
export interface RunAudit {
  /** Before anything of the run may change a file. Only the first call of a run looks at the tree. */
  begin(): Promise<void>;
  /** The run is over. @returns what it left behind that breaks a rule, by file and line */
  end(): Promise<AuditHit[]>;
}

export interface ExitAuditDeps extends FileScannerDeps {
  /** Of the repository, absolute. */
  root: string;
  /** Absolute, in it. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  clock: Pick<Clock, "date">;
  /** Rules that hold and may speak up. */
  rules(): readonly Rule[];
}

/** Hits that are told. */
const MOST_HITS = 100;

export class ExitAudit implements RunAudit {
  #baseline: Promise<TreeBaseline | undefined> | undefined;

  constructor(private readonly deps: ExitAuditDeps) {}

  async begin(): Promise<void> {
    if (!this.#baseline && !this.deps.rules().some(watchesFiles)) return;
    this.#baseline ??= TreeBaseline.take(this.deps.root, this.deps.env, this.deps.clock.date());
    await this.#baseline;
  }

  #workingFolder(): string {
    return relative(this.deps.root, this.deps.cwd).split(sep).join("/");
  }

  async end(): Promise<AuditHit[]> {
    const taken = this.#baseline;
    this.#baseline = undefined;
    const changes = await (await taken)?.changes();
    if (!changes || changes.length === 0) return [];
    const scanner = new FileScanner(this.deps.rules(), { ...this.deps, workingFolder: this.#workingFolder() });
    const hits: AuditHit[] = [];
    for (const { path, now, before } of changes) {
      // What stood there before is only asked for where it makes a difference.
      if ((await scanner.scan(path, now)).length === 0) continue;
      for (const { rule, line, excerpt } of await scanner.scan(path, now, await before())) {
        if (hits.length === MOST_HITS) return hits;
        hits.push({ rule: rule.name, path, line, excerpt, severity: rule.severity ?? "warning" });
      }
    }
    return hits;
  }
}
