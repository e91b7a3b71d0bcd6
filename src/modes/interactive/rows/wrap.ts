/**
 * Breaks text into rows of cells. Text may carry SGR sequences and OSC 8 links of our own making: what is open at the end of a row is closed
 * there and opened again on the next, for Ink looks at each row alone. Linear; measuring is left out where every character is one cell.
 */
import stringWidth from "string-width";

/** One cell a character, for certain: needs no measuring. */
const PLAIN = /^[ -~]*$/;
const CODE = /\u001b\[[\d;]*m|\u001b\]8;;[^\u0007]*\u0007/g;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Scripts that are written without spaces: a row may end between any two of their characters. */
const WIDE = "\\u2e80-\\u2fff\\u3040-\\u30ff\\u3100-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff";
/** A row does not begin with what closes, nor end with what opens. */
const BETWEEN_WIDE = new RegExp(
  `(?<=[${WIDE}\\u3001\\u3002\\uff01-\\uff0f\\uff1a-\\uff1f\\u300d\\u300f\\u3011\\u300b])(?=[${WIDE}\\u300c\\u300e\\u3010\\u300a])|(?<=[\\u0021-\\u007e])(?=[${WIDE}])`,
  "u",
);
const HAS_WIDE = new RegExp(`[${WIDE}]`);

export function cells(text: string): number {
  const bare = text.includes("\u001b") ? text.replaceAll(CODE, "") : text;
  return PLAIN.test(bare) ? bare.length : stringWidth(bare);
}

/** @returns rows broken between words; spaces at the edges of a row go */
export function wrapProse(text: string, width: number): string[] {
  if (text.length <= width && PLAIN.test(text)) return [text.trim()];
  if (text.includes("\n")) return text.split("\n").flatMap((line) => wrapProse(line, width));
  const rows: string[] = [];
  let row = "";
  let used = 0;
  const end = (): void => {
    rows.push(row.trimEnd());
    row = "";
    used = 0;
  };
  for (const word of text.split(" ")) {
    let space = 1;
    for (const part of HAS_WIDE.test(word) ? word.split(BETWEEN_WIDE) : [word]) {
      const size = cells(part);
      // Spaces at the beginning of a row are left out, and so is the one where a row is broken.
      const gap = used === 0 && row === "" ? 0 : space;
      space = 0;
      if (used + gap + size <= width) {
        row += " ".repeat(gap) + part;
        used += gap + size;
      } else if (size <= width) {
        end();
        row = part;
        used = size;
      } else {
        const room = width - used - gap;
        // A word that must be broken in any case begins where it needs fewer rows.
        if (room <= 0 || Math.ceil((size - room) / width) + 1 > Math.ceil(size / width)) end();
        else row += " ".repeat(gap);
        const pieces = breakAnywhere(part, width, width - Math.min(width, used === 0 ? 0 : used + gap));
        pieces.forEach((piece, i) => {
          row += piece;
          used = cells(piece) + (i === 0 ? used : 0);
          if (i < pieces.length - 1) end();
        });
        used = cells(row);
      }
    }
  }
  end();
  return text.includes("\u001b") ? reopen(rows) : rows;
}

/** @returns rows broken anywhere; every space stays */
export function wrapExact(text: string, width: number): string[] {
  if (text.length <= width && PLAIN.test(text)) return [text];
  if (text.includes("\n")) return text.split("\n").flatMap((line) => wrapExact(line, width));
  const rows = breakAnywhere(text, width, width);
  return text.includes("\u001b") ? reopen(rows) : rows;
}

/** @param first cells left on the first row */
function breakAnywhere(text: string, width: number, first: number): string[] {
  const rows: string[] = [];
  let row = "";
  let left = first;
  const put = (segment: string, size: number): void => {
    if (size > left && (row !== "" || left < width)) {
      rows.push(row);
      row = "";
      left = width;
    }
    row += segment;
    left -= size;
  };
  let at = 0;
  for (const { 0: code, index } of [...text.matchAll(CODE), { 0: "", index: text.length }]) {
    const plain = text.slice(at, index);
    if (PLAIN.test(plain)) {
      for (let from = 0; from < plain.length; ) {
        if (left <= 0) {
          rows.push(row);
          row = "";
          left = width;
        }
        const piece = plain.slice(from, from + left);
        row += piece;
        left -= piece.length;
        from += piece.length;
      }
    } else {
      for (const { segment } of graphemes.segment(plain)) put(segment, stringWidth(segment));
    }
    row += code;
    at = index + code.length;
  }
  rows.push(row);
  return rows;
}

const LINK = "\u001b]8;;";
const LINK_END = "\u001b]8;;\u0007";

/** The sequence that ends what `code` begins; undefined for one that ends something itself. */
function enderOf(code: string): string | undefined {
  if (code.startsWith(LINK)) return code === LINK_END ? undefined : LINK_END;
  const number = Number.parseInt(code.slice(2), 10);
  if (number === 1 || number === 2) return "\u001b[22m";
  if (number === 3 || number === 4 || number === 7 || number === 9) return `\u001b[2${number}m`;
  if ((number >= 30 && number <= 38) || (number >= 90 && number <= 97)) return "\u001b[39m";
  if ((number >= 40 && number <= 48) || (number >= 100 && number <= 107)) return "\u001b[49m";
  return undefined;
}

function reopen(rows: readonly string[]): string[] {
  /** What is open, outermost first. */
  let open: { code: string; ender: string }[] = [];
  return rows.map((row) => {
    const before = open.map(({ code }) => code).join("");
    for (const [code] of row.matchAll(CODE)) {
      const ender = enderOf(code);
      if (ender === undefined) open = code === "\u001b[0m" ? [] : open.filter((one) => one.ender !== code);
      else open = [...open, { code, ender }];
    }
    const after = new Set([...open].reverse().map(({ ender }) => ender));
    return before + row + [...after].join("");
  });
}
