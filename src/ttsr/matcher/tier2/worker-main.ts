import type { MessagePort } from "node:worker_threads";
import type { Answer, Check, Found, Question } from "./questions.js";

/**
 * What runs inside the worker. Its source text is handed over, so that it works from a source tree and from any bundle alike; therefore it
 * uses nothing from outside itself but globals, and imports types alone. What it is made of are methods, and it spreads no objects: for anything
 * else bundlers put in calls of their own helpers, to keep names or to suit older engines.
 *
 * @param answered one Int32: the id of the last question answered, told before its answer is on its way
 */
export function workerMain(port: MessagePort, answered: Int32Array): void {
  const texts = new Map<number, { base: number; text: string }>();
  const compiled = new Map<string, RegExp>();
  const worker = {
    timed(question: Question): Answer {
      const cpu = process.cpuUsage();
      const wall = performance.now();
      let found: (Found | undefined)[] = [];
      let error: string | undefined;
      try {
        const window = worker.windowOf(question);
        found = question.checks.map((check) => worker.find(check, window, question));
      } catch (cause) {
        error = cause instanceof Error ? cause.message : String(cause);
      }
      const { user, system } = process.cpuUsage(cpu);
      // Either is an upper bound of what this thread used: the one counts waiting, the other the whole process.
      const ms = Math.min(performance.now() - wall, (user + system) / 1000);
      return error === undefined ? { id: question.id, ms, found } : { id: question.id, ms, found, error };
    },

    windowOf({ stream, at, text, from, to, keep, forget }: Question): string {
      for (const other of forget) texts.delete(other);
      const held = texts.get(stream);
      let whole = text;
      let base = at;
      if (held && held.base + held.text.length === at) {
        whole = held.text + text;
        base = held.base;
      }
      if (keep > base) {
        whole = whole.slice(keep - base);
        base = keep;
      }
      texts.set(stream, { base, text: whole });
      return whole.slice(from - base, to - base);
    },

    find(check: Check, window: string, question: Question): Found | undefined {
      const { from, known, ended } = question;
      // Behind text that was let go of, offset 0 is not the beginning: it only serves as a left neighbour.
      const least = from > 0 ? 1 : 0;
      const before = Math.max(0, known - from);
      const start = worker.startOf(check, window, before, least);
      const settled = worker.expression(check.settled, check.flags);
      const hit = worker.first(settled, window, start);
      if (hit !== undefined) {
        let not = before;
        let yes = window.length;
        while (yes - not > 1) {
          const middle = (not + yes) >> 1;
          if (worker.first(settled, window.slice(0, middle), start) === undefined) not = middle;
          else yes = middle;
        }
        const began = worker.first(settled, window.slice(0, yes), start) ?? hit;
        return { position: from + yes, start: from + began, settledBy: "unit" };
      }
      if (!ended) return undefined;
      const whole = worker.startOf(check, window, window.length, least);
      const last = worker.first(worker.expression(check.original, check.flags), window, whole);
      return last === undefined ? undefined : { position: from + window.length, start: from + last, settledBy: "end" };
    },

    first(regExp: RegExp, text: string, from: number): number | undefined {
      regExp.lastIndex = from;
      return regExp.exec(text)?.index;
    },

    expression(source: string, flags: string): RegExp {
      const key = `${flags} ${source}`;
      let made = compiled.get(key);
      if (!made) {
        made = new RegExp(source, `${flags}g`);
        compiled.set(key, made);
      }
      return made;
    },

    /** The earliest start of a match that did not hold on the first `known` units and may hold now. */
    startOf({ reach }: Check, text: string, known: number, least: number): number {
      if (Number.isFinite(reach.units)) return Math.max(least, known - reach.units);
      const byLines = worker.back(text, known, least, reach.lineEnds, /[\n\r\u2028\u2029]/);
      return Math.max(byLines, worker.back(text, known, least, reach.visible, /\S/));
    },

    back(text: string, known: number, least: number, count: number, counts: RegExp): number {
      if (!Number.isFinite(count)) return least;
      let at = known;
      for (let left = count + 1; at > least; at--) {
        if (counts.test(text.charAt(at - 1)) && --left === 0) break;
      }
      return Math.max(least, at);
    },
  };
  port.on("message", (question: Question) => {
    const answer = worker.timed(question);
    Atomics.store(answered, 0, question.id);
    port.postMessage(answer);
  });
  port.postMessage("ready");
}
