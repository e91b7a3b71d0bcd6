import { RulesPanel } from "../dialogs/rules-panel.js";
import type { Command } from "./command.js";

export const rules: Command = {
  name: "rules",
  summary: "stream rules: state, hits, mute",
  run({ session, open, close }) {
    const panel: RulesPanel = new RulesPanel(session, () => close(panel));
    open(panel);
  },
};
