/**
 * Items that ask the client to do something which we never offered: they are kept, never done, and answered when they are sent back,
 * because the server refuses a conversation in which such a call stands without its answer.
 */
import { type JsonObject, text } from "../json.js";

const NOT_RUN = "This tool is not available here. It was not run.";

/** @returns the item that must follow `item`, or undefined where none must */
export function answerToForeignCall(item: JsonObject): JsonObject | undefined {
  const call_id = text(item["call_id"]) ?? "";
  switch (item["type"]) {
    case "apply_patch_call":
      return { type: "apply_patch_call_output", call_id, status: "failed", output: NOT_RUN };
    case "local_shell_call":
      return { type: "local_shell_call_output", call_id, output: NOT_RUN };
    case "shell_call":
      return {
        type: "shell_call_output",
        call_id,
        output: [{ stdout: "", stderr: NOT_RUN, outcome: { type: "exit", exit_code: 127 } }],
      };
    case "mcp_approval_request":
      return {
        type: "mcp_approval_response",
        approval_request_id: text(item["id"]) ?? "",
        approve: false,
        reason: NOT_RUN,
      };
    default:
      return undefined;
  }
}
