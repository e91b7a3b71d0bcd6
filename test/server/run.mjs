/**
 * Starts the test server by hand, to try the program against it without a real model:
 *
 *     node test/server/run.mjs [port]        (default 4010)
 *
 * and in another terminal, with the key and the base URL of the wire you want to see:
 *
 *     ANTHROPIC_API_KEY=x ANTHROPIC_BASE_URL=http://127.0.0.1:4010 npm start -- -m anthropic/test-model
 *     OPENAI_API_KEY=x    OPENAI_BASE_URL=http://127.0.0.1:4010    npm start -- -m openai/test-model
 *     GEMINI_API_KEY=x    GEMINI_BASE_URL=http://127.0.0.1:4010    npm start -- -m gemini/test-model
 *
 * Whatever you ask, it begins to write a file that calls eval(). If a rule cuts it off it writes the file without; then it stops.
 * The answers are in `hand-script.ts`. Each request is told in one line. Ctrl+C ends it.
 */
import { build } from "esbuild";

const built = await build({
  stdin: {
    contents: 'export * from "./server.ts"; export * from "./hand-script.ts";',
    resolveDir: import.meta.dirname,
    loader: "ts",
  },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node20.19",
});
const code = Buffer.from(built.outputFiles[0].text).toString("base64");
const { startModelServer, handScript } = await import(`data:text/javascript;base64,${code}`);

const port = Number(process.argv[2] ?? 4010);
const server = await startModelServer({
  port,
  script: (request) => {
    process.stdout.write(
      `request ${request.index + 1}: ${request.wire}, ${request.neutral().messages.length} messages\n`,
    );
    request.done.then(() => {
      const how = request.closedEarly ? `cut off by the client after ${request.eventsWritten} events` : "answered";
      process.stdout.write(`request ${request.index + 1}: ${how}\n`);
    });
    return handScript(request);
  },
});
process.stdout.write(`test server on http://127.0.0.1:${server.port}\n`);
process.once("SIGINT", () => server.close());
