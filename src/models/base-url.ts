import { UserError } from "../platform/errors.js";

/** `v1`, `v1beta`, `v4`, `v2alpha1`: the last segment of a path. */
const VERSION_SEGMENT = /\/v\d+(?:(?:alpha|beta)\d*)?$/i;

/**
 * @param where the variable or the file and key that holds it, for the message
 * @returns the address without a slash at its end
 * @throws UserError with exit code 2 when it is no http(s) address, or carries a user name
 */
export function checkBaseUrl(text: string, where: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UserError("bad-base-url", `${where} is "${text}", which is no http or https address.`, 2);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError("bad-base-url", `${where} holds a user name or password; put the key where keys belong.`, 2);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new UserError("bad-base-url", `${where} must end with its path, without "${url.search}${url.hash}".`, 2);
  }
  return url.href.replace(/\/+$/, "");
}

/**
 * Base URLs in the environment are often written without a version; those in files are taken as they are.
 * @param version as the vendor's own address ends: `/v1`, `/v1beta`
 */
export function withVersion(baseUrl: string, version: string): string {
  return VERSION_SEGMENT.test(new URL(baseUrl).pathname) ? baseUrl : baseUrl + version;
}

/** @returns the version segment at the end of a vendor's address, with its slash; "" where there is none */
export function versionOf(baseUrl: string): string {
  return VERSION_SEGMENT.exec(new URL(baseUrl).pathname)?.[0] ?? "";
}

/** @returns whether the address is on this machine, where servers usually want no key */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
