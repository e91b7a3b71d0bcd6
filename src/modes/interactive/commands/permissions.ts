import type { PermissionMode } from "../session-port.js";
import type { Command } from "./command.js";

const MODES: readonly { mode: PermissionMode; about: string }[] = [
  { mode: "plan", about: "reads only" },
  { mode: "ask", about: "edits and commands ask" },
  { mode: "auto-edit", about: "edits in the workspace run, commands ask" },
  { mode: "yolo", about: "asks for nothing but protected paths" },
];

export const permissionsCommand: Command = {
  name: "/permissions",
  summary: "what runs without asking",
  argument: "[mode]",
  run({ session, pick, say }, argument) {
    const use = (mode: PermissionMode): void => {
      session.setPermissionMode(mode);
      say(`Permission mode is ${mode} for this session.`);
    };
    const named = MODES.find(({ mode }) => mode === argument);
    if (named) {
      use(named.mode);
      return;
    }
    if (argument !== "") {
      say(`There is no mode "${argument}"; there are ${MODES.map(({ mode }) => mode).join(", ")}.`);
      return;
    }
    const present = session.state.permissionMode;
    const items = MODES.map(({ mode, about }) => ({
      label: mode,
      about: mode === present ? `${about} (now)` : about,
      value: mode,
    }));
    pick("What runs without asking", items, use);
  },
};
