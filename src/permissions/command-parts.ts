/** What can be told of a command line without parsing it: whether it is one plain command, and which commands may be in it. */

/** Signs with which one command line runs more than the one command that it seems to be. */
const SHELL_SIGNS = /[;&|<>$`\n\r(){}!\\#*?[\]~"']/;
/** `NAME=value` in front of a command changes what it runs. */
const ASSIGNMENT = /^\w+\+?=/;

/** @returns whether the line is one command without any sign that the shell acts on, and with nothing set in front of it */
export function isPlainCommand(command: string): boolean {
  const line = command.trim();
  return !SHELL_SIGNS.test(line) && !ASSIGNMENT.test(line);
}

/** Words that run the command after them; options of theirs are skipped too. */
const RUNNERS = new Set(
  "sudo doas env command builtin exec eval nohup nice ionice time timeout stdbuf setsid xargs watch then do else if while until ! bash sh zsh dash ksh busybox".split(
    " ",
  ),
);
const MAX_RUNNERS = 10;

/**
 * For denying, where a reading too many does no harm: the whole line, its parts between the signs that separate commands, each also without
 * quotes and without what runs it (`sudo`, `env A=1`, `bash -c`), and by the bare name of its program.
 */
export function commandReadings(command: string): string[] {
  const readings = new Set<string>([command.trim()]);
  for (const text of [command, command.replaceAll(/\\\r?\n/g, "").replaceAll(/["'\\]/g, "")]) {
    for (const part of text.split(/[;&|\n\r(){}<>`]|\$\(/)) {
      for (const reading of withoutRunners(part)) readings.add(reading);
    }
  }
  readings.delete("");
  return [...readings];
}

function* withoutRunners(part: string): Generator<string> {
  let words = part.trim().split(/\s+/);
  yield words.join(" ");
  for (let step = 0; step < MAX_RUNNERS && words.length > 0; step++) {
    const [first = ""] = words;
    const name = first.slice(first.lastIndexOf("/") + 1);
    if (name !== first) yield [name, ...words.slice(1)].join(" ");
    if (!RUNNERS.has(name) && !ASSIGNMENT.test(first)) return;
    words = words.slice(1);
    // `timeout 5 rm`, `nice -n 5 rm`: an option or number is no program.
    while (words[0] !== undefined && /^[-+\d]/.test(words[0])) words = words.slice(1);
    yield words.join(" ");
  }
}
