import type { ThinkingLevel } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import type { SessionManager } from "./session-manager.js";
import type { ModelOffer, SessionOffer, SettingLine } from "./ui.js";

/** What there is round a session to choose from. */
export interface Surroundings {
  models(): Promise<readonly ModelOffer[]>;
  /** @throws UserError for what names no model, or one without a key */
  connect(spec: string): Promise<{ model: ModelStream; thinking?: ThinkingLevel; notice?: string }>;
  /** Of this folder, newest first. */
  sessions(): readonly SessionOffer[];
  /** @throws UserError when no session fits */
  openLog(id: string): SessionManager;
  settings(): readonly SettingLine[];
  /** Absolute; need not exist. */
  settingsFile: string;
}
