/** `!command`: what the user runs, through the bash tool and without a question. What came of it goes before the user's next words. */
import type { AgentEvent } from "../agent/events.js";
import { type UserMessage, userText } from "../agent/messages.js";
import type { Tool, ToolResult } from "../agent/ports.js";
import { UserError } from "../platform/errors.js";
import template from "../prompts/system/user-command.md";

export interface UserCommandsDeps {
  cwd: string;
  tools: readonly Tool[];
  emit(event: AgentEvent): void;
}

export class UserCommands {
  #count = 0;
  #running: { controller: AbortController; done: Promise<void> } | undefined;
  #results: UserMessage[] = [];

  constructor(private readonly deps: UserCommandsDeps) {}

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when none runs. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running.done;
  }

  abort(): void {
    this.#running?.controller.abort();
  }

  /** @returns what the model has not been told yet; from here on it is told */
  take(): UserMessage[] {
    return this.#results.splice(0);
  }

  /** @throws UserError where the session has no shell */
  async run(command: string): Promise<void> {
    const tool = this.deps.tools.find(({ name }) => name === "bash");
    const checked = tool?.validate({ command });
    if (!tool || !checked?.ok) throw new UserError("no-shell", "This session has no bash tool to run commands with.");
    await this.settled();
    const controller = new AbortController();
    const done = this.#execute(tool, checked.value, command, controller.signal).finally(() => {
      this.#running = undefined;
    });
    // Whoever waits for it wants to know that it is over, not how.
    this.#running = { controller, done: done.catch(() => undefined) };
    await done;
  }

  async #execute(tool: Tool, args: unknown, command: string, signal: AbortSignal): Promise<void> {
    const { cwd, emit } = this.deps;
    const call = { toolCallId: `user-command-${++this.#count}`, toolName: tool.name };
    emit({ type: "tool_execution_start", ...call, arguments: { command } });
    const result = await tool.execute(args, {
      cwd,
      signal,
      toolCallId: call.toolCallId,
      update: (text) => emit({ type: "tool_execution_update", ...call, text }),
    });
    const { content, isError, details } = result;
    emit({ type: "tool_execution_end", ...call, result: { content, isError }, ...(details ? { details } : {}) });
    const values: Record<string, string> = { command, output: escaped(textOf(result)) };
    const text = template.trim().replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
    this.#results.push(userText(text, { synthetic: "user-command" }));
  }
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

/** Output cannot close the tag that it stands in. */
function escaped(text: string): string {
  return text.replaceAll("</user-command", "&lt;/user-command");
}
