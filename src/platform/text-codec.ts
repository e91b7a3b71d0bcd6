/** Bytes to text and back without loss: what cannot be brought back exactly is refused by name. */
import { isUtf8 } from "node:buffer";

export type TextEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

export type Decoded = { ok: true; text: string; encoding: TextEncoding } | { ok: false; reason: string };

const BOMS: readonly [TextEncoding, readonly number[]][] = [
  ["utf-8-bom", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** @returns the encoding that the byte order mark at the start of a file tells; UTF-8 without one */
export function encodingOf(head: Uint8Array): TextEncoding {
  for (const [encoding, bom] of BOMS) if (bom.every((byte, i) => head[i] === byte)) return encoding;
  return "utf-8";
}

/** @returns the length of the byte order mark that goes with the encoding */
export function bomLength(encoding: TextEncoding): number {
  return BOMS.find(([name]) => name === encoding)?.[1].length ?? 0;
}

/** @returns the text without its byte order mark, or which encoding it seems to be in instead */
export function decodeText(bytes: Buffer): Decoded {
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === 0xfeff) return { ok: false, reason: "UTF-32" };
  const encoding = encodingOf(bytes);
  const body = bytes.subarray(bomLength(encoding));
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    if (body.length % 2 !== 0) return { ok: false, reason: "UTF-16 with a broken last character" };
    return { ok: true, encoding, text: (encoding === "utf-16le" ? body : swapped(body)).toString("utf16le") };
  }
  const nul = body.subarray(0, 8192).indexOf(0);
  if (nul >= 0) return { ok: false, reason: looksLikeUtf16(body) ? "UTF-16 without a byte order mark" : "binary" };
  if (!isUtf8(body)) return { ok: false, reason: "not UTF-8 (perhaps Latin-1, Windows-1252 or GBK)" };
  return { ok: true, encoding, text: body.toString("utf8") };
}

/** @returns the bytes of a text, with the byte order mark that belongs to the encoding */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  const bom = Buffer.from(BOMS.find(([name]) => name === encoding)?.[1] ?? []);
  if (encoding === "utf-8" || encoding === "utf-8-bom") return Buffer.concat([bom, Buffer.from(text, "utf8")]);
  const body = Buffer.from(text, "utf16le");
  return Buffer.concat([bom, encoding === "utf-16le" ? body : body.swap16()]);
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}

/** Latin text in UTF-16 has a NUL in every second place, and nowhere else. */
function looksLikeUtf16(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 512);
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const most = Math.max(...zeros);
  return sample.length % 2 === 0 && Math.min(...zeros) === 0 && most >= sample.length / 4;
}
