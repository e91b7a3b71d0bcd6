/** Every colour of the face, in one place. A style takes clean text and gives it back with SGR sequences around it. */
import { Chalk, type ChalkInstance, type ColorSupportLevel } from "chalk";

export type Style = (text: string) => string;

export interface Theme {
  /** False with `NO_COLOR` and on terminals without colour: marks must then carry what colour would. */
  colors: boolean;
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
  code: Style;
  heading: Style;
  /** What a rule's trigger matched. */
  match: Style;
}

export type ThemeName = "dark" | "light" | "ansi";

type Palette = Record<"accent" | "warning" | "error" | "success" | "added" | "removed" | "code" | "heading", string>;

const DARK: Palette = {
  accent: "#7aa2f7",
  warning: "#e0af68",
  error: "#f7768e",
  success: "#9ece6a",
  added: "#9ece6a",
  removed: "#f7768e",
  code: "#7dcfff",
  heading: "#c0caf5",
};

const LIGHT: Palette = {
  accent: "#2e5cb8",
  warning: "#8a5a00",
  error: "#b3243f",
  success: "#3d6b14",
  added: "#3d6b14",
  removed: "#b3243f",
  code: "#00657a",
  heading: "#1f2a44",
};

/**
 * @param env read for `NO_COLOR`, `FORCE_COLOR`, `COLORTERM`, `TERM`, `COLORFGBG`
 * @param name undefined: by what the terminal tells of its background, else the terminal's own 16 colours
 */
export function createTheme(env: NodeJS.ProcessEnv, name: ThemeName | undefined = backgroundOf(env)): Theme {
  const level = colorLevel(env);
  const chalk = new Chalk({ level });
  const base = {
    colors: level > 0,
    plain: (text: string): string => text,
    bold: one(chalk.bold),
    italic: one(chalk.italic),
    underline: one(chalk.underline),
    strike: one(chalk.strikethrough),
    dim: one(chalk.dim),
  };
  // Fewer than 256 colours would turn the palettes into something nobody chose.
  if (name === undefined || name === "ansi" || level < 2) return { ...base, ...ansiStyles(chalk) };
  const palette = name === "light" ? LIGHT : DARK;
  return {
    ...base,
    accent: one(chalk.hex(palette.accent)),
    warning: one(chalk.hex(palette.warning)),
    error: one(chalk.hex(palette.error)),
    success: one(chalk.hex(palette.success)),
    added: one(chalk.hex(palette.added)),
    removed: one(chalk.hex(palette.removed)),
    code: one(chalk.hex(palette.code)),
    heading: one(chalk.hex(palette.heading).bold),
    match: one(chalk.hex(palette.warning).bold.underline),
  };
}

/** Chalk joins all its arguments; a style that is handed to `map` must see the text alone. */
function one(style: ChalkInstance): Style {
  return (text) => style(text);
}

function ansiStyles(
  chalk: ChalkInstance,
): Omit<Theme, "colors" | "plain" | "bold" | "italic" | "underline" | "strike" | "dim"> {
  return {
    accent: one(chalk.blue),
    warning: one(chalk.yellow),
    error: one(chalk.red),
    success: one(chalk.green),
    added: one(chalk.green),
    removed: one(chalk.red),
    code: one(chalk.cyan),
    heading: one(chalk.bold),
    match: one(chalk.yellow.bold.underline),
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
  if (/-256(?:color)?$/.test(term)) return 2;
  return term === "dumb" && !forced ? 0 : 1;
}

/** `COLORFGBG` is "foreground;background" in the 16 colours; 7 and 15 are light backgrounds. */
function backgroundOf(env: NodeJS.ProcessEnv): ThemeName | undefined {
  const background = /;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (background === undefined) return undefined;
  return background === "7" || background === "15" ? "light" : "dark";
}
