/** Piped standard input. */
import { fstatSync } from "node:fs";

/** How long an open pipe that says nothing is waited for, when there is a prompt anyway. Milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * @param needed without it there would be no prompt: then it is waited for to its end
 * @returns the text, or "" when standard input is a terminal, closed, empty, or silent
 */
export async function readPiped(stdin: NodeJS.ReadStream, needed: boolean): Promise<string> {
  if (stdin.isTTY || !isPiped()) return "";
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (): void => {
      clearTimeout(timer);
      stdin.off("data", take);
      stdin.pause();
      if ("unref" in stdin) stdin.unref();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const take = (chunk: Buffer): void => {
      clearTimeout(timer);
      chunks.push(chunk);
    };
    const timer = setTimeout(end, needed ? 2 ** 31 - 1 : PATIENCE_MS);
    stdin.on("data", take);
    stdin.once("end", end);
    stdin.once("error", end);
  });
}

/** A file, a pipe or a socket; not `/dev/null` and not a closed descriptor. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    // Closed: there is nothing to read.
    return false;
  }
}
