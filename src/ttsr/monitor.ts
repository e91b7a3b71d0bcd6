import type { AssistantMessage } from "../agent/messages.js";
import type { GuardVerdict, StreamPart, Tool } from "../agent/ports.js";
import { type CallHost, CallLanes } from "./lanes/call-lanes.js";
import type { TtsrManager } from "./manager.js";
import { projectPaths } from "./project-path.js";
import type { Lane, LaneInfo, LaneOptions, TtsrMatch } from "./types.js";

export interface MonitorPorts {
  manager: TtsrManager;
  tools(name: string): Tool | undefined;
  /** The project's folder, absolute. */
  cwd: string;
  /** All rules that hold in the same step. `cut` means that the run has been aborted. */
  onBatch(matches: TtsrMatch[]): GuardVerdict;
}

/** The watching half of the stream's guard: from parts of the stream to lanes to batches. */
export interface TtsrMonitor {
  /**
   * A new attempt: every lane is dropped.
   * @param goesOn while it holds, late verdicts count; default: until the next attempt
   */
  open(goesOn?: () => boolean): void;
  inspect(part: StreamPart): GuardVerdict;
  /** The message ended whole: every lane is decided, and every verdict that takes time is awaited. */
  close(message: AssistantMessage): Promise<GuardVerdict>;
}

type Ended = ReturnType<Lane["close"]>;
type Block = { push(text: string): TtsrMatch[]; close(): Ended; readonly faithful?: boolean };

/** Stands for a block that no rule watches. */
const UNWATCHED: Block = { push: () => [], close: () => ({ now: [], late: Promise.resolve([]) }) };

/** Parts of before the first `open()`, and of after a cut, are ignored. */
export function createMonitor({ manager, tools, cwd, onBatch }: MonitorPorts): TtsrMonitor {
  let attempt = 0;
  let attemptGoesOn = (): boolean => false;
  let watching = false;
  let blocks = new Map<number, Block>();
  /** Calls of which all was seen that they will be run with, by the index of their block. */
  let closed = new Set<number>();
  /** Which rules there were when the attempt began. */
  let generation = manager.generation;
  /** Verdicts of closed lanes that take time. */
  let late: Promise<void>[] = [];

  const callHost: CallHost = {
    openLane,
    watchesRemoved: (toolName, like) => manager.watchesRemoved(toolName, like),
    toProjectPath: projectPaths(cwd),
  };

  function dropLanes(): void {
    manager.resetBuffer();
    blocks = new Map();
    closed = new Set();
    late = [];
  }

  function report(matches: TtsrMatch[]): GuardVerdict {
    if (!watching || matches.length === 0) return "pass";
    const verdict = onBatch(matches);
    if (verdict === "cut") {
      watching = false;
      dropLanes();
    }
    return verdict;
  }

  /** What is known late is a batch like any other, if its attempt still goes on. */
  function lateReport(): (matches: TtsrMatch[]) => void {
    const mine = attempt;
    return (matches) => {
      if (mine === attempt && attemptGoesOn()) report(matches);
    };
  }

  function openLane(info: LaneInfo, options: LaneOptions = {}): Lane {
    return manager.openLane(info, { ...options, onLate: lateReport() });
  }

  function openText(source: "text" | "thinking", contentIndex: number): Block {
    return manager.watches(source) ? openLane({ source, contentIndex }) : UNWATCHED;
  }

  function openCall(contentIndex: number, toolCallId: string, toolName: string): Block {
    const tool = tools(toolName);
    const options = tool ? { readOnly: tool.readOnly, ...(tool.like === undefined ? {} : { like: tool.like }) } : {};
    return manager.watches("tool", toolName, options)
      ? new CallLanes(callHost, { contentIndex, toolCallId, toolName }, tool)
      : UNWATCHED;
  }

  function started(index: number, block: Block): void {
    blocks.set(index, block);
  }

  /** @param source what to open where no start was told; arguments without one are seen at the end */
  function pushed(index: number, text: string, source?: "text" | "thinking"): GuardVerdict {
    let block = blocks.get(index);
    if (!block) {
      block = source === undefined ? UNWATCHED : openText(source, index);
      blocks.set(index, block);
    }
    return block === UNWATCHED ? "pass" : report(block.push(text));
  }

  function ended(index: number): TtsrMatch[] {
    const block = blocks.get(index);
    if (!block) return [];
    blocks.delete(index);
    if (block.faithful !== false) closed.add(index);
    if (block === UNWATCHED) return [];
    const end = block.close();
    late.push(end.late.then(lateReport()));
    return end.now;
  }

  /**
   * Calls are checked as they stand in the message (TTSR-2.6) where their arguments never came as deltas, or say something else than the
   * deltas did; and where the rules changed meanwhile, for open lanes know only those that they were opened for.
   */
  function unseenCalls(message: AssistantMessage): TtsrMatch[] {
    const sameRules = generation === manager.generation;
    return message.content.flatMap((block, index) => {
      if (block.type !== "toolCall" || (sameRules && closed.has(index))) return [];
      started(index, openCall(index, block.id, block.name));
      const matches = blocks.get(index)?.push(JSON.stringify(block.arguments)) ?? [];
      return [...matches, ...ended(index)];
    });
  }

  /** Rules on calls need their arguments, and those on syntax too. */
  function wholeCalls(message: AssistantMessage): TtsrMatch[] {
    return message.content.flatMap((call, contentIndex) => {
      if (call.type !== "toolCall" || call.invalidArguments !== undefined) return [];
      const { toProjectPath } = callHost;
      return manager.checkCall({ call, contentIndex, tool: tools(call.name), toProjectPath });
    });
  }

  function syntaxOf(message: AssistantMessage): Promise<TtsrMatch[]>[] {
    return message.content.flatMap((block, index) => {
      const tool = block.type === "toolCall" ? tools(block.name) : undefined;
      if (block.type !== "toolCall" || !tool || block.invalidArguments !== undefined) return [];
      return [manager.checkSyntax(block, index, tool, callHost.toProjectPath)];
    });
  }

  return {
    open(goesOn = () => true) {
      attempt++;
      attemptGoesOn = goesOn;
      watching = true;
      dropLanes();
      generation = manager.generation;
      // The request is on its way by then, and no answer has come.
      setImmediate(() => manager.prepare());
    },
    inspect(part) {
      if (!watching) return "pass";
      switch (part.type) {
        case "start":
          // The provider began its answer anew: nothing joins across.
          if (blocks.size > 0 || closed.size > 0) dropLanes();
          return "pass";
        case "text_start":
          started(part.index, openText("text", part.index));
          return "pass";
        case "thinking_start":
          started(part.index, part.redacted ? UNWATCHED : openText("thinking", part.index));
          return "pass";
        case "call_start":
          started(part.index, openCall(part.index, part.id, part.name));
          return "pass";
        case "text_delta":
          return pushed(part.index, part.text, "text");
        case "thinking_delta":
          return pushed(part.index, part.text, "thinking");
        case "args_delta":
          return pushed(part.index, part.text);
        case "block_end":
          return report(ended(part.index));
        default:
          return "pass";
      }
    },
    async close(message) {
      if (!watching) return "pass";
      const mine = attempt;
      const now = [...blocks.keys()].flatMap(ended);
      now.push(...unseenCalls(message), ...wholeCalls(message));
      if (report(now) === "cut") return "cut";
      const tell = lateReport();
      late.push(Promise.all(syntaxOf(message)).then((all) => tell(all.flat())));
      await Promise.all(late);
      if (mine !== attempt) return "pass";
      // Only a cut stops the watching before the end.
      const verdict = watching ? "pass" : "cut";
      watching = false;
      return verdict;
    },
  };
}
