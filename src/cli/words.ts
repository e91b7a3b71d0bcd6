/** The words that may be a command or a prompt. What can only be a slip is not sent to a model. */
import type { Command } from "commander";
import { didYouMean } from "../platform/did-you-mean.js";
import { UserError } from "../platform/errors.js";

/**
 * @returns the arguments as commander is to have them: `help rules` as `rules --help`
 * @throws UserError (exit 2) for a word that is near a command's name and cannot be a prompt of more words
 */
export function settleWords(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === undefined || first.startsWith("-")) return argv;
  if (first === "help") return help(program, rest) ?? argv;
  const group = find(program, first);
  if (group) refuseUnknownWord(group, rest[0]);
  else refuseNearWord(program, first, rest);
  return argv;
}

/** A prompt may well begin with "help"; alone, or before a command's name, it can only be meant one way. */
function help(program: Command, words: readonly string[]): string[] | undefined {
  const [name, ...more] = words;
  if (name === undefined) return ["--help"];
  const command = find(program, name);
  if (!command) {
    if (words.length === 1) refuseNearWord(program, name, []);
    return undefined;
  }
  const [sub] = more;
  if (sub === undefined) return [name, "--help"];
  if (more.length > 1) return undefined;
  refuseUnknownWord(command, sub);
  return find(command, sub) ? [name, sub, "--help"] : undefined;
}

/** `rules lst`: without this the default subcommand would take the word, and complain of its number. */
function refuseUnknownWord(group: Command, word: string | undefined): void {
  if (group.commands.length === 0 || word === undefined || word.startsWith("-")) return;
  const words = [...group.commands.map((command) => command.name()), "help"];
  if (words.includes(word)) return;
  const near = didYouMean(word, words);
  const advice = near === undefined ? `there are ${words.join(", ")}.` : `did you mean ${near}?`;
  throw new UserError("usage", `There is no "ttsr-agent ${group.name()} ${word}"; ${advice}`, 2);
}

/** `modles`, `rulse list`: a prompt of one word that looks like a command is hardly ever one. */
function refuseNearWord(program: Command, word: string, rest: readonly string[]): void {
  if (!/^[a-z]+$/i.test(word)) return;
  const near = didYouMean(word, [...program.commands.map((command) => command.name()), "help"]);
  if (near === undefined) return;
  const [next, ...further] = rest.filter((other) => !other.startsWith("-"));
  const group = find(program, near);
  const isSub = next !== undefined && further.length === 0 && group !== undefined && find(group, next) !== undefined;
  if (next !== undefined && !isSub) return;
  const meant = isSub ? `${near} ${next}` : near;
  const sentence = `There is no "ttsr-agent ${word}"; did you mean ttsr-agent ${meant}? To send it as a prompt, use -p or more words.`;
  throw new UserError("usage", sentence, 2);
}

function find(command: Command, name: string): Command | undefined {
  return command.commands.find((one) => one.name() === name);
}
