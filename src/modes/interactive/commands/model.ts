import { count } from "../rows/status.js";
import type { Command, CommandContext } from "./command.js";

export const modelCommand: Command = {
  name: "/model",
  summary: "choose the model that answers",
  argument: "[provider/model]",
  run(context, argument) {
    context.run(argument === "" ? choose(context) : use(context, argument));
  },
};

async function choose(context: CommandContext): Promise<void> {
  const models = await context.session.surroundings.models();
  const { model } = context.session.state;
  const present = `${model.provider}/${model.model}`;
  // What can be asked at once comes first.
  const items = [...models]
    .sort((a, b) => Number(b.ready) - Number(a.ready))
    .map(({ spec, name, ready, missing, contextWindow }) => {
      const window = contextWindow === undefined ? "" : `, ${count(contextWindow)} tokens`;
      const about = ready ? `${name}${window}` : `needs ${missing ?? "a key"}`;
      return { label: spec, about: spec === present ? `${about} (now)` : about, value: spec };
    });
  context.pick("Model", items, (spec) => context.run(use(context, spec)));
}

async function use({ session, say }: CommandContext, spec: string): Promise<void> {
  const remark = await session.chooseModel(spec);
  const { model, thinking } = session.state;
  say([`${model.provider}/${model.model} answers from now on, thinking ${thinking}.`, remark ?? ""].join(" ").trim());
}
