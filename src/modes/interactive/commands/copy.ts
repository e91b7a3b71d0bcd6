import { textOf } from "../../../agent/messages.js";
import type { Command } from "./command.js";

export const copyCommand: Command = {
  name: "/copy",
  summary: "put the last answer, or a piece of code in it, on the clipboard",
  run({ session, say, copy, pick }) {
    const answer = session.messages.findLast(
      (message) => message.role === "assistant" && textOf(message).trim() !== "",
    );
    if (!answer) {
      say("There is no answer to copy yet.");
      return;
    }
    const whole = textOf(answer).trim();
    const give = (text: string): void => {
      copy(text);
      say(`Copied ${text.length} characters.`);
    };
    const blocks = [...whole.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1[ \t]*$/gm)].map(([, , code = ""]) => code);
    if (blocks.length === 0) {
      give(whole);
      return;
    }
    const first = (text: string): string => text.trim().split("\n", 1)[0] ?? "";
    const code = blocks.map((block) => ({ label: "code", about: first(block), value: block }));
    pick("Copy", [{ label: "answer", about: first(whole), value: whole }, ...code], give);
  },
};
