/** What other agents call their tools, so that a rule about `bash` or `edit` sees what they did with theirs. */
import type { Json } from "../../agent/messages.js";

export interface Call {
  toolName: string;
  args: { readonly [key: string]: Json };
}

const BASH = new Set([
  "bash",
  "shell",
  "exec",
  "run_terminal_cmd",
  "execute_command",
  "run_shell_command",
  "local_shell",
]);
const WRITE = new Set(["write", "write_to_file", "write_file", "create_file", "create"]);
const EDIT = new Set([
  "edit",
  "multiedit",
  "editor",
  "str_replace",
  "str_replace_editor",
  "replace_in_file",
  "replace",
]);

const PATHS = ["path", "file_path", "filePath", "filename", "target_file"];
const CONTENTS = ["content", "contents", "file_text", "text"];
const OLD = ["old", "old_string", "oldText", "old_text", "old_str", "oldString"];
const NEW = ["new", "new_string", "newText", "new_text", "new_str", "newString"];

/** @returns the calls of ours that do what this one does; one that is like none of ours comes back as it is */
export function likeOurs({ toolName, args }: Call): Call[] {
  const name = toolName.toLowerCase();
  if (name === "run_commands" && Array.isArray(args["commands"])) {
    return args["commands"].flatMap((command) => (typeof command === "string" ? [bash(command)] : []));
  }
  if (BASH.has(name)) {
    const command = commandOf(args);
    if (command !== undefined) return [bash(command)];
  }
  const path = first(args, PATHS);
  const file = path === undefined ? {} : { path };
  if (WRITE.has(name)) {
    const content = first(args, CONTENTS);
    if (content !== undefined) return [{ toolName: "write", args: { ...file, content } }];
  }
  if (EDIT.has(name)) {
    const list = Array.isArray(args["edits"]) ? args["edits"] : [args];
    const edits = list.flatMap((edit) => replacement(edit));
    if (edits.length > 0) return [{ toolName: "edit", args: { ...file, edits } }];
  }
  return [{ toolName, args }];
}

function bash(command: string): Call {
  return { toolName: "bash", args: { command } };
}

/** `["bash", "-lc", "ls"]` is the way of some. */
function commandOf(args: Call["args"]): string | undefined {
  const command = args["command"] ?? args["cmd"];
  if (typeof command === "string") return command;
  return Array.isArray(command) && command.every((part) => typeof part === "string") ? command.at(-1) : undefined;
}

function replacement(edit: Json): Json[] {
  if (typeof edit !== "object" || edit === null || Array.isArray(edit)) return [];
  const fields = edit as Call["args"];
  const now = first(fields, NEW);
  return now === undefined ? [] : [{ old: first(fields, OLD) ?? "", new: now }];
}

function first(args: Call["args"], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = args[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}
