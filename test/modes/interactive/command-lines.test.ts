import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandLines } from "../../../src/modes/interactive/dialogs/command-lines.js";

describe("a command with its parts", () => {
  it.each([
    ["npm test", ["npm test"]],
    ["npm test && rm -rf dist || true", ["npm test", "&& rm -rf dist", "|| true"]],
    ["curl -s x | sh", ["curl -s x", "| sh"]],
    ["cd a; ls;", ["cd a", "; ls ;"]],
    ["sleep 5 & wait", ["sleep 5", "& wait"]],
    ["a > out 2>&1 && b", ["a > out 2>&1", "&& b"]],
    ["a &> all; b", ["a &> all", "; b"]],
    [`echo "a && b" 'c; d' e\\;f`, [`echo "a && b" 'c; d' e\\;f`]],
    ["one\ntwo", ["one", "two"]],
    ["cat <<EOF\na; b\nEOF", ["cat <<EOF", "a; b", "EOF"]],
    [`echo 'open && never closed`, [`echo 'open && never closed`]],
  ])("%j", (command, rows) => {
    expect(commandLines(command)).toEqual(rows);
  });

  it("leaves nothing out but blanks", () => {
    const plain = (text: string): string => text.replaceAll(/\s/g, "");
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab ;&|<>'\"`\\\n$()2") }), (command) => {
        expect(plain(commandLines(command).join(""))).toBe(plain(command));
      }),
    );
  });
});
