/** What the child that checks syntax is asked, and what it says. */

/** A place in a text, 0-based lines; offsets in UTF-16 units. */
export interface AstHit {
  /** Index in `rule.astCondition`. */
  condition: number;
  start: number;
  end: number;
  firstLine: number;
  lastLine: number;
}

/** Where the packages lie that a language needs; absolute. */
export interface LanguagePlace {
  language: string;
  astGrep: string;
  /** Of a language that does not come with ast-grep. */
  grammar?: string;
}

export interface Question extends LanguagePlace {
  id: number;
  text: string;
  /** The conditions of each rule, as ast-grep takes them. */
  rules: readonly (readonly unknown[])[];
  /** CPU that the text, and then each rule, may take. Milliseconds. */
  limitMs: number;
}

/** In this order: `ready` once; for each question `parsed`, the hits of each rule in turn, in order of their place, and `done`. */
export type Said =
  | { kind: "ready" }
  | { kind: "parsed"; id: number }
  | { kind: "hits"; id: number; hits: AstHit[] }
  | { kind: "done"; id: number; error?: string };
