/** The vendors and local servers that need no entry in `models.yml`: one row each. */
import type { WireId } from "../agent/messages.js";

export type NetworkWire = Exclude<WireId, "scripted">;

export const NETWORK_WIRES: readonly NetworkWire[] = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
];

export interface Vendor {
  id: string;
  /** As the vendor writes itself. */
  name: string;
  wire: NetworkWire;
  /** With its version segment. */
  baseUrl: string;
  /** Environment variables that may hold the key; the first is the one that is named to the user. */
  keyEnv: readonly string[];
  /** Environment variable that replaces `baseUrl`. */
  baseUrlEnv?: string;
  /** Used when the user names no model. In the catalogue. */
  defaultModel: string;
  /** Ids may end in `:free`, `:nitro` … */
  variants?: boolean;
}

/** In the order in which they are tried when nobody names a model. */
export const VENDORS: readonly Vendor[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    wire: "anthropic-messages",
    baseUrl: "https://api.anthropic.com/v1",
    keyEnv: ["ANTHROPIC_API_KEY"],
    baseUrlEnv: "ANTHROPIC_BASE_URL",
    defaultModel: "claude-sonnet-5",
  },
  {
    id: "openai",
    name: "OpenAI",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyEnv: ["OPENAI_API_KEY"],
    baseUrlEnv: "OPENAI_BASE_URL",
    defaultModel: "gpt-5.6-terra",
  },
  {
    id: "gemini",
    name: "Google Gemini",
    wire: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyEnv: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    baseUrlEnv: "GEMINI_BASE_URL",
    defaultModel: "gemini-3.1-pro-preview",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    wire: "openai-chat",
    baseUrl: "https://openrouter.ai/api/v1",
    keyEnv: ["OPENROUTER_API_KEY"],
    defaultModel: "anthropic/claude-sonnet-5",
    variants: true,
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    wire: "openai-chat",
    baseUrl: "https://api.deepseek.com/v1",
    keyEnv: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-v4-pro",
  },
  {
    id: "xai",
    name: "xAI",
    wire: "openai-chat",
    baseUrl: "https://api.x.ai/v1",
    keyEnv: ["XAI_API_KEY"],
    defaultModel: "grok-4.5",
  },
  {
    id: "mistral",
    name: "Mistral",
    wire: "openai-chat",
    baseUrl: "https://api.mistral.ai/v1",
    keyEnv: ["MISTRAL_API_KEY"],
    defaultModel: "mistral-medium-3.5",
  },
  {
    id: "groq",
    name: "Groq",
    wire: "openai-chat",
    baseUrl: "https://api.groq.com/openai/v1",
    keyEnv: ["GROQ_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
  },
  {
    id: "cerebras",
    name: "Cerebras",
    wire: "openai-chat",
    baseUrl: "https://api.cerebras.ai/v1",
    keyEnv: ["CEREBRAS_API_KEY"],
    defaultModel: "gpt-oss-120b",
  },
  {
    id: "moonshot",
    name: "Moonshot",
    wire: "openai-chat",
    baseUrl: "https://api.moonshot.ai/v1",
    keyEnv: ["MOONSHOT_API_KEY"],
    defaultModel: "kimi-k3",
  },
  {
    id: "zai",
    name: "Z.ai",
    wire: "openai-chat",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyEnv: ["ZAI_API_KEY"],
    defaultModel: "glm-5.3",
  },
  {
    id: "together",
    name: "Together AI",
    wire: "openai-chat",
    baseUrl: "https://api.together.xyz/v1",
    keyEnv: ["TOGETHER_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
  },
  {
    id: "fireworks",
    name: "Fireworks",
    wire: "openai-chat",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyEnv: ["FIREWORKS_API_KEY"],
    defaultModel: "accounts/fireworks/models/glm-5p3",
  },
];

export interface LocalServer {
  id: string;
  name: string;
  /** The address it listens on unless told otherwise. By number: `localhost` may mean ::1, where these do not listen. */
  baseUrl: string;
}

/** All of them speak openai-chat and need no key. In order of preference when several answer. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { id: "ollama", name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
];

export const DEMO_PROVIDER = "demo";
export const DEMO_MODEL = "showcase";
