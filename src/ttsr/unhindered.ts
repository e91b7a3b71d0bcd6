import type { TtsrSettings } from "./types.js";

/** For rules that are tried, not obeyed: nothing holds one back, neither what it did before nor what the user set. */
export const UNHINDERED: TtsrSettings = {
  enabled: true,
  contextMode: "discard",
  repeatMode: "always",
  repeatGap: 0,
  interruptMode: "always",
  retryDelayMs: 0,
  budget: { perRule: 0, perRun: 0, perSession: 0 },
};
