/** The AI SDK as an oracle: what it would have sent. */
import type { createAnthropic } from "@ai-sdk/anthropic";
import type { AssistantMessage, Message } from "../../src/agent/messages.js";
import type { ModelRequest } from "../../src/agent/ports.js";
import type { ModelTarget } from "../../src/models/wire.js";

type Model = ReturnType<ReturnType<typeof createAnthropic>>;
type Options = Parameters<Model["doStream"]>[0];
type Prompt = Options["prompt"];
type Part = Extract<Prompt[number], { role: "assistant" }>["content"][number];

/** Makes one of its models over a `fetch` of ours. */
export type SdkModel = (fetch: typeof globalThis.fetch, model: string) => Pick<Model, "doStream">;
export type SdkOptions = Pick<Options, "maxOutputTokens" | "providerOptions">;

/** @returns the address and the parsed body of the one request that it makes */
export async function bodyFromSdk(
  sdk: SdkModel,
  target: ModelTarget,
  request: ModelRequest,
  options: SdkOptions,
): Promise<{ url: string; body: unknown }> {
  let sent: { url: string; body: unknown } | undefined;
  const model = sdk(async (url, init) => {
    sent = { url: String(url), body: JSON.parse(String(init?.body)) };
    return new Response("", { status: 418 });
  }, target.model);
  const asked = model.doStream({
    prompt: [{ role: "system", content: request.system }, ...request.messages.map(promptMessage)],
    // By name, as ours are: the order of tools means nothing.
    tools: [...request.tools]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ name, description, parameters }) => ({
        type: "function",
        name,
        description,
        inputSchema: parameters as Record<string, never>,
      })),
    toolChoice: { type: "auto" },
    ...options,
  });
  await asked.then(
    () => undefined,
    () => undefined,
  );
  if (!sent) throw new Error("The AI SDK sent nothing.");
  return sent;
}

function promptMessage(message: Message): Prompt[number] {
  switch (message.role) {
    case "user":
      return {
        role: "user",
        content: message.content.map((block) =>
          block.type === "text" ? block : { type: "file", mediaType: block.mediaType, data: block.data },
        ),
      };
    case "toolResult": {
      const value = message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      const output = { type: message.isError ? ("error-text" as const) : ("text" as const), value };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: message.toolCallId, toolName: message.toolName, output }],
      };
    }
    case "assistant":
      return { role: "assistant", content: message.content.map(assistantPart) };
  }
}

/** What goes back with a block stands in options by vendor; each vendor reads its own. */
function assistantPart(block: AssistantMessage["content"][number]): Part {
  const replay = "replay" in block ? (block.replay as Record<string, string>) : {};
  const google =
    replay["thoughtSignature"] === undefined ? {} : { google: { thoughtSignature: replay["thoughtSignature"] } };
  const providerOptions = { openai: replay["id"] === undefined ? {} : { itemId: replay["id"] }, ...google };
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, providerOptions };
    case "thinking": {
      const signature = block.signature ?? "";
      return {
        type: "reasoning",
        text: block.thinking,
        providerOptions: {
          anthropic: block.redacted ? { redactedData: signature } : { signature },
          openai: { ...providerOptions.openai, reasoningEncryptedContent: signature },
          google: { thoughtSignature: signature },
        },
      };
    }
    case "toolCall":
      return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.arguments, providerOptions };
    case "opaque":
      throw new Error("Blocks of one wire have no place in the AI SDK's prompt.");
  }
}
