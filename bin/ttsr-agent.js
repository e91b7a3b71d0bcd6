#!/usr/bin/env node
// Plain JavaScript, so that the quickest answers load nothing and an old Node gets a sentence instead of a syntax error.
import { existsSync, readFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
const args = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${JSON.parse(readFileSync(here("../package.json"), "utf8")).version}\n`);
} else if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ttsr-agent needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (!existsSync(here("../dist/main.js"))) {
  process.stderr.write("ttsr-agent is not built yet; run `npm ci` or `npm run build` in its folder.\n");
  process.exitCode = 1;
} else {
  const { main } = await import("../dist/main.js");
  await main(args);
}
