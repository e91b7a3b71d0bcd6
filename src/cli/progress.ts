/** One line on a terminal's standard error for what takes longer than a second; nothing anywhere else. */
const SILENT_MS = 1_000;
const EVERY_MS = 100;

export interface ProgressLine {
  at(done: number, all?: number): void;
  /** Takes the line away. */
  end(): void;
}

/** @param what as in "rules checked" */
export function progressLine(what: string, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  const began = performance.now();
  let last = began + SILENT_MS - EVERY_MS;
  let shown = false;
  return {
    at(done, all) {
      const now = performance.now();
      if (!stream.isTTY || now - last < EVERY_MS) return;
      last = now;
      shown = true;
      stream.write(`\r\x1b[K${all === undefined ? done : `${done} of ${all}`} ${what}`);
    },
    end() {
      if (shown) stream.write("\r\x1b[K");
    },
  };
}
