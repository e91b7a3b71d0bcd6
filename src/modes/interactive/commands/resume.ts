import type { Command, CommandContext } from "./command.js";
import { leave } from "./leave.js";

export const resumeCommand: Command = {
  name: "/resume",
  summary: "go on with an earlier conversation of this folder",
  argument: "[id]",
  run(context, argument) {
    if (argument !== "") {
      leave(context, () => open(context, argument));
      return;
    }
    const others = context.session.surroundings.sessions().filter(({ id }) => id !== context.session.id);
    const items = others.map(({ id, title, updatedAt, messages }) => ({
      label: title || id,
      about: `${updatedAt.slice(0, 16).replace("T", " ")}, ${messages} messages`,
      value: id,
    }));
    if (items.length === 0) context.say("There is no earlier conversation in this folder.");
    else context.pick("Go on with", items, (id) => leave(context, () => open(context, id)));
  },
};

async function open({ session, showConversation }: CommandContext, id: string): Promise<void> {
  await session.resume(id);
  showConversation();
}
