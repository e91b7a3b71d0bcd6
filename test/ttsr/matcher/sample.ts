/** Texts made from a pattern: ones that may match it, and ones that nearly do. What they are is for `RegExp` to say. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { Random } from "./fuzz/random.js";

const parser = new RegExpParser({ ecmaVersion: 2024 });
/** Units tried for a class. */
const LETTERS = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;/\\'\"`<>(){}[]=+*|&!?@#$%^~\n\t",
  ..."ぁアー가힣中é",
];

export class Sampler {
  readonly #tree: AST.Pattern;
  readonly #letters = new Map<AST.Element, string[]>();
  readonly #groups = new Map<AST.CapturingGroup, string>();

  constructor(
    source: string,
    private readonly flags: string,
    private readonly random: Random,
  ) {
    this.#tree = parser.parsePattern(source, 0, source.length, { unicode: false, unicodeSets: false });
  }

  /** Often a text that matches, with something around it. */
  text(): string {
    const noise = (): string => this.random.pick(["", "", " ", "x", "\n", "\nfoo ", " bar\n", "// ", ";", "?", "-"]);
    return noise() + this.#choice(this.#tree.alternatives) + noise();
  }

  /** A text with one thing in it changed. */
  nearMiss(text: string): string {
    const at = this.random.below(text.length + 1);
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    const way = this.random.below(4);
    if (way === 0) return head + tail.slice(1);
    if (way === 1) return head + this.random.pick(LETTERS) + tail;
    return way === 2 ? head + this.random.pick(LETTERS) + tail.slice(1) : head;
  }

  #choice(alternatives: readonly AST.Alternative[]): string {
    return this.random
      .pick(alternatives)
      .elements.map((element) => this.#element(element))
      .join("");
  }

  #element(node: AST.Element): string {
    switch (node.type) {
      case "Group":
        return this.#choice(node.alternatives);
      case "CapturingGroup": {
        const text = this.#choice(node.alternatives);
        this.#groups.set(node, text);
        return text;
      }
      case "Quantifier": {
        const most = Math.min(node.max, node.min + 3);
        const count = node.min + this.random.below(most - node.min + 1);
        return this.random.list(count, () => this.#element(node.element)).join("");
      }
      case "Backreference": {
        const group = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved;
        return (group && this.#groups.get(group)) ?? "";
      }
      case "Assertion":
        // What stands ahead may be what the rest of the pattern is to take; half of the time it is left to that.
        return node.kind === "lookahead" && !node.negate && this.random.below(2) === 0
          ? this.#choice(node.alternatives)
          : "";
      case "Character":
        return String.fromCharCode(node.value);
      default:
        return this.#letter(node);
    }
  }

  #letter(node: AST.Element): string {
    let letters = this.#letters.get(node);
    if (!letters) {
      const one = new RegExp(`^(?:${node.raw})$`, this.flags.replace("m", ""));
      letters = LETTERS.filter((letter) => one.test(letter));
      this.#letters.set(node, letters);
    }
    return letters.length === 0 ? "" : this.random.pick(letters);
  }
}
