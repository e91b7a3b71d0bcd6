import type { AstHit, Question, Said } from "./questions.js";

/**
 * What runs inside the child. Its source text is handed over, so that it works from a source tree and from any bundle alike; therefore it
 * uses nothing from outside itself but globals, and imports types alone.
 *
 * ast-grep is native code, and nothing on its thread runs while it works. So a second thread watches: it ends the process when what is at
 * hand has taken more CPU than it may, and when the parent is gone, which ends the standard input.
 */
export function childMain(load: NodeJS.Require): void {
  const { Worker } = load("node:worker_threads") as typeof import("node:worker_threads");
  /** CPU of the process at which the work at hand has to be done; 0: there is none. Milliseconds. */
  const due = new Int32Array(new SharedArrayBuffer(4));
  const grammars = new Set<string>();
  // Ctrl+C is for the parent.
  process.on("SIGINT", () => undefined);
  const watcher = new Worker(`(${watch.toString()})(require)`, { eval: true, workerData: due, execArgv: [] });
  const watched = new Promise<void>((resolve) => watcher.once("online", resolve)).then(() => say({ kind: "ready" }));
  process.on("message", (question: Question) => void watched.then(() => answer(question)));

  /** The other thread; it uses nothing from outside itself either. */
  function watch(require: NodeJS.Require): void {
    const { workerData } = require("node:worker_threads") as { workerData: Int32Array };
    const { read } = require("node:fs") as typeof import("node:fs");
    const end = (): void => void process.kill(process.pid, "SIGKILL");
    read(0, Buffer.alloc(1), 0, 1, null, end);
    setInterval(() => {
      const limit = Atomics.load(workerData, 0);
      const { user, system } = process.cpuUsage();
      if (limit > 0 && (user + system) / 1000 > limit) end();
    }, 50);
  }

  /** Resolves when it is on its way: what is worked on next may be the last. */
  function say(said: Said): Promise<void> {
    return new Promise((resolve) => {
      process.send?.(said, undefined, undefined, () => resolve());
    });
  }

  function timed<T>(limitMs: number, work: () => T): T {
    const { user, system } = process.cpuUsage();
    Atomics.store(due, 0, Math.ceil((user + system) / 1000 + limitMs));
    try {
      return work();
    } finally {
      Atomics.store(due, 0, 0);
    }
  }

  async function answer({ id, language, astGrep, grammar, text, rules, limitMs }: Question): Promise<void> {
    try {
      const { parse, registerDynamicLanguage } = load(astGrep) as typeof import("@ast-grep/napi");
      if (grammar !== undefined && !grammars.has(language)) {
        const loaded = load(grammar) as { default?: unknown };
        registerDynamicLanguage({ [language]: (loaded.default ?? loaded) as never });
        grammars.add(language);
      }
      const root = timed(limitMs, () => parse(language, text).root());
      await say({ kind: "parsed", id });
      for (const conditions of rules) {
        const hits = timed(limitMs, () => conditions.flatMap((condition, index) => findAll(root, condition, index)));
        await say({ kind: "hits", id, hits: hits.sort((a, b) => a.start - b.start) });
      }
      await say({ kind: "done", id });
    } catch (error) {
      await say({ kind: "done", id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  function findAll(root: import("@ast-grep/napi").SgNode, matcher: unknown, condition: number): AstHit[] {
    try {
      return root.findAll(matcher as never).map((node) => {
        const { start, end } = node.range();
        return { condition, start: start.index, end: end.index, firstLine: start.line, lastLine: end.line };
      });
    } catch {
      // It was compiled when its rule was armed, in another language: where this one does not know such a thing, there is none.
      return [];
    }
  }
}
