import { type Check, ok, warn } from "./check.js";
import type { CheckContext } from "./context.js";

/** Below these the dialogs have no room. */
const COLUMNS = 40;
const ROWS = 12;

export function checkTerminal({ env, terminal }: CheckContext): Check[] {
  const { columns, rows } = terminal ?? {};
  if (columns === undefined || rows === undefined) {
    return [ok("terminal", "none: output goes to a pipe or a file, so only -p works here")];
  }
  const term = env["TERM"] ?? "";
  if (term === "" || term === "dumb") {
    return [
      warn(
        "terminal",
        `TERM is "${term}"`,
        "The interactive face needs a terminal that can move the cursor; -p works.",
      ),
    ];
  }
  const colours = env["NO_COLOR"]
    ? "no colours (NO_COLOR)"
    : /^(?:truecolor|24bit)$/.test(env["COLORTERM"] ?? "")
      ? "16 million colours"
      : /256color/.test(term)
        ? "256 colours"
        : "16 colours";
  const through = env["TMUX"] ? ", in tmux" : env["STY"] ? ", in screen" : "";
  const found = `${term}, ${columns}x${rows}, ${colours}${through}`;
  const checks =
    columns < COLUMNS || rows < ROWS
      ? [warn("terminal", found, `Make the window larger: questions need ${COLUMNS}x${ROWS}.`)]
      : [ok("terminal", found)];
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (process.platform !== "win32" && !/utf-?8/i.test(locale)) {
    checks.push(
      warn(
        "characters",
        `the locale is "${locale || "C"}", not UTF-8`,
        "Set LANG, for example to C.UTF-8; other scripts may be drawn wrong.",
      ),
    );
  }
  return checks;
}
