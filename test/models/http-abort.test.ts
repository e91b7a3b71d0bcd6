import { afterEach, describe, expect, it } from "vitest";
import { settle } from "../support/fake-clock.js";
import { door, pause } from "../support/wait.js";
import type { Answering } from "./http-answers.js";
import { answering, ask, ends, modelAt, say, stream, textIn } from "./http-answers.js";

let server: Answering | undefined;
afterEach(() => server?.close());

describe("after the abort", () => {
  it("the socket closes and the iteration ends, also in the middle of a silence", async () => {
    server = await answering((response) => void stream(response).write(say("a")));
    const abort = new AbortController();
    const parts = await ask(modelAt(server.url), abort.signal, () => {
      setImmediate(() => abort.abort());
    });
    expect(textIn(parts)).toBe("a");
    expect(parts.some(({ type }) => type === "finish" || type === "error")).toBe(false);
    await server.closed[0];
  });

  it("nothing comes of 500 events that lie ready", async () => {
    const written = door();
    const first = door();
    server = await answering((response) => {
      stream(response).write(say("first"));
      void first.opened.then(() => {
        for (let at = 0; at < 500; at++) response.write(say(`${at}`));
        response.end(ends(), written.open);
      });
    });
    const abort = new AbortController();
    const parts = await ask(modelAt(server.url), abort.signal, async () => {
      first.open();
      await written.opened;
      // They have arrived; only then does the reader see what it has and abort.
      await pause(30);
      abort.abort();
    });
    expect(textIn(parts)).toBe("first");
    expect(parts.some(({ type }) => type === "finish" || type === "error")).toBe(false);
  });

  it("a server that has not answered yet is left at once", async () => {
    const abort = new AbortController();
    server = await answering(() => setImmediate(() => abort.abort()));
    expect(await ask(modelAt(server.url), abort.signal)).toEqual([]);
    await server.closed[0];
  });

  it("before the request nothing is sent", async () => {
    let asked = 0;
    const fetch = (): Promise<Response> => {
      asked++;
      return Promise.reject(new Error("asked"));
    };
    expect(await ask(modelAt("http://127.0.0.1:9/v1", { fetch }), AbortSignal.abort())).toEqual([]);
    expect(asked).toBe(0);
  });

  it("a fetch that does not heed its signal is not waited for, and its late answer is let go", async () => {
    let answer: (response: Response) => void = () => undefined;
    const fetch = (): Promise<Response> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const abort = new AbortController();
    const asking = ask(modelAt("http://127.0.0.1:9/v1", { fetch }), abort.signal);
    await settle();
    abort.abort();
    expect(await asking).toEqual([]);
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    answer(new Response(body));
    await settle();
    expect(cancelled).toBe(true);
  });

  it("a reader that leaves the loop closes the socket too", async () => {
    server = await answering((response) => void stream(response).write(say("a")));
    const model = modelAt(server.url);
    const request = { system: "", messages: [], tools: [], thinking: "off" as const };
    for await (const group of model.stream(request, new AbortController().signal)) {
      expect(textIn(group)).toBe("a");
      break;
    }
    await server.closed[0];
  });

  it("no listener stays on the signal", async () => {
    server = await answering((response) => void stream(response).end(say("a") + ends()));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    expect((await ask(modelAt(server.url), signal)).at(-1)).toMatchObject({ type: "finish" });
    expect(listeners).toBe(0);
  });
});
