import { sanitizeTerminal } from "../../../platform/sanitize-terminal.js";

const TAB = "    ";

/** Foreign text, made safe for the terminal, with tabs as spaces so that widths hold. Lines stay lines. */
export function clean(text: string): string {
  return sanitizeTerminal(text).replaceAll("\t", TAB);
}

/** The same on one row. */
export function cleanLine(text: string): string {
  return clean(text)
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
}
