import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** `import text from "./x.md"` gives the file's text, as in the bundle. */
const markdownAsText = {
  name: "markdown-as-text",
  enforce: "pre" as const,
  load(id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};` : null;
  },
};

/** `npm run test:long`: what takes minutes, and is not part of `npm test`. */
const long = process.env["TTSR_TEST_LONG"] !== undefined;

export default defineConfig({
  plugins: [markdownAsText],
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: long ? ["test/long/**/*.test.ts"] : ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: long ? [] : ["test/long/**"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // For what hangs; a busy machine must not reach it. Waits of their own (test/support/wait.ts) end before.
    testTimeout: long ? 600_000 : 120_000,
    hookTimeout: 120_000,
    reporters: process.env["TTSR_TEST_REPORT"]
      ? ["default", ["json", { outputFile: process.env["TTSR_TEST_REPORT"] }]]
      : ["default"],
  },
});
