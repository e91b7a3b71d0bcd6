/** A model in the process itself: what the rows of memory measure is then the session alone. */
const PIECE = 64;

/** @returns a model that answers every request with `text`, in pieces as they come from a server */
export function scriptedModel(text) {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  return {
    provider: "bench",
    model: "m",
    wire: "scripted",
    contextWindow: undefined,
    async *stream() {
      yield [{ type: "start" }, { type: "text_start", index: 0 }];
      for (let at = 0; at < text.length; at += PIECE)
        yield [{ type: "text_delta", index: 0, text: text.slice(at, at + PIECE) }];
      yield [
        { type: "block_end", index: 0 },
        { type: "finish", reason: "stop", rawReason: "end_turn", usage },
      ];
    },
  };
}
