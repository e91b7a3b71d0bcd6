import type { Command, CommandContext } from "./command.js";

export const muteCommand: Command = {
  name: "/mute",
  summary: "let a rule rest for this session, or wake it",
  argument: "[rule]",
  run(context, argument) {
    const rules = context.session.rules().filter((rule) => rule.state === "armed" || rule.muted);
    if (argument === "") {
      const items = rules.map(({ name, description, muted }) => ({
        label: name,
        about: muted ? `muted; ${description}` : description,
        value: name,
      }));
      if (items.length === 0) context.say("No rule is armed here.");
      else context.pick("Mute or wake a rule", items, (name) => toggle(context, name));
    } else if (rules.some(({ name }) => name === argument)) toggle(context, argument);
    else context.say(`No rule "${argument}" is armed; /rules shows them all.`);
  },
};

function toggle({ session, say }: CommandContext, name: string): void {
  const muted = session.rules().find((rule) => rule.name === name)?.muted !== true;
  session.muteRule(name, muted);
  say(muted ? `${name} is muted for this session.` : `${name} is armed again.`);
}
