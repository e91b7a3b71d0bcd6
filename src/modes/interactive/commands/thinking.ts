import type { ThinkingLevel } from "../../../agent/messages.js";
import type { Command, CommandContext } from "./command.js";

const LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

export const thinkingCommand: Command = {
  name: "/thinking",
  summary: "how long the model thinks before it answers",
  argument: "[level]",
  run(context, argument) {
    const level = LEVELS.find((each) => each === argument);
    if (level !== undefined) use(context, level);
    else if (argument !== "") context.say(`There is no level "${argument}"; there are ${LEVELS.join(", ")}.`);
    else {
      const { thinking } = context.session.state;
      const items = LEVELS.map((each) => ({ label: each, about: each === thinking ? "now" : "", value: each }));
      context.pick("Thinking", items, (picked) => use(context, picked));
    }
  },
};

function use({ session, say }: CommandContext, level: ThinkingLevel): void {
  session.setThinking(level);
  say(`Thinking is ${level} from the next request on.`);
}
