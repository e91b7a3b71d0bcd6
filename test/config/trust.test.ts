import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TrustStore } from "../../src/config/trust.js";
import { workspace } from "../discovery/workspace.js";

const date = () => new Date("2026-01-02T03:04:05Z");

function setUp(files: Record<string, string> = { "repo/.rules/a.md": "one" }) {
  const space = workspace(files);
  const store = new TrustStore(space.dirs.state, date);
  const file = (path: string) => ({
    path: space.at(path),
    hash: createHash("sha256")
      .update(readFileSync(space.at(path)))
      .digest("hex"),
  });
  return { space, store, file };
}

describe("TTSR-1.7 the trust store", () => {
  it("new, trusted, changed, added, accepted, revoked", () => {
    const { space, store, file } = setUp();
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("new");
    expect(store.revoke(space.repo)).toBe(false);
    store.trust(space.repo, [file("repo/.rules/a.md")]);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("trusted");
    expect(store.trustState(space.repo, [])).toBe("trusted");

    space.write("repo/.rules/a.md", "two");
    space.write("repo/.rules/b.md", "three");
    const now = [file("repo/.rules/a.md"), file("repo/.rules/b.md")];
    expect(store.trustState(space.repo, now)).toEqual({
      changed: [
        { ...now[0], kind: "changed", before: "one" },
        { ...now[1], kind: "added" },
      ],
    });
    store.accept(space.repo, now.slice(1));
    expect(store.trustState(space.repo, now)).toMatchObject({ changed: [{ path: now[0]?.path }] });
    store.accept(space.repo, now);
    expect(store.trustState(space.repo, now)).toBe("trusted");
    expect(store.revoke(space.repo)).toBe(true);
    expect(store.trustState(space.repo, now)).toBe("new");
  });

  it("a folder that has no rules can be trusted, and its first rule is then a change", () => {
    const { space, store, file } = setUp();
    store.trust(space.repo, []);
    expect(store.knows(space.repo)).toBe(true);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toMatchObject({ changed: [{ kind: "added" }] });
  });

  it("is keyed by the real path: a link is the folder, a neighbour or a subfolder is not", () => {
    const { space, store, file } = setUp();
    symlinkSync(space.repo, space.at("link"));
    store.trust(space.at("link"), [{ ...file("repo/.rules/a.md"), path: space.at("link/.rules/a.md") }]);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("trusted");
    expect(store.knows(space.at("link"))).toBe(true);
    mkdirSync(space.at("repo/sub"));
    mkdirSync(space.at("repo-evil"));
    expect([store.knows(space.at("repo/sub")), store.knows(space.at("repo-evil")), store.knows(space.root)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("accepts what the user saw, not what stands there a moment later", () => {
    const { space, store, file } = setUp();
    const seen = file("repo/.rules/a.md");
    space.write("repo/.rules/a.md", "swapped");
    store.trust(space.repo, [seen]);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toMatchObject({ changed: [{ kind: "changed" }] });
    expect(readFileSync(store.file, "utf8")).not.toContain("swapped");
    rmSync(space.at("repo/.rules/a.md"));
    store.accept(space.repo, [seen]);
  });

  it("`accept` alone trusts nobody", () => {
    const { space, store, file } = setUp();
    expect(() => store.accept(space.repo, [file("repo/.rules/a.md")])).toThrow(
      expect.objectContaining({ code: "not-trusted" }),
    );
    expect(store.knows(space.repo)).toBe(false);
  });

  it("folders do not touch each other, nor do two stores on one file", () => {
    const { space, store, file } = setUp({ "repo/.rules/a.md": "one", "other/.rules/a.md": "two" });
    store.trust(space.repo, [file("repo/.rules/a.md")]);
    new TrustStore(space.dirs.state, date).trust(space.at("other"), [file("other/.rules/a.md")]);
    store.revoke(space.repo);
    expect(store.trustState(space.at("other"), [file("other/.rules/a.md")])).toBe("trusted");
  });

  it("keeps old texts up to a limit, and hashes beyond it", () => {
    const big = "x".repeat(700_000);
    const { space, store, file } = setUp({ "repo/.rules/a.md": big, "repo/.rules/b.md": `${big}b` });
    store.trust(space.repo, [file("repo/.rules/a.md"), file("repo/.rules/b.md")]);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md"), file("repo/.rules/b.md")])).toBe("trusted");
    expect(statSync(store.file).size).toBeLessThan(1_100_000);
  });

  it("S38 folder 0700, file 0600, with any umask, and no temporary file stays", () => {
    const { space, store, file } = setUp();
    const before = process.umask(0);
    try {
      store.trust(space.repo, [file("repo/.rules/a.md")]);
    } finally {
      process.umask(before);
    }
    expect(statSync(space.dirs.state).mode & 0o777).toBe(0o700);
    expect(statSync(store.file).mode & 0o777).toBe(0o600);
    chmodSync(store.file, 0o644);
    store.revoke(space.repo);
    expect(statSync(store.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(space.dirs.state)).toEqual(["trust.json"]);
  });

  it.each(["", "{", "null", "[]", '{"folders":7}', '{"folders":{"/":{"files":{}}}}', '{"__proto__":{"folders":{}}}'])(
    "a damaged file trusts nobody: %j",
    (text) => {
      const { space, store, file } = setUp();
      mkdirSync(space.dirs.state);
      writeFileSync(store.file, text);
      expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("new");
      store.trust(space.repo, [file("repo/.rules/a.md")]);
      expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("trusted");
    },
  );

  it("S1 nothing in the repository can answer for it", () => {
    const { space, store, file } = setUp({
      "repo/.rules/a.md": "one",
      "repo/trust.json": "{}",
      "repo/.ttsr-agent/trust.json": "{}",
    });
    const forged = JSON.stringify({ version: 1, folders: { [space.repo]: { trustedAt: "x", files: {} } } });
    for (const path of ["repo/trust.json", "repo/.ttsr-agent/trust.json"]) space.write(path, forged);
    expect(store.trustState(space.repo, [file("repo/.rules/a.md")])).toBe("new");
  });

  it("says where it could not save", () => {
    const { space, file } = setUp();
    space.write("blocked", "a file where the folder should be");
    const store = new TrustStore(join(space.at("blocked"), "state"), date);
    expect(() => store.trust(space.repo, [file("repo/.rules/a.md")])).toThrow(
      expect.objectContaining({ code: "trust-not-saved" }),
    );
  });
});
