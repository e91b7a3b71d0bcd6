import type { Command } from "commander";
import { TrustStore } from "../../../config/trust.js";
import { type ExitCode, UserError } from "../../../platform/errors.js";
import { projectRoot } from "../../../platform/project-root.js";
import { systemDirs } from "../../dirs.js";
import { printLine } from "../../output.js";
import { loadRules } from "./load.js";

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
  const rules = [set.items, set.off, set.broken, set.shadowed]
    .flat()
    .map((each) => ("rule" in each ? each.rule : each))
    .filter((rule) => rule.provider === "project");
  store.trust(root, rules);
  printLine(`${root} is trusted with ${rules.length} ${rules.length === 1 ? "rule" : "rules"} as they are now.`);
}
