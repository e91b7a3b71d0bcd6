/** From a target to a model that can be asked. Each wire is loaded when it is needed, and no other. */
import type { ModelStream } from "../agent/ports.js";
import { createHttpModel, type HttpDeps } from "./http.js";
import type { NetworkWire } from "./providers.js";
import type { ModelTarget, Wire } from "./wire.js";

const LOAD: Readonly<Record<NetworkWire, () => Promise<{ wire: Wire }>>> = {
  "anthropic-messages": () => import("./anthropic-messages/index.js"),
  "openai-chat": () => import("./openai-chat/index.js"),
  "openai-responses": () => import("./openai-responses/index.js"),
  gemini: () => import("./gemini/index.js"),
};

/** @returns the model behind `target`; nothing is sent before it is asked */
export async function connectModel(target: ModelTarget & { wire: NetworkWire }, deps: HttpDeps): Promise<ModelStream> {
  const { wire } = await LOAD[target.wire]();
  return createHttpModel(wire, target, deps);
}
