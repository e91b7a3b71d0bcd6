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
const FOREGROUND = "#c0caf5";
const BACKGROUND = "#1a1b26";

/**
 * @param {import("@xterm/headless").Terminal} terminal
 * @param {string} title shown in the window's bar
 */
export function toSvg(terminal, title) {
  const { cols, rows, buffer } = terminal;
  const { active } = buffer;
  const lines = [];
  for (let y = 0; y < rows; y++) {
    const line = active.getLine(active.viewportY + y);
    if (line) lines.push(...runsOf(line, cols).map((run) => drawn(run, y)));
  }
  const width = Math.round(cols * CELL_WIDTH + 2 * MARGIN);
  const height = rows * LINE_HEIGHT + BAR + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<rect width="${width}" height="${height}" rx="10" fill="${BACKGROUND}"/>
<circle cx="20" cy="17" r="5.5" fill="#f7768e"/><circle cx="38" cy="17" r="5.5" fill="#e0af68"/><circle cx="56" cy="17" r="5.5" fill="#9ece6a"/>
<text x="${width / 2}" y="21" text-anchor="middle" fill="#565f89" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12">${escapeXml(title)}</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${lines.join("\n")}
</g>
</svg>
`;
}

function runsOf(line, cols) {
  const runs = [];
  for (let x = 0; x < cols; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const chars = cell.getChars() || " ";
    const last = runs.at(-1);
    if (last && last.style === style && last.end === x) {
      last.text += chars;
      last.end = x + cell.getWidth();
    } else {
      runs.push({ x, end: x + cell.getWidth(), text: chars, style });
    }
  }
  return runs.filter((run) => run.text.trim() !== "");
}

function styleOf(cell) {
  const parts = [`fill="${colourOf(cell)}"`];
  if (cell.isBold()) parts.push('font-weight="700"');
  if (cell.isItalic()) parts.push('font-style="italic"');
  if (cell.isUnderline()) parts.push('text-decoration="underline"');
  if (cell.isDim()) parts.push('opacity="0.55"');
  return parts.join(" ");
}

function colourOf(cell) {
  const colour = cell.getFgColor();
  if (cell.isFgRGB()) return `#${colour.toString(16).padStart(6, "0")}`;
  if (cell.isFgPalette()) return ANSI[colour] ?? FOREGROUND;
  return FOREGROUND;
}

function drawn({ x, end, text, style }, y) {
  const left = (MARGIN + x * CELL_WIDTH).toFixed(1);
  const length = ((end - x) * CELL_WIDTH).toFixed(1);
  return `<text x="${left}" y="${BAR + (y + 1) * LINE_HEIGHT - 5}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escapeXml(text)}</text>`;
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
