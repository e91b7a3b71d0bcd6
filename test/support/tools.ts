import type { Tool, ToolContext, ToolResult } from "../../src/agent/ports.js";

/** A tool that records its runs. */
export function fakeTool(
  name: string,
  options: Partial<Pick<Tool, "readOnly" | "authored" | "pathArgument">> & {
    run?: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult> | ToolResult;
    runs?: Record<string, unknown>[];
  } = {},
): Tool {
  return {
    name,
    description: `The ${name} tool`,
    parameters: { type: "object", properties: {} },
    readOnly: options.readOnly ?? false,
    ...(options.authored ? { authored: options.authored } : {}),
    ...(options.pathArgument ? { pathArgument: options.pathArgument } : {}),
    validate: (args) => ({ ok: true, value: args }),
    describe: async () => ({ kind: "other", title: name, paths: [] }),
    execute: async (args, context) => {
      options.runs?.push(args as Record<string, unknown>);
      const result = options.run?.(args as Record<string, unknown>, context);
      return (await result) ?? { content: [{ type: "text", text: `${name} ran` }], isError: false };
    },
  };
}
