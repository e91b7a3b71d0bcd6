/** `rules scan` over a tree of its own making, against ripgrep with all the triggers as one alternation, in turns. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

export async function scan() {
  const root = mkdtempSync(join(tmpdir(), "ttsr-bench-scan-"));
  try {
    const env = {
      ...process.env,
      HOME: root,
      TTSR_AGENT_HOME: join(root, "config"),
      TTSR_AGENT_STATE: join(root, "state"),
    };
    const tree = join(root, "tree");
    const alternation = writeWorld(root, tree);
    const ours = [BIN, "rules", "scan", tree];
    const took = await bestOf(TURNS, {
      ripgrep: () => search(alternation, tree),
      ours: async () => {
        const { wall, stdout } = await run(ours, { cwd: root, env });
        if (!stdout.startsWith(`0 hits in ${FILES} files`))
          throw new Error(`It should read all and find nothing: ${stdout}`);
        return wall;
      },
    });
    const { least } = took.ripgrep;
    return [
      {
        what: `${FILES} files, ${RULES} rules / ripgrep`,
        measured: took.ours.least / least,
        unit: "x",
        reach: 6,
        note: `${Math.round(took.ours.least)} ms, ripgrep ${Math.round(least)} ms`,
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** @returns what ripgrep looks for */
function writeWorld(root, tree) {
  // ripgrep knows no look-arounds, unless it is made to search more slowly.
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
  return rules.map((pattern) => `(?:${pattern.replace(/^\(\?([ims]+)\)([\s\S]*)$/, "(?$1:$2)")})`).join("|");
}

/** @returns ms */
async function search(alternation, tree) {
  const started = performance.now();
  const found = await promisify(execFile)(rgPath, ["--no-config", "--hidden", "-e", alternation, tree]).catch(
    (error) => {
      if (error.code === 1) return undefined;
      throw error;
    },
  );
  if (found) throw new Error(`ripgrep should find nothing: ${found.stdout.slice(0, 200)}`);
  return performance.now() - started;
}
