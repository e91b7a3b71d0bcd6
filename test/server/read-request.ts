/**
 * Reads a logged request of any wire into one form, so that a test can say once what it expects.
 * Each text block of the user is a message of its own and so are the results between two answers, because the wires pack them differently.
 */
import type { ServedWire } from "./script.js";

export interface NeutralMessage {
  role: "user" | "assistant" | "tool";
  text: string;
  thinking: { text: string; signature?: string }[];
  calls: { id: string; name: string; args: unknown }[];
  /** `id` or `name` is "" where the wire sends none. */
  results: { id: string; name: string; text: string }[];
}

export interface NeutralRequest {
  system: string;
  messages: NeutralMessage[];
  tools: { name: string; description: string; parameters: unknown }[];
}

type Obj = Record<string, unknown>;

const isObj = (value: unknown): value is Obj => value !== null && typeof value === "object" && !Array.isArray(value);
const objs = (value: unknown): Obj[] => (Array.isArray(value) ? value.filter(isObj) : []);
const str = (value: unknown): string => (typeof value === "string" ? value : "");

/** Texts of a content that is a string or a list of parts; "" parts are left out. */
function texts(content: unknown): string[] {
  const found = typeof content === "string" ? [content] : objs(content).map((part) => str(part["text"]));
  return found.filter((text) => text !== "");
}

function parseArgs(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON: the test sees the text itself.
    return value;
  }
}

/** Collects pieces in order; neighbours that belong to one answer, or to one set of results, become one message. */
class Collector {
  readonly messages: NeutralMessage[] = [];

  #open(role: "assistant" | "tool"): NeutralMessage {
    const last = this.messages.at(-1);
    if (last?.role === role) return last;
    return this.#push(role);
  }
  #push(role: NeutralMessage["role"], text = ""): NeutralMessage {
    const message: NeutralMessage = { role, text, thinking: [], calls: [], results: [] };
    this.messages.push(message);
    return message;
  }
  user(text: string): void {
    this.#push("user", text);
  }
  said(text: string): void {
    this.#open("assistant").text += text;
  }
  thought(text: string, signature: string): void {
    this.#open("assistant").thinking.push(signature === "" ? { text } : { text, signature });
  }
  called(id: string, name: string, args: unknown): void {
    this.#open("assistant").calls.push({ id, name, args: parseArgs(args) });
  }
  result(id: string, name: string, text: string): void {
    this.#open("tool").results.push({ id, name, text });
  }
}

function readAnthropic(body: Obj): NeutralRequest {
  const seen = new Collector();
  for (const message of objs(body["messages"])) {
    const user = message["role"] === "user";
    const content = message["content"];
    const blocks: Obj[] = typeof content === "string" ? [{ type: "text", text: content }] : objs(content);
    for (const block of blocks) {
      if (block["type"] === "text") user ? seen.user(str(block["text"])) : seen.said(str(block["text"]));
      else if (block["type"] === "thinking") seen.thought(str(block["thinking"]), str(block["signature"]));
      else if (block["type"] === "redacted_thinking") seen.thought("", str(block["data"]));
      else if (block["type"] === "tool_use") seen.called(str(block["id"]), str(block["name"]), block["input"]);
      else if (block["type"] === "tool_result") {
        seen.result(str(block["tool_use_id"]), "", texts(block["content"]).join(""));
      }
    }
  }
  const tools = objs(body["tools"]).map((tool) => ({
    name: str(tool["name"]),
    description: str(tool["description"]),
    parameters: tool["input_schema"],
  }));
  return { system: texts(body["system"]).join("\n"), messages: seen.messages, tools };
}

function readChat(body: Obj): NeutralRequest {
  const seen = new Collector();
  const system: string[] = [];
  for (const message of objs(body["messages"])) {
    const content = texts(message["content"]);
    switch (message["role"]) {
      case "system":
      case "developer":
        system.push(...content);
        break;
      case "user":
        for (const text of content) seen.user(text);
        break;
      case "tool":
        seen.result(str(message["tool_call_id"]), "", content.join(""));
        break;
      case "assistant": {
        const details = objs(message["reasoning_details"]);
        for (const detail of details) seen.thought(str(detail["text"]), str(detail["signature"]));
        const reasoning = str(message["reasoning_content"]) || str(message["reasoning"]);
        if (details.length === 0 && reasoning !== "") seen.thought(reasoning, "");
        seen.said(content.join(""));
        for (const call of objs(message["tool_calls"])) {
          const made = isObj(call["function"]) ? call["function"] : {};
          seen.called(str(call["id"]), str(made["name"]), made["arguments"]);
        }
        break;
      }
    }
  }
  const tools = objs(body["tools"]).map((tool) => {
    const made = isObj(tool["function"]) ? tool["function"] : {};
    return { name: str(made["name"]), description: str(made["description"]), parameters: made["parameters"] };
  });
  return { system: system.join("\n"), messages: seen.messages, tools };
}

function readResponses(body: Obj): NeutralRequest {
  const seen = new Collector();
  const system = texts(body["instructions"]);
  const input = body["input"];
  for (const item of typeof input === "string" ? [{ role: "user", content: input }] : objs(input)) {
    const content = texts(item["content"]);
    switch (item["type"] ?? "message") {
      case "message":
        if (item["role"] === "user") for (const text of content) seen.user(text);
        else if (item["role"] === "assistant") seen.said(content.join(""));
        else system.push(...content);
        break;
      case "reasoning":
        seen.thought(texts(item["summary"]).join(""), str(item["encrypted_content"]));
        break;
      case "function_call":
        seen.called(str(item["call_id"]), str(item["name"]), item["arguments"]);
        break;
      case "function_call_output":
        seen.result(str(item["call_id"]), "", texts(item["output"]).join(""));
        break;
    }
  }
  const tools = objs(body["tools"]).map((tool) => ({
    name: str(tool["name"]),
    description: str(tool["description"]),
    parameters: tool["parameters"],
  }));
  return { system: system.join("\n"), messages: seen.messages, tools };
}

/** The text of a function's response, which the wire wants as an object. */
function responseText(response: unknown): string {
  if (!isObj(response)) return str(response);
  const only = response["output"] ?? response["result"] ?? response["error"] ?? response["content"];
  return typeof only === "string" ? only : JSON.stringify(response);
}

function readGemini(body: Obj): NeutralRequest {
  const seen = new Collector();
  for (const message of objs(body["contents"])) {
    const user = message["role"] !== "model";
    for (const part of objs(message["parts"])) {
      const signature = str(part["thoughtSignature"]);
      if (isObj(part["functionCall"])) {
        const call = part["functionCall"];
        if (signature !== "") seen.thought("", signature);
        seen.called(str(call["id"]), str(call["name"]), call["args"]);
      } else if (isObj(part["functionResponse"])) {
        const made = part["functionResponse"];
        seen.result(str(made["id"]), str(made["name"]), responseText(made["response"]));
      } else if (part["thought"] === true) {
        seen.thought(str(part["text"]), signature);
      } else if (user) {
        seen.user(str(part["text"]));
      } else {
        if (signature !== "") seen.thought("", signature);
        seen.said(str(part["text"]));
      }
    }
  }
  const tools = objs(body["tools"]).flatMap((tool) =>
    objs(tool["functionDeclarations"]).map((made) => ({
      name: str(made["name"]),
      description: str(made["description"]),
      parameters: made["parametersJsonSchema"] ?? made["parameters"],
    })),
  );
  const instruction = isObj(body["systemInstruction"]) ? body["systemInstruction"]["parts"] : undefined;
  return { system: texts(instruction).join("\n"), messages: seen.messages, tools };
}

const READERS: Readonly<Record<ServedWire, (body: Obj) => NeutralRequest>> = {
  "anthropic-messages": readAnthropic,
  "openai-chat": readChat,
  "openai-responses": readResponses,
  gemini: readGemini,
};

/** @returns the request in neutral words; what it does not know is left out, never guessed */
export function readRequest(wire: ServedWire, body: Record<string, unknown>): NeutralRequest {
  return READERS[wire](body);
}
