/** Runs the calls of one message: read-only ones side by side, the others one after another, results in call order. */
import type { AgentEvent } from "./events.js";
import type { AssistantMessage, DeniedView, ToolCallBlock, ToolResultMessage } from "./messages.js";
import type { StreamGuard, Tool, ToolGate, ToolResult } from "./ports.js";

export interface ToolRunPorts {
  tools: readonly Tool[];
  gate: ToolGate;
  guard: StreamGuard;
  cwd: string;
  signal: AbortSignal;
  emit(event: AgentEvent): void;
  /** Called in call order, each as soon as it and those before it are there. */
  record(result: ToolResultMessage): void;
  /** The user said something meanwhile: what has not started is left out. */
  interrupted(): boolean;
}

interface Outcome {
  result: ToolResultMessage;
  endRun: boolean;
}

/** @returns true when a denial ends the run */
export async function runTools(message: AssistantMessage, ports: ToolRunPorts): Promise<{ denied: boolean }> {
  const calls = message.content.filter((block): block is ToolCallBlock => block.type === "toolCall");
  let denied = false;
  for (let at = 0; at < calls.length; ) {
    const batch = nextBatch(calls, at, ports.tools);
    at += batch.length;
    const reason = denied ? "Not run: the user stopped the run." : whyNot(message, ports);
    const outcomes: Promise<Outcome>[] = batch.map((call) =>
      reason === undefined ? runCall(call, ports) : Promise.resolve(skipped(call, reason)),
    );
    for (const pending of outcomes) {
      const { result, endRun } = await pending;
      denied ||= endRun;
      ports.record(result);
    }
  }
  return { denied };
}

function whyNot(message: AssistantMessage, ports: ToolRunPorts): string | undefined {
  if (ports.signal.aborted) return "Not run: the user interrupted.";
  if (ports.interrupted()) return "Not run: the user said something first; read it.";
  if (message.stopReason !== "length") return undefined;
  return "Not run: the answer hit the output limit before this call was complete. Make it shorter, or split it.";
}

/** As many read-only calls as follow each other, or one other. */
function nextBatch(calls: readonly ToolCallBlock[], from: number, tools: readonly Tool[]): ToolCallBlock[] {
  const readOnly = (call: ToolCallBlock | undefined): boolean =>
    call !== undefined && tools.some((tool) => tool.name === call.name && tool.readOnly);
  const batch: ToolCallBlock[] = [];
  for (let i = from; i < calls.length; i++) {
    const call = calls[i];
    if (!call || (batch.length > 0 && !(readOnly(call) && readOnly(batch[0])))) break;
    batch.push(call);
  }
  return batch;
}

function skipped(call: ToolCallBlock, reason: string): Outcome {
  return { result: toResult(call, failure(reason)), endRun: false };
}

async function runCall(call: ToolCallBlock, ports: ToolRunPorts): Promise<Outcome> {
  ports.emit({ type: "tool_execution_start", toolCallId: call.id, toolName: call.name, arguments: call.arguments });
  const { outcome, denied, endRun } = await attempt(call, ports);
  const result = ports.guard.amend({ ...toResult(call, outcome), ...(denied ? { denied } : {}) });
  ports.emit({
    type: "tool_execution_end",
    toolCallId: call.id,
    toolName: call.name,
    result: { content: result.content, isError: result.isError },
    ...(outcome.details ? { details: outcome.details } : {}),
    ...(denied ? { denied } : {}),
  });
  return { result, endRun };
}

interface Attempted {
  outcome: ToolResult;
  denied?: DeniedView;
  endRun: boolean;
}

async function attempt(call: ToolCallBlock, ports: ToolRunPorts): Promise<Attempted> {
  const answer = (text: string): Attempted => ({ outcome: failure(text), endRun: false });
  const ruled = ports.guard.blocked(call);
  if (ruled !== undefined) {
    return { outcome: failure(ruled.text), denied: { by: "rule", reason: ruled.reason }, endRun: false };
  }
  const tool = ports.tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = ports.tools.map((candidate) => candidate.name).join(", ");
    return answer(`There is no tool "${call.name}". The tools are: ${names}.`);
  }
  if (call.invalidArguments !== undefined) {
    return answer(`The arguments of "${call.name}" are not a JSON object. Send the call again with valid JSON.`);
  }
  const checked = tool.validate(call.arguments);
  if (!checked.ok) return answer(checked.message);
  const context = { cwd: ports.cwd, signal: ports.signal };
  try {
    const subject = await tool.describe(checked.value, context);
    const decision = await ports.gate.decide(tool, subject, call, ports.signal);
    if (!decision.allow) {
      const denied = { by: decision.by, reason: decision.reason };
      return { outcome: failure(decision.reason), denied, endRun: decision.endRun === true };
    }
    const update = (text: string): void =>
      ports.emit({ type: "tool_execution_update", toolCallId: call.id, toolName: call.name, text });
    return { outcome: await tool.execute(checked.value, { ...context, toolCallId: call.id, update }), endRun: false };
  } catch (error) {
    // Tools answer with results; what they throw all the same must reach the model, not end the session.
    return answer(`"${call.name}" failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function failure(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function toResult(call: ToolCallBlock, outcome: ToolResult): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: outcome.content.length > 0 ? outcome.content : [{ type: "text", text: "(no output)" }],
    isError: outcome.isError,
  };
}
