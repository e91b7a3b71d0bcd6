/** What a file is, by its first bytes. */
import { openRegular } from "../platform/files.js";
import { encodingOf } from "../platform/text-codec.js";

export interface BinaryKind {
  /** For the sentence "… is NAME". */
  name: string;
  /** Set for images that models can see. */
  mediaType?: string;
}

const MAGIC: readonly [string, BinaryKind][] = [
  ["\x89PNG\r\n\x1a\n", { name: "a PNG image", mediaType: "image/png" }],
  ["\xff\xd8\xff", { name: "a JPEG image", mediaType: "image/jpeg" }],
  ["GIF87a", { name: "a GIF image", mediaType: "image/gif" }],
  ["GIF89a", { name: "a GIF image", mediaType: "image/gif" }],
  ["\x7fELF", { name: "an ELF binary" }],
  ["%PDF-", { name: "a PDF document" }],
  ["PK\x03\x04", { name: "a ZIP archive" }],
  ["\x1f\x8b", { name: "gzip data" }],
  ["BZh", { name: "bzip2 data" }],
  ["\xfd7zXZ\0", { name: "xz data" }],
  ["\x28\xb5\x2f\xfd", { name: "zstd data" }],
  ["\0asm", { name: "a WebAssembly module" }],
  ["SQLite format 3\0", { name: "an SQLite database" }],
  ["\xcf\xfa\xed\xfe", { name: "a Mach-O binary" }],
];

/** @returns undefined for text */
function binaryKind(head: Buffer): BinaryKind | undefined {
  const start = head.toString("latin1", 0, 16);
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP")
    return { name: "a WebP image", mediaType: "image/webp" };
  const known = MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
  // Some magic words are plain letters: without a NUL nearby only images and documents are believed.
  if (known && (known.mediaType !== undefined || known.name === "a PDF document" || head.includes(0))) return known;
  return head.includes(0) ? { name: "binary" } : undefined;
}

/** Bytes by which a file is known. */
export const HEAD_BYTES = 8192;

/**
 * @returns undefined for text, in UTF-16 too
 * @throws what `openRegular` throws
 */
export async function kindOf(path: string): Promise<BinaryKind | undefined> {
  const { file } = await openRegular(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return kindOfHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** @returns undefined for text, in UTF-16 too */
export function kindOfHead(head: Buffer): BinaryKind | undefined {
  return encodingOf(head).startsWith("utf-16") ? undefined : binaryKind(head);
}

/** @returns e.g. "1.2 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
