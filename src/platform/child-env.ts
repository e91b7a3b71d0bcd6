/** What a child process may know of our environment. */

/** Credentials, by the words that their names hold. */
const SECRET = /KEY|TOKEN|SECRET|PASSW(?:OR)?D|CREDENTIAL/i;

/** Variables that make a shell run or read something before the command, or that open a window to ask for a password. */
const UNWANTED = new Set([
  "BASH_ENV",
  "ENV",
  "BASHOPTS",
  "SHELLOPTS",
  "PROMPT_COMMAND",
  "PS4",
  "CDPATH",
  "GLOBIGNORE",
  "IFS",
  "SSH_ASKPASS",
  "GIT_ASKPASS",
  "FORCE_COLOR",
  "CLICOLOR_FORCE",
]);

/** Nothing asks, nothing pages, nothing paints. */
const CALM = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  SSH_ASKPASS_REQUIRE: "never",
  PAGER: "cat",
  MANPAGER: "cat",
  NO_COLOR: "1",
  CLICOLOR: "0",
  TERM: "dumb",
};

/** @returns a copy without credentials and shell hooks, set up so that no program waits for a person */
export function childEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (!SECRET.test(name) && !UNWANTED.has(name) && !name.startsWith("BASH_FUNC_")) kept[name] = value;
  }
  return { ...kept, ...CALM };
}
