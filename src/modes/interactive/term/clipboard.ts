/** To the clipboard by way of the terminal (OSC 52): works over ssh and needs no program. */

/** Terminals take about 100,000 bytes of base64. */
const MAX_BYTES = 74_000;

/** @returns the sequence that puts a text on the clipboard; undefined where it is too long for terminals */
export function clipboardSequence(text: string): string | undefined {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length > MAX_BYTES ? undefined : `\u001b]52;c;${bytes.toString("base64")}\u0007`;
}
