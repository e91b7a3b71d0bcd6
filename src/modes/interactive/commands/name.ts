import type { Command } from "./command.js";

export const nameCommand: Command = {
  name: "/name",
  summary: "give this conversation a title",
  argument: "TITLE",
  run({ session, say }, argument) {
    if (argument === "") {
      say("Write the title behind it: /name the new parser");
      return;
    }
    const title = argument.replaceAll(/\s+/g, " ");
    session.rename(title);
    say(`This conversation is "${title}" from now on.`);
  },
};
