/** A terminal's screen as SVG text: runs of cells of one style, so that letters can be selected and the file stays small. */

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 19;
const MARGIN = 18;
const BAR = 34;

const ANSI = [
  "#15161e",
  "#f7768e",
  "#9ece6a",
  "#e0af68",
  "#7aa2f7",
  "#bb9af7",
  "#7dcfff",
  "#a9b1d6",
  "#414868",
  "#f7768e",
  "#9ece6a",
  "#e0af68",
  "#7aa2f7",
  "#bb9af7",
  "#7dcfff",
  "#c0caf5",
];
const DARK = { foreground: "#c0caf5", background: "#1a1b26", bar: "#565f89", ansi: ANSI };
const LIGHT_ANSI = [
  "#0f0f14",
  "#b3243f",
  "#3d6b14",
  "#8a5a00",
  "#2e5cb8",
  "#7a34b5",
  "#00657a",
  "#4a5068",
  "#6a7080",
  "#b3243f",
  "#3d6b14",
  "#8a5a00",
  "#2e5cb8",
  "#7a34b5",
  "#00657a",
  "#24283b",
];
const LIGHT = { foreground: "#24283b", background: "#f6f6f8", bar: "#8a90a6", ansi: LIGHT_ANSI };

/**
 * @param {import("@xterm/headless").Terminal} terminal
 * @param {string} title shown in the window's bar
 * @param {"dark" | "light"} look of the window
 */
export function toSvg(terminal, title, look = "dark") {
  const colours = look === "light" ? LIGHT : DARK;
  const { cols, rows, buffer } = terminal;
  const { active } = buffer;
  const lines = [];
  for (let y = 0; y < rows; y++) {
    const line = active.getLine(active.viewportY + y);
    if (line) lines.push(...runsOf(line, cols, colours).map((run) => drawn(run, y)));
  }
  const width = Math.round(cols * CELL_WIDTH + 2 * MARGIN);
  const height = rows * LINE_HEIGHT + BAR + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<rect width="${width}" height="${height}" rx="10" fill="${colours.background}"/>
<circle cx="20" cy="17" r="5.5" fill="#f7768e"/><circle cx="38" cy="17" r="5.5" fill="#e0af68"/><circle cx="56" cy="17" r="5.5" fill="#9ece6a"/>
<text x="${width / 2}" y="21" text-anchor="middle" fill="${colours.bar}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12">${escapeXml(title)}</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${lines.join("\n")}
</g>
</svg>
`;
}

function runsOf(line, cols, colours) {
  const runs = [];
  for (let x = 0; x < cols; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell, colours);
    const back = backgroundOf(cell, colours);
    const chars = cell.getChars() || " ";
    const last = runs.at(-1);
    // A wide character stands alone: fonts disagree on how wide it is.
    const alone = cell.getWidth() > 1 || last?.wide;
    if (last && !alone && last.style === style && last.back === back && last.end === x) {
      last.text += chars;
      last.end = x + cell.getWidth();
    } else {
      runs.push({ x, end: x + cell.getWidth(), text: chars, style, back, wide: cell.getWidth() > 1 });
    }
  }
  return runs.filter((run) => run.text.trim() !== "" || run.back);
}

function styleOf(cell, colours) {
  const parts = [`fill="${foregroundOf(cell, colours)}"`];
  if (cell.isBold()) parts.push('font-weight="700"');
  if (cell.isItalic()) parts.push('font-style="italic"');
  const lines = [cell.isUnderline() && "underline", cell.isStrikethrough() && "line-through"].filter(Boolean);
  if (lines.length > 0) parts.push(`text-decoration="${lines.join(" ")}"`);
  if (cell.isDim()) parts.push('opacity="0.55"');
  return parts.join(" ");
}

function foregroundOf(cell, { foreground, ansi }) {
  const colour = cell.getFgColor();
  if (cell.isFgRGB()) return hex(colour);
  return cell.isFgPalette() ? (ansi[colour] ?? paletteColour(colour)) : foreground;
}

function backgroundOf(cell, { ansi }) {
  const colour = cell.getBgColor();
  if (cell.isBgRGB()) return hex(colour);
  return cell.isBgPalette() ? (ansi[colour] ?? paletteColour(colour)) : undefined;
}

/** The 6x6x6 cube and the greys of the 256 colours. */
function paletteColour(index) {
  if (index >= 232) return hex((8 + 10 * (index - 232)) * 0x010101);
  const level = (part) => (part === 0 ? 0 : 55 + 40 * part);
  const cube = index - 16;
  return hex((level(Math.floor(cube / 36)) << 16) | (level(Math.floor(cube / 6) % 6) << 8) | level(cube % 6));
}

function hex(colour) {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

function drawn({ x, end, text, style, back }, y) {
  const left = (MARGIN + x * CELL_WIDTH).toFixed(1);
  const length = ((end - x) * CELL_WIDTH).toFixed(1);
  const top = BAR + y * LINE_HEIGHT;
  const box = back ? `<rect x="${left}" y="${top}" width="${length}" height="${LINE_HEIGHT}" fill="${back}"/>` : "";
  if (text.trim() === "") return box;
  return `${box}<text x="${left}" y="${top + LINE_HEIGHT - 5}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escapeXml(text)}</text>`;
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
