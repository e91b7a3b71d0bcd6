/** Which language a file is in, and ast-grep itself, loaded when the first rule on syntax appears. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { LanguagePlace } from "./questions.js";
import { SyntaxChecker } from "./syntax-checker.js";

export type AstGrep = typeof import("@ast-grep/napi");

/** In ast-grep's package. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ["ts", "mts", "cts"],
  Tsx: ["tsx"],
  JavaScript: ["js", "mjs", "cjs", "jsx"],
  Html: ["html", "htm"],
  Css: ["css"],
};
/** In a package of their own each, `@ast-grep/lang-<name>`, which the user may install. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  python: ["py", "pyi"],
  go: ["go"],
  rust: ["rs"],
  java: ["java"],
  csharp: ["cs"],
  ruby: ["rb"],
  kotlin: ["kt", "kts"],
  swift: ["swift"],
  bash: ["sh", "bash"],
  c: ["c", "h"],
  cpp: ["cc", "cpp", "hpp"],
  php: ["php"],
  yaml: ["yml", "yaml"],
  json: ["json"],
};
const BY_EXTENSION = new Map(
  [BUILT_IN, OPTIONAL].flatMap((table) =>
    Object.entries(table).flatMap(([language, extensions]) => extensions.map((ext) => [ext, language] as const)),
  ),
);

export const BUILT_IN_LANGUAGES: readonly string[] = Object.keys(BUILT_IN);

/** @returns the language by the file's extension; undefined where none is known */
export function languageOf(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : BY_EXTENSION.get(extension);
}

/** ast-grep and the languages that the user has installed for it. One of it serves the whole process: languages are registered once. */
export class Languages {
  #astGrep: AstGrep | { missing: string } | undefined;
  readonly #ready = new Set(BUILT_IN_LANGUAGES);
  /** Tries rules in these languages. */
  readonly checker = new SyntaxChecker();

  /** @param folder the user's config folder, absolute: more languages lie in its `node_modules`; nothing is ever loaded out of a repository */
  constructor(private readonly folder?: string) {}

  /** @returns ast-grep, or in one sentence why there is none */
  load(): AstGrep | { missing: string } {
    this.#astGrep ??= this.#require("@ast-grep/napi", createRequire(import.meta.url)) as AstGrep | { missing: string };
    return this.#astGrep;
  }

  /** @returns undefined where the language can be parsed, else in one sentence what is missing */
  missing(language: string): string | undefined {
    const astGrep = this.load();
    if ("missing" in astGrep) return astGrep.missing;
    if (this.#ready.has(language)) return undefined;
    const name = `@ast-grep/lang-${language}`;
    if (this.folder === undefined) return `${name} is not there.`;
    const loaded = this.#require(name, requireIn(this.folder));
    if (isRecord(loaded) && "missing" in loaded) {
      return `Rules on the syntax of ${language} need ${name}; \`npm install --prefix ${this.folder} ${name}\` brings it.`;
    }
    const registration = isRecord(loaded) && "default" in loaded ? loaded["default"] : loaded;
    astGrep.registerDynamicLanguage({ [language]: registration as never });
    this.#ready.add(language);
    return undefined;
  }

  /** @param language one that is not missing */
  placeOf(language: string): LanguagePlace {
    const astGrep = createRequire(import.meta.url).resolve("@ast-grep/napi");
    if (this.folder === undefined || BUILT_IN_LANGUAGES.includes(language)) return { language, astGrep };
    return { language, astGrep, grammar: requireIn(this.folder).resolve(`@ast-grep/lang-${language}`) };
  }

  #require(name: string, require: NodeJS.Require): unknown {
    try {
      return require(name) as unknown;
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      return { missing: `${name} cannot be loaded here (${reason}); rules on syntax are off.` };
    }
  }
}

function requireIn(folder: string): NodeJS.Require {
  return createRequire(join(folder, "package.json"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
