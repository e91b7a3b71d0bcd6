/** The text of a file that `rules scan` looks at, or why it does not. */
import { closeSync, constants, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { errorCode } from "../../../platform/paths.js";

/** Why a file is left out. */
export type LeftOut = "rules" | "large" | "binary" | "lock" | "minified" | "generated" | "unreadable";

/** Bytes. A larger file is data. */
const FILE_LIMIT = 1024 * 1024;
/** Bytes at the beginning in which a NUL says that a file is no text. */
const PROBE = 8_000;
/** UTF-16 units at the beginning, in which a file says that nobody wrote it. */
const HEAD = 1_000;
const GENERATED = /@generated\b|\bgenerated\b[^\n]*\b(?:do not|don't) (?:edit|modify|change)\b/i;
/** What package managers write to know tomorrow what they took today. */
const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Podfile\.lock|pubspec\.lock|mix\.lock|flake\.lock|go\.sum|gradle\.lockfile|packages\.lock\.json)$/;
const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$|\.(?:js|mjs|cjs|css|ts)\.map$/;
const MAY_BE_MINIFIED = /\.(?:js|mjs|cjs|css)$/;
/** UTF-16 units looked at, and how many of them there are to a line where nobody could read it. */
const STRETCH = 8_192;
const LONG_LINES = 400;

/** Takes one file at a time: all are read into the same bytes. */
export class FileReader {
  readonly #bytes = Buffer.allocUnsafe(FILE_LIMIT + 1);

  /** @returns the text without a byte order mark; `unreadable` where it is not there any more, no file, or may not be read */
  read(path: string): { text: string } | LeftOut {
    const name = basename(path);
    if (LOCK_FILE.test(name)) return "lock";
    if (MINIFIED_NAME.test(name)) return "minified";
    const size = this.#fill(path);
    if (size === undefined) return "unreadable";
    if (size > FILE_LIMIT) return "large";
    const bytes = this.#bytes.subarray(0, size);
    if (bytes.subarray(0, PROBE).includes(0)) return "binary";
    const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const text = bytes.toString("utf8", marked ? 3 : 0);
    if (GENERATED.test(text.slice(0, HEAD))) return "generated";
    return MAY_BE_MINIFIED.test(name) && isMinified(text) ? "minified" : { text };
  }

  /** @returns how many bytes there are, at most one more than the limit */
  #fill(path: string): number | undefined {
    let file: number | undefined;
    try {
      // A pipe must not make the program wait. (Windows knows no such thing.)
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      let size = 0;
      for (let more = -1; more !== 0 && size <= FILE_LIMIT; size += more) {
        more = readSync(file, this.#bytes, size, this.#bytes.length - size, null);
      }
      return size;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function isMinified(text: string): boolean {
  if (text.length < STRETCH) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < STRETCH; at = text.indexOf("\n", at + 1)) lines++;
  return STRETCH / lines > LONG_LINES;
}
