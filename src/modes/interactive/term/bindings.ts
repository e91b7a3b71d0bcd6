/** Which key does what in the editor and everywhere. `keybindings.yml` of the config folder changes it; Enter, Esc, Ctrl+C and Ctrl+D stay. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "../../../platform/did-you-mean.js";
import { UserError } from "../../../platform/errors.js";
import { errorCode } from "../../../platform/paths.js";
import { parseYaml } from "../../../platform/yaml.js";
import type { Key } from "./key-parser.js";

interface ActionInfo {
  keys: readonly string[];
  /** For the help. */
  about: string;
}

/** Kitty names Ctrl+_ by the keys that make it. */
const ACTIONS = {
  newline: { keys: ["ctrl+j", "shift+enter"], about: "new line (and \\ before Enter)" },
  steer: { keys: ["alt+enter", "ctrl+enter"], about: "send at once, after the present tool" },
  "next-mode": { keys: ["shift+tab"], about: "what runs without asking" },
  expand: { keys: ["ctrl+o"], about: "show whole what was shortened" },
  "rule-choices": { keys: ["ctrl+t"], about: "the last interrupt: let through, mute, false alarm, edit" },
  mend: { keys: ["ctrl+x"], about: "have the model mend what a run left behind" },
  "history-search": { keys: ["ctrl+r"], about: "search earlier prompts" },
  "external-editor": { keys: ["ctrl+g"], about: "write in $VISUAL or $EDITOR" },
  suspend: { keys: ["ctrl+z"], about: "suspend; fg comes back" },
  up: { keys: ["up", "ctrl+p"], about: "row above, then earlier prompts" },
  down: { keys: ["down", "ctrl+n"], about: "row below, then later prompts" },
  left: { keys: ["left", "ctrl+b"], about: "a character back" },
  right: { keys: ["right", "ctrl+f"], about: "a character on" },
  "word-left": { keys: ["ctrl+left", "alt+left", "alt+b"], about: "a word back" },
  "word-right": { keys: ["ctrl+right", "alt+right", "alt+f"], about: "a word on" },
  "line-start": { keys: ["home", "ctrl+a"], about: "start of the line" },
  "line-end": { keys: ["end", "ctrl+e"], about: "end of the line" },
  "text-start": { keys: ["ctrl+home", "alt+<"], about: "start of the text" },
  "text-end": { keys: ["ctrl+end", "alt+>"], about: "end of the text" },
  backspace: { keys: ["backspace", "shift+backspace"], about: "delete before the cursor" },
  delete: { keys: ["delete", "ctrl+d"], about: "delete at the cursor" },
  "kill-word-before": { keys: ["ctrl+w", "alt+backspace", "ctrl+backspace"], about: "cut the word before" },
  "kill-word-after": { keys: ["alt+d", "ctrl+delete", "alt+delete"], about: "cut the word behind" },
  "kill-line-start": { keys: ["ctrl+u"], about: "cut to the start of the line" },
  "kill-line-end": { keys: ["ctrl+k"], about: "cut to the end of the line" },
  yank: { keys: ["ctrl+y"], about: "put back what was cut" },
  "yank-older": { keys: ["alt+y"], about: "after that: what was cut before it" },
  undo: { keys: ["ctrl+_", "ctrl+-", "ctrl+/", "ctrl+shift+-", "ctrl+shift+_"], about: "undo" },
  redo: { keys: ["ctrl+shift+z", "alt+z"], about: "redo" },
} as const satisfies Record<string, ActionInfo>;

export type Action = keyof typeof ACTIONS;

const FILE = "keybindings.yml";
const NAMES: ReadonlySet<string> = new Set(
  "enter tab backspace delete escape up down left right home end pageup pagedown space f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12".split(
    " ",
  ),
);
/** What must always work. */
const FIXED: ReadonlySet<string> = new Set(["enter", "escape", "ctrl+c"]);

export class Bindings {
  readonly #actions = new Map<string, Action>();

  /** @param changes action → its keys in place of the usual ones; a key that is given away is taken from whoever had it */
  constructor(changes: ReadonlyMap<Action, readonly string[]> = new Map()) {
    for (const [action, { keys }] of Object.entries(ACTIONS) as [Action, ActionInfo][]) {
      if (!changes.has(action)) for (const key of keys) this.#actions.set(key, action);
    }
    for (const [action, keys] of changes) for (const key of keys) this.#actions.set(key, action);
  }

  actionOf(key: Key): Action | undefined {
    return this.#actions.get(spelled(key));
  }

  /** @returns every action with its keys as people write them, in the order of the table */
  list(): { action: Action; keys: string[]; about: string }[] {
    return (Object.entries(ACTIONS) as [Action, ActionInfo][]).map(([action, { about }]) => ({
      action,
      about,
      keys: [...this.#actions].filter(([, each]) => each === action).map(([key]) => shownKey(key)),
    }));
  }

  /** @returns the first key of an action as people write it; "" when it has none */
  keyOf(action: Action): string {
    return this.list().find((each) => each.action === action)?.keys[0] ?? "";
  }
}

/**
 * @param configDir absolute; the file need not exist
 * @throws UserError (exit 2) with file and line, for an action or key that there is not
 */
export function loadBindings(configDir: string): Bindings {
  const file = join(configDir, FILE);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new Bindings();
    throw new UserError("bad-keybindings", `${file} cannot be read: ${errorCode(error)}.`, 2, { cause: error });
  }
  const { value, problems, lineOf } = parseYaml(text);
  const [problem] = problems;
  if (problem) throw bad(file, problem.line, `${problem.message}.`);
  if (value === null || value === undefined) return new Bindings();
  if (typeof value !== "object" || Array.isArray(value)) throw bad(file, 1, 'write "action: key", one a line.');
  const changes = new Map<Action, readonly string[]>();
  for (const [name, written] of Object.entries(value)) {
    const fault = (message: string): UserError => bad(file, lineOf([name]) ?? 1, message);
    if (!isAction(name)) {
      const near = didYouMean(name, Object.keys(ACTIONS));
      throw fault(`there is no action "${name}"; ${near ? `did you mean "${near}"?` : "/help lists them."}`);
    }
    changes.set(name, keysOf(written, fault));
  }
  const taken = new Map<string, Action>();
  for (const [action, keys] of changes) {
    for (const key of keys) {
      const other = taken.get(key);
      if (other) throw bad(file, lineOf([action]) ?? 1, `${key} is given to "${other}" and to "${action}".`);
      taken.set(key, action);
    }
  }
  return new Bindings(changes);
}

function keysOf(written: unknown, fault: (message: string) => UserError): string[] {
  const list = written === null ? [] : Array.isArray(written) ? written : [written];
  return list.map((each) => {
    if (typeof each !== "string") throw fault("a key is written as ctrl+k, alt+left, f2 …, or a list of such.");
    const key = parseKey(each);
    if (key === undefined) throw fault(`"${each}" is no key; write ctrl+k, alt+left, shift+tab, f2 …`);
    if (FIXED.has(key)) throw fault(`${key} cannot be given away.`);
    return key;
  });
}

/** @returns the spelling that `spelled` gives, undefined for no key */
function parseKey(text: string): string | undefined {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/\+(?=.)/);
  const name = parts.pop() ?? "";
  if (!NAMES.has(name) && [...name].length !== 1) return undefined;
  if (parts.some((part) => part !== "ctrl" && part !== "alt" && part !== "shift")) return undefined;
  const has = (part: string): boolean => parts.includes(part);
  return join3(has("ctrl"), has("alt"), has("shift"), name);
}

function spelled({ name, ctrl, alt, shift }: Key): string {
  return join3(ctrl, alt, shift, name === " " ? "space" : name);
}

function join3(ctrl: boolean, alt: boolean, shift: boolean, name: string): string {
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

function shownKey(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("+");
}

function isAction(name: string): name is Action {
  return Object.hasOwn(ACTIONS, name);
}

function bad(file: string, line: number, message: string): UserError {
  return new UserError("bad-keybindings", `${file}:${line}: ${message}`, 2);
}
