/** What the README says can be typed, read or set is really there. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addSubcommands } from "../src/cli/commands/index.js";
import { addAgentOptions } from "../src/cli/options.js";
import { settingKeys } from "../src/config/schema.js";
import { parseModelsFile } from "../src/models/models-file.js";
import { LOCAL_SERVERS, VENDORS } from "../src/models/providers.js";
import { COMMANDS } from "../src/modes/interactive/commands/index.js";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const FACE = readFileSync(new URL("../docs/face.md", import.meta.url), "utf8");
const codeOf = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`|^ {4}(\S.*)$/gm)].map(([, span, line]) => span ?? line ?? "");
const CODE = codeOf(README);

const program = addAgentOptions(new Command("ttsr-agent"));
addSubcommands(program, () => undefined);
const groups = new Map(program.commands.map((command) => [command.name(), command]));
const names = (command: Command): string[] => command.commands.map((one) => one.name());

describe("README", () => {
  it("names subcommands that exist, and all of them", () => {
    const said = new Set<string>();
    for (const code of CODE) {
      const [, name, sub] = /^(?:.*\| )?(?:ttsr-agent )?([a-z]+)(?: ([a-z]+))?/.exec(code) ?? [];
      const group = groups.get(name ?? "");
      if (!group) continue;
      said.add(group.name());
      if (sub === undefined || names(group).length === 0) continue;
      expect([code, names(group)]).toEqual([code, expect.arrayContaining([sub])]);
      said.add(`${group.name()} ${sub}`);
    }
    for (const name of groups.keys()) expect([...said]).toContain(name);
    for (const sub of names(groups.get("rules") ?? program)) expect([...said]).toContain(`rules ${sub}`);
  });

  it("names flags that exist", () => {
    const known = [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)].flatMap(
      (command) => command.options.flatMap(({ long, short }) => [long, short]),
    );
    const ours = CODE.filter((code) => /^(?:.*\| )?ttsr-agent |^--?[a-z]/.test(code));
    const flags = ours.flatMap((code) => [...code.matchAll(/(?<=^|\s)--?[a-z][a-z-]*/g)].map(([flag]) => flag));
    expect(flags.length).toBeGreaterThan(10);
    for (const flag of flags.filter((one) => !/^--(?:force|types)/.test(one))) expect(known).toContain(flag);
  });

  it("names slash commands that exist, and links to the page that names all, with what they take", () => {
    const isCommand = (code: string): boolean => /^\/[a-z]+$/.test(code);
    const known = COMMANDS.map(({ name }) => name);
    expect(README).toContain("(docs/face.md)");
    for (const name of CODE.filter(isCommand)) expect(known).toContain(name);
    expect([...new Set(codeOf(FACE).filter(isCommand))].sort()).toEqual([...known].sort());
    for (const { name, argument } of COMMANDS)
      expect(FACE).toContain(argument === undefined ? `| \`${name}\` |` : `| \`${name}\` \`${argument}\` |`);
  });

  it("names the variables that are read", () => {
    const read = [
      ...VENDORS.flatMap(({ keyEnv, baseUrlEnv }) => [...keyEnv, baseUrlEnv]),
      ...["OLLAMA_HOST", "TTSR_AGENT_HOME", "TTSR_AGENT_STATE", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
      ...["NO_COLOR", "VISUAL", "EDITOR"],
    ];
    const said = CODE.flatMap((code) => /^\$?([A-Z][A-Z_]+)$/.exec(code)?.[1] ?? []);
    for (const name of said) expect(read).toContain(name);
    for (const { baseUrlEnv } of VENDORS) if (baseUrlEnv !== undefined) expect(said).toContain(baseUrlEnv);
    for (const { name } of LOCAL_SERVERS) expect(README).toContain(name);
  });

  it("its models.yml is one, and its settings exist", () => {
    const [, yaml = ""] = /```yaml\n([^`]*)```/.exec(README) ?? [];
    expect(parseModelsFile(yaml, "README.md").providers).toMatchObject([{ id: "my-vllm", wire: "openai-chat" }]);
    for (const key of ["model", "thinking", "permission.deny", "ttsr.enabled"])
      expect([...settingKeys().keys()]).toContain(key);
    expect(README).toContain("`ttsr.*` except `enabled: false`");
  });
});
