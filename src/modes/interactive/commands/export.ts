import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Message, textOf } from "../../../agent/messages.js";
import { UserError } from "../../../platform/errors.js";
import { errorCode } from "../../../platform/paths.js";
import type { Command, CommandContext } from "./command.js";

export const exportCommand: Command = {
  name: "/export",
  summary: "write this conversation into a markdown file",
  argument: "[file]",
  run(context, argument) {
    if (context.session.messages.length === 0) context.say("There is nothing to write down yet.");
    else context.run(write(context, argument));
  },
};

async function write({ session, say }: CommandContext, argument: string): Promise<void> {
  const path = resolve(session.cwd, argument === "" ? `conversation-${session.id}.md` : argument);
  try {
    // Never over a file that is there.
    await writeFile(path, session.messages.map(section).join("\n"), { flag: "wx" });
  } catch (error) {
    const why = errorCode(error) === "EEXIST" ? "it is there already" : (errorCode(error) ?? "unknown");
    throw new UserError("not-exported", `${path} was not written: ${why}; name another file behind /export.`, 1, {
      cause: error,
    });
  }
  say(`Written to ${path}.`);
}

function section(message: Message): string {
  if (message.role === "assistant") {
    const parts = message.content.map((block) => {
      if (block.type === "text") return `${block.text}\n`;
      return block.type === "toolCall" ? fenced(`${block.name} ${JSON.stringify(block.arguments, null, 2)}`) : "";
    });
    const cut = message.cutBy ? ` (cut by ${message.cutBy.join(", ")})` : "";
    return `## ${message.provider}/${message.model}${cut}\n\n${parts.filter((part) => part !== "").join("\n")}`;
  }
  if (message.role === "toolResult") return `### ${message.toolName}\n\n${fenced(textOf(message))}`;
  if (message.synthetic === "user-command") return `### Your command\n\n${fenced(textOf(message))}`;
  return `## ${message.synthetic ? "Rule" : "You"}\n\n${textOf(message)}\n`;
}

/** Longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}\n`;
}
