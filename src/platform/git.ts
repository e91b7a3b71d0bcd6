/** Asks git, so that nothing which a repository has configured can make it do more than answer. */
import { childEnv } from "./child-env.js";
import { runProcess } from "./process.js";

const TIMEOUT_MS = 20_000;
/** Bytes of one answer. */
const MOST = 64 * 1024 * 1024;

/** No monitor, no hook, no pager of the repository's. */
const HARMLESS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"];

/** Set where we were started by git, by a hook of its: they would lead to another repository than the one that is asked about. */
const LEADING_ASTRAY =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CONFIG_PARAMETERS|CONFIG_COUNT|EXTERNAL_DIFF|\w+_PATHSPECS)$/;

export class Git {
  readonly #env: NodeJS.ProcessEnv;
  /** Filters that the repository has set up would run over files that are compared. */
  #filters: Promise<string[]> | undefined;

  /** @param root of the repository, absolute */
  constructor(
    private readonly root: string,
    env: NodeJS.ProcessEnv,
  ) {
    const kept = Object.entries(childEnv(env)).filter(([name]) => !LEADING_ASTRAY.test(name));
    this.#env = { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
  }

  /** @returns what git prints, or undefined where it fails, is not there, or takes longer than 20 s */
  async ask(args: readonly string[]): Promise<Buffer | undefined> {
    this.#filters ??= this.#readFilters();
    return this.#run([...(await this.#filters), ...args]);
  }

  /** @returns the entries of an answer that was asked for with `-z` */
  async list(args: readonly string[]): Promise<string[] | undefined> {
    const answer = await this.ask(args);
    return answer
      ?.toString("utf8")
      .split("\0")
      .filter((entry) => entry !== "");
  }

  async #readFilters(): Promise<string[]> {
    const names = await this.#run([
      "config",
      "-z",
      "--name-only",
      "--get-regexp",
      "^filter\\..*\\.(clean|smudge|process|required)$",
    ]);
    const set = new Set(
      names
        ?.toString("utf8")
        .split("\0")
        .filter((name) => name !== ""),
    );
    return [...set].flatMap((name) => ["-c", name.endsWith(".required") ? `${name}=false` : `${name}=`]);
  }

  async #run(args: readonly string[]): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = new AbortController();
    const { ended, exitCode } = await runProcess({
      file: "git",
      args: [...HARMLESS, ...args],
      cwd: this.root,
      env: this.#env,
      signal: stop.signal,
      timeoutMs: TIMEOUT_MS,
      onOutput(chunk, from) {
        if (from !== "stdout") return;
        size += chunk.length;
        if (size > MOST) stop.abort();
        else chunks.push(chunk);
      },
    });
    return ended === "exit" && exitCode === 0 ? Buffer.concat(chunks) : undefined;
  }
}
