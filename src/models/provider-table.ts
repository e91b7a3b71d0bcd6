/** Joins what the program knows of providers with the user's environment and `models.yml` into one table. */
import { UserError } from "../platform/errors.js";
import { checkBaseUrl, isLoopback, versionOf, withVersion } from "./base-url.js";
import type { ModelsFile, OwnModel, OwnProvider } from "./models-file.js";
import { LOCAL_SERVERS, type LocalServer, type NetworkWire, VENDORS, type Vendor } from "./providers.js";

export type Env = Readonly<Record<string, string | undefined>>;

/** A provider with all that the user said about it. */
export interface Provider {
  id: string;
  name: string;
  origin: "vendor" | "local" | "own";
  wire: NetworkWire;
  baseUrl: string;
  headers?: Record<string, string>;
  apiKey?: string;
  /** The environment variables in which a key was looked for; [] where none is wanted. */
  keyEnv: readonly string[];
  /** Without a key a request is not worth sending. */
  needsKey: boolean;
  defaultModel?: string;
  /** Ids may end in `:free` and the like. */
  variants: boolean;
  /** From `models.yml`. */
  ownModels: readonly OwnModel[];
  /** What is wrong with the address in the environment. Told only when this provider is used: others still work. */
  fault?: UserError;
}

function firstSet(env: Env, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** OpenAI itself, in any region. Everybody else who takes its base URL is sure to speak openai-chat only. */
function isOpenAi(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".api.openai.com");
}

interface Address {
  baseUrl: string;
  fault?: UserError;
}

/** @returns the address that `read` makes of the environment, or the usual one with what is wrong */
function addressOr(usual: string, read: () => string | undefined): Address {
  try {
    return { baseUrl: read() ?? usual };
  } catch (error) {
    if (error instanceof UserError) return { baseUrl: usual, fault: error };
    throw error;
  }
}

function vendorAddress(vendor: Vendor, env: Env): Address {
  const { baseUrlEnv } = vendor;
  const written = baseUrlEnv && env[baseUrlEnv]?.trim();
  if (!written) return { baseUrl: vendor.baseUrl };
  return addressOr(vendor.baseUrl, () => withVersion(checkBaseUrl(written, baseUrlEnv), versionOf(vendor.baseUrl)));
}

function fromVendor(vendor: Vendor, env: Env): Provider {
  const address = vendorAddress(vendor, env);
  const { baseUrl } = address;
  const apiKey = firstSet(env, vendor.keyEnv);
  return {
    id: vendor.id,
    name: vendor.name,
    origin: "vendor",
    wire: vendor.wire === "openai-responses" && !isOpenAi(baseUrl) ? "openai-chat" : vendor.wire,
    ...address,
    ...(apiKey ? { apiKey } : {}),
    keyEnv: vendor.keyEnv,
    needsKey: !isLoopback(baseUrl),
    defaultModel: vendor.defaultModel,
    variants: vendor.variants ?? false,
    ownModels: [],
  };
}

/** Ollama's own variable: `host`, `host:port` or an address; 0.0.0.0 is where it listens, not where it is found. */
function ollamaAddress(host: string): string {
  const written = /^https?:\/\//i.test(host) ? host : `http://${host}`;
  const checked = checkBaseUrl(written, "OLLAMA_HOST").replace("//0.0.0.0", "//127.0.0.1");
  const url = new URL(checked);
  if (url.port === "" && url.protocol === "http:" && !/:\d+/.test(host)) url.port = "11434";
  return withVersion(url.href.replace(/\/+$/, ""), "/v1");
}

function fromLocal(server: LocalServer, env: Env): Provider {
  const host = server.id === "ollama" ? env["OLLAMA_HOST"]?.trim() : undefined;
  return {
    id: server.id,
    name: server.name,
    origin: "local",
    wire: "openai-chat",
    ...addressOr(server.baseUrl, () => (host ? ollamaAddress(host) : undefined)),
    keyEnv: [],
    needsKey: false,
    variants: true,
    ownModels: [],
  };
}

/** `none` is how people write that a server wants no key. */
function isNone(key: string): boolean {
  return key.toLowerCase() === "none";
}

/** An entry of `models.yml` over what was known before under the same id, if anything. */
function fromOwn(own: OwnProvider, known: Provider | undefined, env: Env, file: string): Provider {
  const wire = own.wire ?? known?.wire;
  const baseUrl = own.baseUrl ?? known?.baseUrl;
  if (wire === undefined || baseUrl === undefined) {
    const missing = [wire === undefined ? "wire" : "", baseUrl === undefined ? "baseUrl" : ""]
      .filter(Boolean)
      .join(" and ");
    throw new UserError("bad-models-file", `${file}: the provider "${own.id}" needs ${missing}.`, 2);
  }
  const says = own.apiKeyEnv !== undefined || own.apiKey !== undefined;
  // A key for one address is not sent to another: a changed baseUrl must say which key it wants.
  const inherits = !says && known !== undefined && own.baseUrl === undefined;
  const named = own.apiKeyEnv !== undefined && !isNone(own.apiKeyEnv) ? [own.apiKeyEnv] : [];
  const given = own.apiKey !== undefined && !isNone(own.apiKey) ? own.apiKey : firstSet(env, named);
  const apiKey = inherits ? known.apiKey : given;
  const defaultModel = own.models?.[0]?.id ?? known?.defaultModel;
  const fault = own.baseUrl === undefined ? known?.fault : undefined;
  return {
    id: own.id,
    name: known?.name ?? own.id,
    origin: "own",
    wire,
    baseUrl,
    ...(own.headers ? { headers: own.headers } : {}),
    ...(apiKey ? { apiKey } : {}),
    keyEnv: inherits ? known.keyEnv : named,
    needsKey: inherits ? known.needsKey : named.length > 0,
    ...(defaultModel ? { defaultModel } : {}),
    variants: known?.variants ?? true,
    ownModels: own.models ?? [],
    ...(fault ? { fault } : {}),
  };
}

/**
 * @returns every provider, in the order in which they are tried when nobody names a model: the user's own, vendors, local servers
 * @throws UserError with exit code 2 on an own provider without wire or address
 */
export function providerTable(env: Env, file: ModelsFile): readonly Provider[] {
  const taken = new Set(file.providers.map(({ id }) => id));
  const vendors = VENDORS.filter(({ id }) => !taken.has(id)).map((vendor) => fromVendor(vendor, env));
  const locals = LOCAL_SERVERS.filter(({ id }) => !taken.has(id)).map((server) => fromLocal(server, env));
  const known = (id: string): Provider | undefined => {
    const vendor = VENDORS.find((one) => one.id === id);
    if (vendor) return fromVendor(vendor, env);
    const server = LOCAL_SERVERS.find((one) => one.id === id);
    return server ? fromLocal(server, env) : undefined;
  };
  const own = file.providers.map((entry) => fromOwn(entry, known(entry.id), env, file.path));
  return [...own, ...vendors, ...locals];
}

/** @returns those that may be asked for their models unbidden: local and own ones that want no key and whose address is good */
export function askableUnbidden(providers: readonly Provider[], { localServers }: ModelsFile): readonly Provider[] {
  return providers.filter(
    ({ origin, apiKey, needsKey, fault }) =>
      (origin === "own" || (origin === "local" && localServers)) && apiKey === undefined && !needsKey && !fault,
  );
}
