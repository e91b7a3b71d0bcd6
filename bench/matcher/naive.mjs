/** The plain way to watch a stream: append each delta to a buffer, then try every armed rule's RegExp on the whole of it. */
import { cpuMs } from "./cpu.mjs";

const compiled = (rules) =>
  rules.map(({ pattern }) => {
    const flags = /^\(\?([ims]+)\)/.exec(pattern);
    const source = flags ? pattern.slice(flags[0].length) : pattern;
    // Such a conjunction is tried from the beginning alone.
    const sticky = /^(?:\(\?=\[\\s\\S\]\*[^()]*\))+$/.test(source) ? "y" : "";
    return new RegExp(source, `${flags?.[1] ?? ""}${sticky}`);
  });

/** @returns CPU ms of the whole stream, really run */
export function naive(rules, pieces) {
  const expressions = compiled(rules);
  return cpuMs(() => {
    let buffer = "";
    for (const piece of pieces) {
      buffer += piece;
      test(expressions, buffer);
    }
  });
}

/** @returns CPU ms of the whole stream, from the cost of single deltas at so many evenly spaced buffer lengths: an estimate */
export function naiveEstimate(rules, pieces, samples = 8) {
  const expressions = compiled(rules);
  const text = pieces.join("");
  test(expressions, text.slice(0, 10_000));
  let sum = 0;
  for (let k = 0; k < samples; k++) {
    const length = Math.floor(((k + 0.5) / samples) * text.length);
    const head = text.slice(0, length);
    sum += cpuMs(() => test(expressions, head + pieces[0]));
  }
  return (sum / samples) * pieces.length;
}

function test(expressions, buffer) {
  for (const expression of expressions) {
    expression.lastIndex = 0;
    expression.test(buffer);
  }
}
