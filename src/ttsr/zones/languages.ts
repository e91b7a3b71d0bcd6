/** How the families of languages write comments and strings, by the ending of a file's name. */

export interface Language {
  /** What begins a comment that ends with its line. */
  line: readonly string[];
  /** What opens and closes a comment over lines. */
  block?: readonly [open: string, close: string];
  /** Block comments count: each that opens must close. */
  nested?: boolean;
  /** Comments over lines have a star before each line: a text that begins with one begins inside a comment. */
  starred?: boolean;
  /** `#` begins a comment only at the beginning of a word. */
  spacedHash?: boolean;
  /** Characters that open a string which ends with its line at the latest. */
  quotes: string;
  /** Of those, the ones that open a string over lines when they stand three times. */
  tripled?: string;
  /** Characters that open a string over lines. */
  spanning?: string;
  /** In strings over lines, `${` … `}` is code. */
  holes?: boolean;
  /** `/…/` where a value may stand is a regular expression: code, and its quotes open nothing. */
  regex?: boolean;
  /** `'` is a string only around one character: elsewhere it names a lifetime. */
  lifetimes?: boolean;
}

const C: Language = { line: ["//"], block: ["/*", "*/"], starred: true, quotes: "\"'" };
const STYLE: Language = { ...C, starred: false };
const TEXT_BLOCKS: Language = { ...C, tripled: '"' };
const SCRIPT: Language = { ...C, spanning: "`", holes: true, regex: true };
const PYTHON: Language = { line: ["#"], quotes: "\"'", tripled: "\"'" };
const HASH: Language = { line: ["#"], spacedHash: true, quotes: "\"'" };
const LISP: Language = { line: [";"], quotes: '"' };
const SETTINGS: Language = { line: ["#", ";"], spacedHash: true, quotes: "" };
const MARKUP: Language = { line: [], block: ["<!--", "-->"], quotes: "" };

const LANGUAGES: readonly (readonly [Language, string])[] = [
  [SCRIPT, "ts tsx mts cts js jsx mjs cjs vue svelte astro"],
  [C, "c h cc cpp cxx hh hpp hxx m mm proto glsl zig json5 jsonc"],
  [TEXT_BLOCKS, "java groovy gradle cs dart"],
  [{ ...TEXT_BLOCKS, nested: true }, "kt kts swift scala"],
  [{ ...C, spanning: "`" }, "go"],
  [{ ...C, nested: true, lifetimes: true }, "rs"],
  [{ ...C, line: ["//", "#"] }, "php"],
  [{ ...STYLE, line: [] }, "css"],
  [STYLE, "scss less"],
  [{ ...STYLE, line: ["--"] }, "sql"],
  [PYTHON, "py pyi pyx toml ex exs"],
  [{ line: ["--"], block: ["--[[", "]]"], quotes: "\"'" }, "lua"],
  [{ line: ["--"], block: ["{-", "-}"], nested: true, quotes: '"' }, "hs elm"],
  [{ ...HASH, block: ["<#", "#>"] }, "ps1 psm1"],
  [LISP, "clj cljs cljc el lisp scm"],
  [SETTINGS, "ini cfg conf properties"],
  [HASH, "rb rake yml yaml pl pm r jl nix tf cmake mk"],
  [MARKUP, "html htm xml svg"],
];

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language] as const)),
);
/** Files without an ending, or with one of their own (`Dockerfile.dev`), by what their names begin with, in small letters. */
const BY_NAME: ReadonlyMap<string, Language> = new Map([
  ...[
    "dockerfile",
    "containerfile",
    "makefile",
    "gnumakefile",
    "justfile",
    "gemfile",
    "rakefile",
    "vagrantfile",
    "podfile",
  ].map((name) => [name, HASH] as const),
  ["jenkinsfile", TEXT_BLOCKS],
]);
const DOTFILE = /^\.(?:env|gitignore|gitattributes|dockerignore|npmrc|editorconfig)(?:\.|$)/;
const SHELL: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "ksh", "bats"]);
const PROSE: ReadonlySet<string> = new Set(["md", "mdx", "mdc", "markdown", "txt"]);

/** @returns undefined where neither the ending nor the name says anything: then everything is code */
export function languageOf(path: string): Language | "shell" | "prose" | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = /.\.([^.]+)$/.exec(name)?.[1] ?? "";
  if (SHELL.has(ending)) return "shell";
  if (PROSE.has(ending)) return "prose";
  const known = BY_ENDING.get(ending) ?? BY_NAME.get(name.split(".")[0] ?? "");
  return known ?? (DOTFILE.test(name) ? SETTINGS : undefined);
}
