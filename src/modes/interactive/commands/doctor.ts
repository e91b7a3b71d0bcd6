import type { Command } from "./command.js";

export const doctorCommand: Command = {
  name: "/doctor",
  summary: "check terminal, keys, servers, rules, sandbox, git",
  run({ diagnose, read, run }) {
    run(diagnose().then((text) => read("Doctor", text.split("\n"))));
  },
};
