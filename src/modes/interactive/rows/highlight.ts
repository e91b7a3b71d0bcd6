/**
 * Colours code with highlight.js. The library and each grammar come when they are first needed; until then code is drawn plain, for nothing
 * that streams may wait. A fence comes in groups of lines: what one leaves open (a comment, a string) is handed to the next.
 */
import type { HLJSApi } from "highlight.js";
import type { Theme } from "../theme.js";
import type { SyntaxKind } from "../theme-palettes.js";
import { grammarOf, loadGrammar } from "./languages.js";

let library: HLJSApi | undefined;
/** Every grammar that was asked for: on its way, there, or not to be had. */
const grammars = new Map<string, { state: "loading" | "ready" | "missing"; done: Promise<void> }>();
const listeners = new Set<() => void>();
let count = 0;

/** @returns how many grammars have come: rows made before may be made again */
export function languagesReady(): number {
  return count;
}

/** @returns whether colours for a language are on their way: it is worth a moment */
export function isLoading(language: string): boolean {
  const grammar = grammarOf(language);
  return grammar !== undefined && grammars.get(grammar)?.state === "loading";
}

/** @returns a function that ends the subscription */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads what a language needs. Resolves when it is there, or is known not to come; at once where there is no such language. */
export function loadLanguage(language: string): Promise<void> {
  const grammar = grammarOf(language);
  if (grammar === undefined) return Promise.resolve();
  const known = grammars.get(grammar);
  if (known) return known.done;
  const settle = (state: "ready" | "missing"): void => {
    grammars.set(grammar, { state, done });
    count++;
    for (const listener of listeners) listener();
  };
  // A grammar that cannot be read leaves the code plain; there is nothing that anybody could do about it.
  const done = load(grammar).then(
    () => settle("ready"),
    () => settle("missing"),
  );
  grammars.set(grammar, { state: "loading", done });
  return done;
}

async function load(grammar: string): Promise<void> {
  const [{ default: core }, rules] = await Promise.all([import("highlight.js/lib/core"), loadGrammar(grammar)]);
  if (!rules) return;
  library ??= core.newInstance();
  library.registerLanguage(grammar, rules.default);
}

export interface Highlighted {
  /** One a line, styled. */
  lines: string[];
  /** The beginning of a comment or string that is still open at the end; "" for none. */
  open: string;
}

/** A longer line is some data: colours would not help, and grammars are slow on it. Characters. */
const LONG_LINE = 2000;
/** An open comment is told by its beginning. Characters. */
const OPENER = 120;

/**
 * @param lines clean: what is in them reaches the terminal
 * @param open what the lines before have left open
 * @returns undefined without colours, without a grammar, or while it is loading
 */
export function highlight(
  lines: readonly string[],
  language: string,
  theme: Theme,
  open: string,
): Highlighted | undefined {
  const grammar = theme.colors ? grammarOf(language) : undefined;
  if (grammar === undefined) return undefined;
  if (!library || grammars.get(grammar)?.state !== "ready") {
    void loadLanguage(language);
    return undefined;
  }
  if (lines.some((line) => line.length > LONG_LINE)) return undefined;
  const text = `${open === "" ? "" : `${open}\n`}${lines.join("\n")}\n`;
  const { value } = library.highlight(text, { language: grammar, ignoreIllegals: true });
  const painted = paint(value, theme);
  painted.lines.pop();
  if (open !== "") painted.lines.shift();
  return painted;
}

const PART = /<span class="([^"]*)">|<\/span>|([^<]+)/g;
const ENTITY = /&(?:amp|lt|gt|quot|#x27);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** The library's markup → styled lines. */
function paint(markup: string, theme: Theme): Highlighted {
  const lines: string[] = [];
  let line = "";
  let open = "";
  const scopes: { kind: SyntaxKind | undefined; text: string }[] = [];
  for (const [part, names, plain] of markup.matchAll(PART)) {
    if (names !== undefined) {
      scopes.push({ kind: kindOf(names) ?? scopes.at(-1)?.kind, text: "" });
    } else if (plain === undefined) {
      scopes.pop();
    } else {
      const text = part.replaceAll(ENTITY, (entity) => ENTITIES[entity] ?? entity);
      for (const scope of scopes) if (scope.text.length < OPENER) scope.text += text;
      const kind = scopes.at(-1)?.kind;
      const style = kind === undefined ? theme.plain : theme.syntax[kind];
      text.split("\n").forEach((piece, i) => {
        if (i > 0) {
          lines.push(line);
          line = "";
        }
        if (piece !== "") line += piece.trim() === "" ? piece : style(piece);
      });
      // The last text of all ends with the line end that stands behind everything: what holds it is open.
      open = scopes.find((scope) => scope.kind === "comment" || scope.kind === "string")?.text ?? "";
    }
  }
  return { lines: [...lines, line], open: open.split("\n", 1)[0] ?? "" };
}

const KINDS: Readonly<Record<string, SyntaxKind>> = {
  keyword: "keyword",
  literal: "number",
  number: "number",
  symbol: "number",
  bullet: "number",
  string: "string",
  regexp: "string",
  char: "string",
  comment: "comment",
  quote: "comment",
  title: "title",
  section: "title",
  type: "type",
  built_in: "type",
  class: "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  variable: "attribute",
  "template-variable": "attribute",
  meta: "meta",
  tag: "plain",
  name: "keyword",
  "selector-tag": "keyword",
  "selector-class": "title",
  "selector-id": "title",
  subst: "plain",
  addition: "added",
  deletion: "removed",
};

/** @returns undefined for a scope without a colour of its own */
function kindOf(names: string): SyntaxKind | undefined {
  const name = names.split(" ", 1)[0]?.replace(/^hljs-/, "") ?? "";
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}
