export { overflowBody } from "./failures.js";
export type { LoggedRequest } from "./log.js";
export type { NeutralMessage } from "./read-request.js";
export { readRequest } from "./read-request.js";
export type { Answer, Script, ServedWire } from "./script.js";
export { callTool, holdAfter, SERVED_WIRES, say } from "./script.js";
export type { ModelServer } from "./server.js";
export { startModelServer } from "./server.js";
