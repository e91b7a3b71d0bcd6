/** The user's own editor on a file, with the terminal all to itself. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";

function editorOf(env: NodeJS.ProcessEnv): string {
  return env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
}

/**
 * Runs `$VISUAL`, `$EDITOR` or vi; a value with arguments such as "code --wait" is the shell's to read.
 * @throws UserError when it cannot be started or ends with a fault
 */
export function editFile(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const editor = editorOf(env);
  return new Promise((resolve, reject) => {
    const failed = (why: string, cause?: unknown): void =>
      reject(
        new UserError("no-editor", `The editor "${editor}" ${why}; set $EDITOR to the one you use.`, 1, { cause }),
      );
    const child =
      process.platform === "win32"
        ? spawn(`${editor} "${path}"`, { shell: true, stdio: "inherit", env })
        : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env });
    child.on("error", (error) => failed("could not be started", error));
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else failed(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}

/**
 * Lets the user write on a text in a file of its own.
 * @param edit opens the editor on a path
 * @returns the text as it was left, without the line end that editors add
 */
export async function editText(text: string, edit: (path: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ttsr-agent-prompt-"));
  try {
    const file = join(folder, "prompt.md");
    writeFileSync(file, text, { mode: 0o600 });
    await edit(file);
    return readFileSync(file, "utf8").replaceAll("\r\n", "\n").replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
