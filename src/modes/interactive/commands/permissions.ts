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
  run({ session, pick, say }) {
    const present = session.state.permissionMode;
    const items = MODES.map(({ mode, about }) => ({
      label: mode,
      about: mode === present ? `${about} (now)` : about,
      value: mode,
    }));
    pick("What runs without asking", items, (mode) => {
      session.setPermissionMode(mode);
      say(`Permission mode is ${mode} for this session.`);
    });
  },
};
