/** How the face looks, in one place: colours, marks, movement. A style takes clean text and gives it back with SGR sequences around it. */
import { Chalk, type ChalkInstance, type ColorSupportLevel } from "chalk";
import { DARK, LIGHT, type Palette, type SyntaxKind } from "./theme-palettes.js";

export type Style = (text: string) => string;

/** What stands in the two cells at the left; words where a screen reader says them. */
export interface Marks {
  user: string;
  tool: string;
  rule: string;
  warning: string;
  error: string;
}

export interface Theme {
  /** False with `NO_COLOR` and on terminals without colour: marks must then carry what colour would. */
  colors: boolean;
  /** For a screen reader: words instead of marks and lines, nothing drawn twice. */
  spoken: boolean;
  /** False: nothing moves by itself. */
  motion: boolean;
  marks: Marks;
  plain: Style;
  bold: Style;
  italic: Style;
  underline: Style;
  strike: Style;
  /** Secondary text. */
  dim: Style;
  /** The prompt mark, selections, links. */
  accent: Style;
  /** A stream rule at work. Never used for failures. */
  warning: Style;
  /** Failures only. */
  error: Style;
  success: Style;
  added: Style;
  removed: Style;
  /** The words that differ in a changed line. */
  addedWord: Style;
  removedWord: Style;
  code: Style;
  heading: Style;
  /** What a rule's trigger matched. */
  match: Style;
  syntax: Readonly<Record<SyntaxKind, Style>>;
  /** Whether the terminal can hold a link behind a text (OSC 8). */
  links: boolean;
}

/** `none`: no colours at all. */
export type ThemeName = "dark" | "light" | "ansi" | "none";

export interface ThemeOptions {
  /** undefined: by what the terminal tells of its background, else its own 16 colours. */
  name?: ThemeName | undefined;
  screenReader?: boolean;
  reducedMotion?: boolean;
}

const MARKS: Marks = { user: "› ", tool: "• ", rule: "⟲ ", warning: "! ", error: "✗ " };
const SPOKEN: Marks = { user: "You: ", tool: "Tool: ", rule: "Rule: ", warning: "Warning: ", error: "Error: " };

/** @param env read for `NO_COLOR`, `FORCE_COLOR`, `COLORTERM`, `TERM`, `COLORFGBG`, and what tells of OSC 8 */
export function createTheme(env: NodeJS.ProcessEnv, options: ThemeOptions = {}): Theme {
  const { name = backgroundOf(env), screenReader = false, reducedMotion = false } = options;
  const level = name === "none" ? 0 : colorLevel(env);
  const chalk = new Chalk({ level });
  // Fewer than 256 colours would turn the palettes into something nobody chose.
  const palette = level < 2 ? undefined : name === "dark" ? DARK : name === "light" ? LIGHT : undefined;
  return {
    colors: level > 0,
    spoken: screenReader,
    motion: !reducedMotion && !screenReader,
    marks: screenReader ? SPOKEN : MARKS,
    links: !screenReader && supportsLinks(env),
    plain: (text) => text,
    bold: one(chalk.bold),
    italic: one(chalk.italic),
    underline: one(chalk.underline),
    strike: one(chalk.strikethrough),
    dim: one(chalk.dim),
    ...(palette ? paletteStyles(chalk, palette) : ansiStyles(chalk)),
  };
}

/** Chalk joins all its arguments; a style that is handed to `map` must see the text alone. */
function one(style: ChalkInstance): Style {
  return (text) => style(text);
}

type Coloured = Pick<
  Theme,
  | "accent"
  | "warning"
  | "error"
  | "success"
  | "added"
  | "removed"
  | "addedWord"
  | "removedWord"
  | "code"
  | "heading"
  | "match"
  | "syntax"
>;

function paletteStyles(chalk: ChalkInstance, { roles, syntax }: Palette): Coloured {
  const hex = (colour: string): Style => one(chalk.hex(colour));
  return {
    accent: hex(roles.accent),
    warning: hex(roles.warning),
    error: hex(roles.error),
    success: hex(roles.success),
    added: hex(roles.added),
    removed: hex(roles.removed),
    addedWord: one(chalk.hex(roles.added).bgHex(roles.addedWord)),
    removedWord: one(chalk.hex(roles.removed).bgHex(roles.removedWord)),
    code: hex(roles.code),
    heading: one(chalk.hex(roles.heading).bold),
    match: one(chalk.hex(roles.warning).bold.underline),
    syntax: {
      plain: (text) => text,
      keyword: hex(syntax.keyword),
      string: hex(syntax.string),
      number: hex(syntax.number),
      comment: hex(syntax.comment),
      title: hex(syntax.title),
      type: hex(syntax.type),
      attribute: hex(syntax.attribute),
      meta: hex(syntax.meta),
      added: hex(roles.added),
      removed: hex(roles.removed),
    },
  };
}

function ansiStyles(chalk: ChalkInstance): Coloured {
  return {
    accent: one(chalk.blue),
    warning: one(chalk.yellow),
    error: one(chalk.red),
    success: one(chalk.green),
    added: one(chalk.green),
    removed: one(chalk.red),
    addedWord: one(chalk.green.underline),
    removedWord: one(chalk.red.underline),
    code: one(chalk.cyan),
    heading: one(chalk.bold),
    match: one(chalk.yellow.bold.underline),
    syntax: {
      plain: (text) => text,
      keyword: one(chalk.magenta),
      string: one(chalk.green),
      number: one(chalk.yellow),
      comment: one(chalk.dim),
      title: one(chalk.blue),
      type: one(chalk.cyan),
      attribute: one(chalk.cyan),
      meta: one(chalk.dim),
      added: one(chalk.green),
      removed: one(chalk.red),
    },
  };
}

function colorLevel(env: NodeJS.ProcessEnv): ColorSupportLevel {
  if (env["NO_COLOR"]) return 0;
  const forced = env["FORCE_COLOR"];
  if (forced === "0" || forced === "false") return 0;
  const term = env["TERM"] ?? "";
  if (forced === "3") return 3;
  if (forced === "2") return 2;
  if (/^(?:truecolor|24bit)$/.test(env["COLORTERM"] ?? "")) return 3;
  if (/-(?:256(?:color)?|direct)$/.test(term) || /kitty|ghostty|alacritty|foot/.test(term)) return 2;
  return term === "dumb" && !forced ? 0 : 1;
}

/** `COLORFGBG` is "foreground;background" in the 16 colours; 7 and 15 are light backgrounds. */
function backgroundOf(env: NodeJS.ProcessEnv): ThemeName | undefined {
  const background = /;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (background === undefined) return undefined;
  return background === "7" || background === "15" ? "light" : "dark";
}

/**
 * @param reply what a terminal answers to `OSC 11 ; ?`, without `ESC`: `]11;rgb:1a1a/1b1b/2626`
 * @returns undefined for any other reply
 */
export function themeOfReply(reply: string): "dark" | "light" | undefined {
  const found = /^\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(reply);
  if (!found) return undefined;
  const [red, green, blue] = found.slice(1).map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  // Rec. 709 luma.
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) > 0.5 ? "light" : "dark";
}

/** Terminals known to show OSC 8 links; the others would show the text without its target. */
function supportsLinks(env: NodeJS.ProcessEnv): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  // A multiplexer passes links on only where it and the terminal around it both know them.
  if (env["TMUX"] || env["STY"]) return false;
  if (/kitty|ghostty|alacritty|foot|wezterm/.test(env["TERM"] ?? "")) return true;
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|WarpTerminal)$/.test(env["TERM_PROGRAM"] ?? "")) return true;
  if (Number(env["VTE_VERSION"] ?? 0) >= 5000) return true;
  return Boolean(env["WT_SESSION"] || env["KONSOLE_VERSION"] || env["KITTY_WINDOW_ID"]);
}
