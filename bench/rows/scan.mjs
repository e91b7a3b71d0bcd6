/**
 * `rules scan` against ripgrep with all the triggers as one alternation, in turns: over a tree of its own making, where nothing is found, and with
 * the bundled rules over the three packages of node_modules that have most files.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { BIN, bestOf, run } from "../kit.mjs";
import { makeRules, makeText } from "../matcher/workload.mjs";

const FILES = 10_000;
const FOLDERS = 100;
/** UTF-16 units: most files are small. */
const SIZES = [700, 1_500, 3_000, 5_000, 10_000];
const RULES = 100;
const TURNS = 5;
const PACKAGE_TURNS = 3;

export async function scan() {
  const root = mkdtempSync(join(tmpdir(), "ttsr-bench-scan-"));
  try {
    return [await compare(made(root), TURNS), ...(await packages(root))];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A tree and rules of our making: all files are read, and nothing is found. */
function made(root) {
  const tree = join(root, "tree");
  const alternation = writeWorld(root, tree);
  return {
    what: `${FILES} files, ${RULES} rules / ripgrep`,
    root,
    tree,
    // ripgrep knows no look-arounds, unless it is made to search more slowly; these triggers have none.
    ripgrep: ["-e", alternation],
    files: FILES,
    hits: 0,
  };
}

/** The rules that come with the program need look-arounds. */
async function packages(root) {
  const bare = join(root, "bare");
  mkdirSync(bare);
  const { stdout } = await run([BIN, "rules", "list", "--json"], { cwd: bare, env: envOf(bare) });
  const onFiles = JSON.parse(stdout).filter(({ scope }) => scope.some((token) => /^tool:(?:edit|write)\b/.test(token)));
  const alternation = together(onFiles.flatMap(({ triggers }) => triggers));
  const rows = [];
  for (const { name, path, files } of largest(3)) {
    // A copy: what lies in node_modules is ignored where it lies.
    const tree = join(bare, name);
    cpSync(path, tree, { recursive: true, dereference: true });
    rows.push(
      await compare(
        {
          what: `${name}, ${files} files, bundled rules / ripgrep -P`,
          root: bare,
          tree,
          ripgrep: ["-P", "-e", alternation],
        },
        PACKAGE_TURNS,
      ),
    );
  }
  return rows;
}

/** @returns the packages of node_modules with most files, largest first */
function largest(count) {
  const folder = fileURLToPath(new URL("../../node_modules", import.meta.url));
  const names = readdirSync(folder).flatMap((name) => {
    if (name.startsWith(".")) return [];
    return name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name];
  });
  const sized = names.map((name) => {
    const path = join(folder, name);
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
    return { name, path, files };
  });
  return sized.sort((a, b) => b.files - a.files).slice(0, count);
}

/** @param files and hits: what ours has to find, where that is known */
async function compare({ what, root, tree, ripgrep, files, hits }, turns) {
  let said = "";
  const took = await bestOf(turns, {
    ripgrep: () => search(ripgrep, tree, hits),
    ours: async () => {
      const { wall, stdout } = await run([BIN, "rules", "scan", tree], { cwd: root, env: envOf(root), codes: [0, 6] });
      said = SUMMARY.exec(stdout)?.[0] ?? "";
      if (said === "" || (hits !== undefined && said !== `${hits} hits in ${files} files`))
        throw new Error(`It should read all and find what there is: ${stdout.slice(-2_000)}`);
      return wall;
    },
  });
  const { ours, ripgrep: theirs } = took;
  const note = `${said}: ${Math.round(ours.least)} ms, ripgrep ${Math.round(theirs.least)} ms`;
  return { what, measured: ours.least / theirs.least, unit: "x", reach: 6, note };
}

const SUMMARY = /^\d+ hits? in \d+ files?/m;

/** A user with nothing but what is written into this folder. */
function envOf(home) {
  return { ...process.env, HOME: home, TTSR_AGENT_HOME: join(home, "config"), TTSR_AGENT_STATE: join(home, "state") };
}

/** @returns what ripgrep looks for */
function writeWorld(root, tree) {
  const triggers = makeRules(2 * RULES).flatMap(({ pattern }) => (/\(\?[=!<]/.test(pattern) ? [] : [pattern]));
  mkdirSync(join(root, "config/rules"), { recursive: true });
  const rules = triggers.slice(0, RULES);
  writeFileSync(join(root, "config/settings.yml"), "ttsr: { builtinRules: false }\n");
  for (const [index, pattern] of rules.entries()) {
    const text = `---\nttsr_trigger: ${JSON.stringify(pattern)}\nscope: tool:edit, tool:write\n---\nNot ${index}.\n`;
    writeFileSync(join(root, `config/rules/r${index}.md`), text);
  }
  const text = makeText("English", 2_000_000);
  for (let i = 0; i < FILES; i++) {
    const folder = join(tree, `part${i % FOLDERS}`);
    if (i < FOLDERS) mkdirSync(folder, { recursive: true });
    const size = SIZES[i % SIZES.length];
    const from = text.indexOf("\n", (i * 7_919) % (text.length - 2 * size)) + 1;
    writeFileSync(join(folder, `file${i}.ts`), text.slice(from, text.indexOf("\n", from + size) + 1));
  }
  return together(rules);
}

/** @returns one pattern for all, flags kept */
function together(patterns) {
  return patterns.map((pattern) => `(?:${pattern.replace(/^\(\?([ims]+)\)([\s\S]*)$/, "(?$1:$2)")})`).join("|");
}

/** @returns ms */
async function search(pattern, tree, hits) {
  const started = performance.now();
  const args = ["--no-config", "--hidden", ...pattern, tree];
  const found = await promisify(execFile)(rgPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
    if (error.code === 1) return undefined;
    throw error;
  });
  if (found && hits === 0) throw new Error(`ripgrep should find nothing: ${found.stdout.slice(0, 200)}`);
  return performance.now() - started;
}
