/** Which model a session talks to: the one that the user names, else the one that the session had, else settings, keys, local servers. */
import type { ThinkingLevel } from "../agent/messages.js";
import type { Clock, ModelStream } from "../agent/ports.js";
import { placeOf } from "../config/origin.js";
import type { LoadedSettings } from "../config/settings.js";
import { type FoundModel, findModel } from "../models/index.js";
import type { Dirs } from "../platform/dirs.js";
import { UserError } from "../platform/errors.js";
import type { Notice } from "./notice.js";
import type { SessionContext } from "./session-context.js";

export interface ModelWish {
  /** `provider/model[:thinking]`, or a model of one's own. */
  model?: string | ModelStream;
  demoPace?: number;
  fetch?: typeof globalThis.fetch;
}

export interface ChooseContext {
  env: NodeJS.ProcessEnv;
  dirs: Dirs;
  clock: Clock;
  loaded: LoadedSettings;
  /** What the conversation that is gone on with had last. */
  before: Pick<SessionContext, "model" | "thinking">;
}

type Found = Extract<FoundModel, { none?: false }>;

export interface ChosenModel {
  model: ModelStream;
  target?: Found["target"];
  thinking?: ThinkingLevel;
  notices: Notice[];
}

/**
 * @throws UserError: no model at all, or no key (3); a name that is none (2 or 3), with the place where it was written
 */
export async function chooseModel(wish: ModelWish, context: ChooseContext): Promise<ChosenModel> {
  if (typeof wish.model === "object") return { model: wish.model, notices: [] };
  const find = (spec: string | undefined): Promise<FoundModel> =>
    findModel(spec, {
      env: context.env,
      dirs: context.dirs,
      clock: context.clock,
      fetch: wish.fetch ?? globalThis.fetch,
      timeouts: context.loaded.settings.timeouts,
      ...(wish.demoPace === undefined ? {} : { demoPace: wish.demoPace }),
    });
  if (wish.model !== undefined) return chosen(await find(wish.model));

  const written = context.loaded.getWithOrigin("model");
  const { model: had, thinking } = context.before;
  if (had === undefined || written.origin.from === "flag") return chosen(await findWritten(context.loaded, find));
  const name = `${had.provider}/${had.model}`;
  try {
    return { ...(thinking === undefined ? {} : { thinking }), ...chosen(await find(name)) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const other = chosen(await findWritten(context.loaded, find));
    const message = `This session had ${name}, which cannot be had now: ${error.message} It goes on with ${other.model.provider}/${other.model.model}.`;
    return { ...other, notices: [{ type: "notice", level: "warning", code: "model", message }, ...other.notices] };
  }
}

/** By the settings, else what is there. A name that turns out wrong is told with its place: it may stand in somebody else's file. */
async function findWritten(
  { settings, getWithOrigin }: LoadedSettings,
  find: (spec: string | undefined) => Promise<FoundModel>,
): Promise<FoundModel> {
  try {
    return await find(settings.model);
  } catch (error) {
    if (settings.model === undefined || !(error instanceof UserError) || error.code === "bad-models-file") throw error;
    const place = `"model: ${settings.model}" is written in ${placeOf(getWithOrigin("model"))}.`;
    throw new UserError(error.code, `${error.message} ${place}`, error.exitCode, { cause: error });
  }
}

function chosen(found: FoundModel): ChosenModel {
  if (found.none) throw new UserError("no-model", `There is no model to talk to. ${found.hint}`, 3);
  const { model, target, thinking, notice } = found;
  const notices: Notice[] =
    notice === undefined ? [] : [{ type: "notice", level: "info", code: "model", message: notice }];
  return { model, target, ...(thinking === undefined ? {} : { thinking }), notices };
}
