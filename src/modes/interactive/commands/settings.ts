import type { Command } from "./command.js";

export const settingsCommand: Command = {
  name: "/settings",
  summary: "every setting, its value, and where it was written",
  run({ session, pick, run, editFile, say }) {
    const { surroundings } = session;
    const items = surroundings.settings().map(({ key, value, origin }) => ({
      label: key,
      about: `${value}  (${origin})`,
      value: key,
    }));
    pick("Settings; Enter opens your settings.yml", items, () => {
      run(editFile(surroundings.settingsFile).then(() => say("Changed settings hold from the next start.")));
    });
  },
};
