/**
 * Terminal input → keys, incrementally: any cutting of the same characters gives the same keys. Understands the classic sequences, kitty's
 * `CSI … u`, xterm's modifyOtherKeys (`CSI 27 ; m ; c ~`) and bracketed paste. What a terminal answers to a query comes out as `reply`.
 */

export type KeyName =
  | "enter"
  | "tab"
  | "backspace"
  | "delete"
  | "escape"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageup"
  | "pagedown"
  | `f${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

export interface Key {
  type: "key";
  /** A named key, or one character (one code point; lower case with `ctrl` or `alt`). */
  name: KeyName | (string & {});
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  /** What typing it puts into a text; undefined for keys that put nothing. */
  text?: string;
}

export type TermInput =
  | Key
  | { type: "paste"; text: string }
  /** A whole control sequence sent by the terminal itself, without `ESC`. */
  | { type: "reply"; sequence: string };

const ESC = "\u001b";
const PASTE_START = "[200~";
const PASTE_END = `${ESC}[201~`;
/** A paste that never ends is given out after this many characters, so that a lost end mark cannot swallow the keyboard. */
const PASTE_CAP = 32 * 1024 * 1024;
/** Longest control sequence taken seriously; more is noise and dropped. */
const SEQUENCE_CAP = 4096;

const LETTERS: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

const NUMBERS: Readonly<Record<number, KeyName>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

const CODES: Readonly<Record<number, KeyName>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  8: "backspace",
  57350: "left",
  57351: "right",
  57352: "up",
  57353: "down",
  57354: "pageup",
  57355: "pagedown",
  57356: "home",
  57357: "end",
  57349: "delete",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57426: "delete",
};

/** With Ctrl these have always been other keys, whatever a protocol makes of them: Ctrl+[ Ctrl+I Ctrl+M Ctrl+H. */
const SAME_AS: Readonly<Record<number, KeyName>> = { 91: "escape", 105: "tab", 109: "enter", 104: "backspace" };

/** Kitty's keypad keys that type something. */
const KEYPAD_FIRST = 57399;
const KEYPAD = "0123456789./*-+";
const KEYPAD_EQUAL = 57415;

/** Command or Windows key: no text of ours, but on a Mac it goes to the ends of a line. */
const SUPER = 8;
const WITH_SUPER: Readonly<Record<string, KeyName>> = { left: "home", right: "end" };

export class KeyParser {
  #buffer = "";
  #paste: string[] | undefined;
  #pasteLength = 0;

  /** True when the input so far could be a lone Escape or the start of a sequence: wait a little, then `flush()`. */
  get waiting(): boolean {
    return this.#paste === undefined && this.#buffer !== "";
  }

  /** True when the input so far is a part of what no hand types: an answer, or a key with parameters, or the beginning of a paste. */
  get torn(): boolean {
    return this.waiting && /^\u001b(?:\[[ -?]|[\]P_^].)/.test(this.#buffer);
  }

  /** True inside a bracketed paste. */
  get pasting(): boolean {
    return this.#paste !== undefined;
  }

  push(chunk: string): TermInput[] {
    this.#buffer += chunk;
    const out: TermInput[] = [];
    for (;;) {
      const before = this.#buffer.length;
      if (this.#paste !== undefined) {
        this.#takePaste(out);
        if (this.#paste !== undefined) break;
        continue;
      }
      if (this.#buffer === "") break;
      const used = this.#takeOne(this.#buffer, out);
      if (used === 0) break;
      this.#buffer = this.#buffer.slice(used);
      if (this.#buffer.length === before && this.#paste === undefined) break;
    }
    return out;
  }

  /** The time to wait for the rest of a sequence is over. */
  flush(): TermInput[] {
    if (this.#paste !== undefined) return [];
    const rest = this.#buffer;
    this.#buffer = "";
    if (rest === "") return [];
    if (rest === ESC) return [key("escape")];
    if (rest === `${ESC}${ESC}`) return [key("escape"), key("escape")];
    if (rest === `${ESC}[` || rest === `${ESC}O`) return [key(rest.charAt(1), { alt: true })];
    if (rest === `${ESC}${ESC}[` || rest === `${ESC}${ESC}O`)
      return [key("escape"), key(rest.charAt(2), { alt: true })];
    return [];
  }

  /** A paste whose end never came. */
  flushPaste(): TermInput[] {
    if (this.#paste === undefined) return [];
    const text = this.#paste.join("") + this.#buffer;
    this.#paste = undefined;
    this.#pasteLength = 0;
    this.#buffer = "";
    return [{ type: "paste", text: cleanPaste(text) }];
  }

  #takePaste(out: TermInput[]): void {
    const parts = this.#paste;
    if (parts === undefined) return;
    const end = this.#buffer.indexOf(PASTE_END);
    if (end !== -1) {
      parts.push(this.#buffer.slice(0, end));
      out.push({ type: "paste", text: cleanPaste(parts.join("")) });
      this.#buffer = this.#buffer.slice(end + PASTE_END.length);
      this.#paste = undefined;
      this.#pasteLength = 0;
      return;
    }
    // All but what could be the beginning of the end mark is safe to put away: each character is looked at once.
    const keep = Math.min(this.#buffer.length, PASTE_END.length - 1);
    const safe = this.#buffer.slice(0, this.#buffer.length - keep);
    parts.push(safe);
    this.#pasteLength += safe.length;
    this.#buffer = this.#buffer.slice(safe.length);
    if (this.#pasteLength > PASTE_CAP) out.push(...this.flushPaste());
  }

  /** @returns how many characters were used; 0: more are needed */
  #takeOne(text: string, out: TermInput[]): number {
    const first = text.charAt(0);
    if (first !== ESC) return takeCharacter(text, out);
    if (text.length === 1) return 0;
    const second = text.charAt(1);
    if (second === "[") return this.#takeCsi(text, out);
    if (second === "O") return takeSs3(text, out);
    if (second === "]" || second === "P" || second === "_" || second === "^") return takeString(text, out);
    if (second === ESC) {
      // Alt with an arrow, as terminals without modifier codes send it; else Esc Esc, and the first one stands alone.
      if (text.length === 2) return 0;
      const third = text.charAt(2);
      if (third === "[" || third === "O") return this.#takeMeta(text, out);
      out.push(key("escape"));
      return 1;
    }
    const inner: TermInput[] = [];
    const used = takeCharacter(text.slice(1), inner);
    if (used === 0) return 0;
    for (const item of inner) out.push(item.type === "key" ? withAlt(item) : item);
    return used + 1;
  }

  #takeMeta(text: string, out: TermInput[]): number {
    const inner: TermInput[] = [];
    const rest = text.slice(1);
    const used = rest.charAt(1) === "[" ? this.#takeCsi(rest, inner) : takeSs3(rest, inner);
    if (used === 0) return 0;
    for (const item of inner) out.push(item.type === "key" ? withAlt(item) : item);
    return used + 1;
  }

  #takeCsi(text: string, out: TermInput[]): number {
    let end = 2;
    // The Linux console sends its function keys as ESC [ [ A.
    if (text.charAt(2) === "[") return text.length < 4 ? 0 : 4;
    while (end < text.length && isParameter(text.charCodeAt(end))) end++;
    if (end >= text.length) {
      if (text.length < SEQUENCE_CAP) return 0;
      return text.length;
    }
    const final = text.charAt(end);
    const code = final.charCodeAt(0);
    if (code < 0x40 || code > 0x7e) return end; // broken off by something else: drop it, keep that
    const parameters = text.slice(2, end);
    const sequence = text.slice(1, end + 1);
    if (sequence === PASTE_START) {
      this.#paste = [];
      this.#pasteLength = 0;
      return end + 1;
    }
    if (parameters === "" && final === "M") return text.length < end + 4 ? 0 : end + 4; // old mouse report: three more bytes
    const found = decodeCsi(parameters, final);
    if (found) out.push(found);
    else if (isReply(parameters, final)) out.push({ type: "reply", sequence });
    return end + 1;
  }
}

function isParameter(code: number): boolean {
  return code >= 0x20 && code <= 0x3f;
}

function isReply(parameters: string, final: string): boolean {
  return (
    parameters.startsWith("?") ||
    parameters.startsWith(">") ||
    final === "R" ||
    final === "t" ||
    isFocus(parameters, final)
  );
}

/** `CSI I` and `CSI O`: the window came to the front, or left it. */
function isFocus(parameters: string, final: string): boolean {
  return parameters === "" && (final === "I" || final === "O");
}

function decodeCsi(parameters: string, final: string): Key | undefined {
  if (/^[?<>=]/.test(parameters)) return undefined;
  const fields = parameters.split(";").map((field) => field.split(":").map((part) => Number.parseInt(part, 10) || 0));
  const modifier = fields[1]?.[0] ?? 1;
  const released = fields[1]?.[1] === 3;
  if (released) return undefined;
  // A report of the cursor's place looks like F3 with modifiers; nobody has F3 on row 1 alone.
  if (final === "R" && parameters !== "") return undefined;
  const mods = modifiers(modifier);
  if (((modifier - 1) & SUPER) !== 0) {
    const name = LETTERS[final] ?? CODES[fields[0]?.[0] ?? 0];
    const meant = name && WITH_SUPER[name];
    return meant && key(meant, mods);
  }
  if (final === "Z") return key("tab", { ...mods, shift: true });
  if (final === "u") return fromCode(fields[0]?.[0] ?? 0, mods, fields[0]?.[1]);
  if (final === "~") {
    const number = fields[0]?.[0] ?? 0;
    if (number === 27) return fromCode(fields[2]?.[0] ?? 0, mods);
    const name = NUMBERS[number];
    return name ? key(name, mods) : undefined;
  }
  const name = LETTERS[final];
  return name ? key(name, mods) : undefined;
}

function modifiers(value: number): { ctrl: boolean; alt: boolean; shift: boolean } {
  const bits = Math.max(0, value - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0 || (bits & 32) !== 0, ctrl: (bits & 4) !== 0 };
}

function fromCode(code: number, mods: { ctrl: boolean; alt: boolean; shift: boolean }, shifted = 0): Key | undefined {
  const named = CODES[code] ?? (mods.ctrl && !mods.alt && !mods.shift ? SAME_AS[code] : undefined);
  if (named) return key(named, code in SAME_AS ? {} : mods);
  const typed = code === KEYPAD_EQUAL ? "=" : KEYPAD.charAt(code - KEYPAD_FIRST);
  if (typed !== "") return key(typed, mods, typed);
  if (code < 32 || code > 0x10ffff || (code >= 57344 && code <= 63743)) return undefined;
  const character = String.fromCodePoint(code);
  if (mods.ctrl || mods.alt) return key(character.toLowerCase(), mods);
  const text = mods.shift ? (shifted > 0 ? String.fromCodePoint(shifted) : character.toUpperCase()) : character;
  return key(text, { ...mods, shift: false }, text);
}

function takeSs3(text: string, out: TermInput[]): number {
  if (text.length < 3) return 0;
  const name = LETTERS[text.charAt(2)];
  if (name) out.push(key(name));
  return 3;
}

/** OSC, DCS, APC, PM: up to BEL or ST. */
function takeString(text: string, out: TermInput[]): number {
  const bell = text.indexOf("\u0007", 2);
  const terminator = text.indexOf(`${ESC}\\`, 2);
  const ends = [bell === -1 ? -1 : bell + 1, terminator === -1 ? -1 : terminator + 2].filter((end) => end > 0);
  if (ends.length === 0) return text.length < SEQUENCE_CAP ? 0 : text.length;
  const end = Math.min(...ends);
  out.push({ type: "reply", sequence: text.slice(1, end) });
  return end;
}

function takeCharacter(text: string, out: TermInput[]): number {
  const code = text.codePointAt(0) ?? 0;
  const isLoneHigh = code >= 0xd800 && code <= 0xdbff;
  if (isLoneHigh) return text.length === 1 ? 0 : 1;
  const size = code > 0xffff ? 2 : 1;
  if (code === 13) out.push(key("enter"));
  else if (code === 10) out.push(key("j", { ctrl: true }));
  else if (code === 9) out.push(key("tab"));
  else if (code === 127 || code === 8) out.push(key("backspace"));
  else if (code === 0) out.push(key("space", { ctrl: true }));
  else if (code < 27) out.push(key(String.fromCharCode(code + 96), { ctrl: true }));
  else if (code < 32) out.push(key(String.fromCharCode(code + 64).toLowerCase(), { ctrl: true }));
  else if (code < 0x80 || code > 0x9f) {
    const character = String.fromCodePoint(code);
    out.push(key(character, {}, character));
  }
  return size;
}

function withAlt(item: Key): Key {
  const { text: _text, ...rest } = item;
  return { ...rest, name: rest.name.length === 1 ? rest.name.toLowerCase() : rest.name, alt: true };
}

function key(name: Key["name"], mods: Partial<Pick<Key, "ctrl" | "alt" | "shift">> = {}, text?: string): Key {
  return {
    type: "key",
    name,
    ctrl: mods.ctrl ?? false,
    alt: mods.alt ?? false,
    shift: mods.shift ?? false,
    ...(text === undefined ? {} : { text }),
  };
}

/** Line ends become `\n`, tabs stay, every other control character goes. */
export function cleanPaste(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, "")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
