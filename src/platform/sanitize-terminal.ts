/** Makes foreign text safe for a terminal: models, files, tools, branch names and error messages may carry control sequences. */

/** Everything that `sanitizeTerminal` must look at; text without any of it comes back as it is. */
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const ESC = 0x1b;
/** ESC-form and C1-form introducers of the strings that run to a terminator: DCS, SOS, OSC, PM, APC. */
const STRING_AFTER_ESC = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const STRING_C1 = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);
const CSI_C1 = 0x9b;

export interface SanitizeOptions {
  /** Keep colours and weights (SGR). A reset is added where the text ends with one switched on. */
  colors?: boolean;
}

/**
 * Removes OSC, DCS, APC, PM and SOS strings (terminated, or else up to the end of their line), CSI and other escape sequences, C0 besides
 * newline and tab, C1, and bidi controls. A line that was redrawn with carriage returns keeps its last state only.
 * @returns text that can be put into a terminal cell by cell; linear in the length of `text`
 */
export function sanitizeTerminal(text: string, options: SanitizeOptions = {}): string {
  if (!SUSPECT.test(text)) return text;
  const colors = options.colors === true;
  let out = "";
  let line = "";
  /** A carriage return was seen: what comes next replaces the line. */
  let returned = false;
  let styled = false;
  let plainFrom = 0;
  const put = (piece: string): void => {
    if (piece === "") return;
    line = returned ? piece : line + piece;
    returned = false;
  };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) {
      at++;
      continue;
    }
    if (code > 0x9f && !(code === 0x61c || (code >= 0x200e && code <= 0x2069 && BIDI.test(text.charAt(at))))) {
      at++;
      continue;
    }
    if (code === 0x09) {
      at++;
      continue;
    }
    put(text.slice(plainFrom, at));
    if (code === 0x0a) {
      returned = false;
      out += `${line}\n`;
      line = "";
      at++;
    } else if (code === 0x0d) {
      returned = line !== "";
      at++;
    } else if (code === ESC || code === CSI_C1 || STRING_C1.has(code)) {
      const end = endOfSequence(text, at);
      if (colors && isSgr(text, at, end)) {
        const parameters = text.slice(at + (code === ESC ? 2 : 1), end - 1);
        put(`\u001b[${parameters}m`);
        styled = !/^[0;]*$/.test(parameters);
      }
      at = end;
    } else {
      at++;
    }
    plainFrom = at;
  }
  put(text.slice(plainFrom));
  return `${out}${line}${styled ? "\u001b[0m" : ""}`;
}

/** @returns the index after the sequence that starts at `at`; at least `at + 1` */
function endOfSequence(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (STRING_C1.has(first)) return endOfString(text, at + 1);
  if (first === CSI_C1) return endOfCsi(text, at + 1);
  const second = text.charCodeAt(at + 1);
  if (STRING_AFTER_ESC.has(second)) return endOfString(text, at + 2);
  if (second === 0x5b) return endOfCsi(text, at + 2);
  let end = at + 1;
  while (isBetween(text.charCodeAt(end), 0x20, 0x2f)) end++;
  return isBetween(text.charCodeAt(end), 0x30, 0x7e) ? end + 1 : end;
}

/** A string ends at BEL or ST, is cancelled by CAN, SUB or another escape, and never reaches over its line. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a) return at + 1;
    if (code === ESC) return text.charCodeAt(at + 1) === 0x5c ? at + 2 : at;
    if (code === 0x0a) return at;
  }
  return text.length;
}

function endOfCsi(text: string, from: number): number {
  let at = from;
  while (isBetween(text.charCodeAt(at), 0x20, 0x3f)) at++;
  return isBetween(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at;
}

function isSgr(text: string, at: number, end: number): boolean {
  return text.charCodeAt(end - 1) === 0x6d && /^(?:\u001b\[|\u009b)[0-9;:]*m$/.test(text.slice(at, end));
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}

/**
 * For questions to the user, where nothing may hide: control and bidi characters are written out (`\x1b`, `\u202e`), newline and tab stay,
 * and a run of 20 or more spaces is counted.
 */
export function revealControls(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (char) => `\\x${hex(char, 2)}`)
    .replace(/[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (char) => `\\u${hex(char, 4)}`)
    .replace(/ {20,}/g, (run) => `[${run.length} spaces]`);
}

function hex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, "0");
}
