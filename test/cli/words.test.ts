import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addSubcommands } from "../../src/cli/commands/index.js";
import { settleWords } from "../../src/cli/words.js";

const program = new Command("ttsr-agent");
addSubcommands(program, () => undefined);
const settle = (line: string): string => settleWords(program, line === "" ? [] : line.split(" ")).join(" ");

describe("words that may be a command or a prompt", () => {
  it.each([
    ["help", "--help"],
    ["help rules", "rules --help"],
    ["help rules check", "rules check --help"],
    ["help config", "config --help"],
  ])("%s is %s", (line, meant) => {
    expect(settle(line)).toBe(meant);
  });

  it.each([
    "",
    "explain",
    "hello",
    "fix modles",
    "modles are broken",
    "rulse what are they",
    "help me",
    "help me with rules",
    "help rules work better",
    "-p modles",
    "--print modles",
    "models --json",
    "rules",
    "rules --json",
    "what's",
  ])("%j stays as it is", (line) => {
    expect(settle(line)).toBe(line);
  });

  it.each([
    ["modles", 'There is no "ttsr-agent modles"; did you mean ttsr-agent models? To send it as a prompt, use -p'],
    ["modles --json", "did you mean ttsr-agent models?"],
    ["rule", "did you mean ttsr-agent rules?"],
    ["rulse list", "did you mean ttsr-agent rules list?"],
    ["hlep", "did you mean ttsr-agent help?"],
    ["help modles", "did you mean ttsr-agent models?"],
    ["rules lst", 'no "ttsr-agent rules lst"; did you mean list?'],
    ["help rules lst", 'no "ttsr-agent rules lst"; did you mean list?'],
    ["config st", 'no "ttsr-agent config st"; there are get, schema, help.'],
  ])("%s is refused", (line, said) => {
    expect(() => settle(line)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(said) }),
    );
  });
});
