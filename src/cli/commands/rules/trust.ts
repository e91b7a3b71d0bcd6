import type { Command } from "commander";
import { TrustStore } from "../../../config/trust.js";
import { type ExitCode, UserError } from "../../../platform/errors.js";
import { projectRoot } from "../../../platform/project-root.js";
import { repositoryInputs } from "../../../session/repository-inputs.js";
import { systemDirs } from "../../dirs.js";
import { count, printLine } from "../../output.js";
import { loadRules } from "./load.js";
import { allRules } from "./named.js";

/** Providers of what the user has, or has typed. */
const NOT_THE_REPOSITORY_S: ReadonlySet<string> = new Set(["user", "flag", "bundled"]);

/** `ttsr-agent rules trust` */
export function addTrust(rules: Command, done: (code: ExitCode) => void): void {
  rules
    .command("trust")
    .description("accept this repository's rules, settings and context files as they are now")
    .option("--revoke", "take it back")
    .addHelpText("after", "\nExample:\n  ttsr-agent rules trust")
    .action(async ({ revoke }: { revoke?: boolean }) => {
      await trust(revoke === true);
      done(0);
    });
}

async function trust(revoke: boolean): Promise<void> {
  const store = new TrustStore(systemDirs().state);
  const root = projectRoot(process.cwd());
  if (revoke) {
    if (!store.revoke(root))
      throw new UserError("not-trusted", `${root} is not trusted, so there is nothing to take back.`, 1);
    printLine(`${root} is not trusted any more.`);
    return;
  }
  const { set } = await loadRules({ trusted: true });
  const rules = allRules(set).filter(({ provider }) => !NOT_THE_REPOSITORY_S.has(provider));
  const others = repositoryInputs(process.cwd());
  store.trust(root, [...rules, ...others]);
  const more = others.length === 0 ? "" : ` and ${count(others.length, "other file")} that it obeys`;
  printLine(`${root} is trusted with ${count(rules.length, "rule")}${more}, as they are now.`);
}
