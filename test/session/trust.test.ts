import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Rule } from "../../src/capability/rule.js";
import type { RuleSet } from "../../src/capability/rule-capability.js";
import { TrustStore } from "../../src/config/trust.js";
import { settleTrust } from "../../src/session/trust.js";
import type { TrustQuestion } from "../../src/session/ui.js";
import { rule } from "../support/rules.js";

let root: string;
let cwd: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ttsr-trust-"));
  cwd = join(root, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a rule file. @returns the rule with the hash of what stands in it */
function put(name: string, text: string): Rule {
  const path = join(cwd, `${name}.md`);
  writeFileSync(path, text);
  return rule(name, { path, hash: createHash("sha256").update(text).digest("hex") });
}

describe("TTSR-1.7 what changed between sessions", () => {
  it("is asked with the diff of each changed file; a new file has none", async () => {
    const store = new TrustStore(join(root, "state"), () => new Date(0));
    store.trust(cwd, [put("old", "the first text\n")]);
    const now = [put("old", "the second text\n"), put("new", "new\n")];

    const asked: TrustQuestion[] = [];
    const answer = await settleTrust({
      cwd,
      store,
      rules: { untrusted: now.map((each) => ({ rule: each })) } as unknown as RuleSet,
      inputs: [],
      ask: async (question) => asked.push(question) > 0,
    });

    expect(answer).toEqual({ accepted: true, refused: false });
    expect(asked).toMatchObject([
      {
        kind: "changed",
        changes: [
          {
            path: join(cwd, "old.md"),
            diff: expect.stringContaining("-the first text\n+the second text"),
          },
          { path: join(cwd, "new.md"), diff: "(new file)" },
        ],
      },
    ]);
    expect(store.trustState(cwd, now)).toBe("trusted");
  });
});
