import type { ThinkingLevel } from "../agent/messages.js";
import type { ModelStream } from "../agent/ports.js";
import type { SessionManager } from "./session-manager.js";
import type { Surroundings } from "./surroundings.js";

/** The model that answers, and how hard it thinks; every change stands in the log. */
export class ModelDesk {
  constructor(
    public model: ModelStream,
    public thinking: ThinkingLevel,
    private readonly connect: Surroundings["connect"],
    private readonly log: () => SessionManager,
  ) {}

  /** From the next request on. @returns a remark on the choice @throws UserError for what names no model, or one without a key */
  async choose(spec: string): Promise<string | undefined> {
    const { model, thinking, notice } = await this.connect(spec);
    this.set(model, thinking ?? this.thinking);
    return notice;
  }

  set(model: ModelStream, thinking: ThinkingLevel): void {
    this.model = model;
    this.thinking = thinking;
    this.log().appendModelChange({ provider: model.provider, model: model.model, thinking });
  }
}
