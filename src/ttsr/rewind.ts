import type { AssistantBlock, RewindPoint } from "../agent/messages.js";
import type { TtsrMatch } from "./types.js";

/**
 * Where an answer is taken back to (TTSR-6.4): the start of the line in which its earliest match begins. Thinking and calls have no lines to
 * keep, so a match in one of them takes back the whole block.
 * @param content of the answer, cut where the batch settled; the matches' offsets are those of its texts
 */
export function rewindPoint(batch: readonly TtsrMatch[], content: readonly AssistantBlock[]): RewindPoint {
  const points = batch.map(({ lane, start }): RewindPoint => {
    const block = content[lane.contentIndex];
    const before = lane.source === "text" && block?.type === "text" ? block.text.slice(0, start) : "";
    return { block: lane.contentIndex, offset: before.lastIndexOf("\n") + 1 };
  });
  return points.reduce((first, point) => (isBefore(point, first) ? point : first));
}

function isBefore(a: RewindPoint, b: RewindPoint): boolean {
  return a.block < b.block || (a.block === b.block && a.offset < b.offset);
}
