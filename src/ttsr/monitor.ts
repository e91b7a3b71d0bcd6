import type { AssistantBlock, AssistantMessage } from "../agent/messages.js";
import type { GuardVerdict, StreamPart, Tool } from "../agent/ports.js";
import { untilAborted } from "../platform/until-aborted.js";
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
  /**
   * The message ended whole: every lane is decided, and every verdict that takes time is awaited.
   * @param signal aborted: nothing is awaited any more
   */
  close(message: AssistantMessage, signal?: AbortSignal): Promise<GuardVerdict>;
}

type Ended = ReturnType<Lane["close"]>;
type Block = { push(text: string): TtsrMatch[]; close(): Ended; readonly faithful?: boolean };

type Which = Pick<LaneOptions, "newerThan">;

/** Stands for a block that no rule watches. */
const UNWATCHED: Block = { push: () => [], close: () => ({ now: [], late: Promise.resolve([]) }) };

function keyOf({ rule, lane }: TtsrMatch): string {
  return `${lane.contentIndex} ${rule.hash} ${rule.name}`;
}

/** Parts of before the first `open()`, and of after a cut, are ignored. */
export function createMonitor({ manager, tools, cwd, onBatch }: MonitorPorts): TtsrMonitor {
  let attempt = 0;
  let attemptGoesOn = (): boolean => false;
  let watching = false;
  let blocks = new Map<number, Block>();
  /** Calls of which all was seen that they will be run with, by the index of their block. */
  let closed = new Set<number>();
  /** The edition of the rules with which a block was begun. */
  let begunWith = new Map<number, number>();
  /** Rules that were told of a block: one that came in its midst may have seen the rest of it. */
  let told = new Set<string>();
  /** Verdicts of closed lanes that take time. */
  let late: Promise<void>[] = [];

  const toProject = projectPaths(cwd);

  function dropLanes(): void {
    manager.resetBuffer();
    blocks = new Map();
    closed = new Set();
    begunWith = new Map();
    told = new Set();
    late = [];
  }

  function report(matches: TtsrMatch[]): GuardVerdict {
    if (!watching || matches.length === 0) return "pass";
    for (const match of matches) told.add(keyOf(match));
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

  /** @param which all rules, or only newer ones */
  function openText(source: "text" | "thinking", contentIndex: number, which: Which = {}): Block {
    return manager.watches(source, "", which) ? openLane({ source, contentIndex }, which) : UNWATCHED;
  }

  function openCall(contentIndex: number, toolCallId: string, toolName: string, which: Which = {}): Block {
    const tool = tools(toolName);
    const like = tool?.like === undefined ? {} : { like: tool.like };
    const options = tool ? { ...which, readOnly: tool.readOnly, ...like } : which;
    if (!manager.watches("tool", toolName, options)) return UNWATCHED;
    const host: CallHost = {
      openLane: (info, more) => openLane(info, { ...more, ...which }),
      watchesRemoved: (name, as) => manager.watchesRemoved(name, as),
      toProjectPath: toProject,
    };
    return new CallLanes(host, { contentIndex, toolCallId, toolName }, tool);
  }

  function started(index: number, block: Block): void {
    blocks.set(index, block);
    begunWith.set(index, manager.edition);
  }

  /** @param source what to open where no start was told; arguments without one are seen at the end */
  function pushed(index: number, text: string, source?: "text" | "thinking"): GuardVerdict {
    if (!blocks.has(index) && source !== undefined) started(index, openText(source, index));
    const block = blocks.get(index) ?? UNWATCHED;
    return block === UNWATCHED ? "pass" : report(block.push(text));
  }

  function complete(block: Block): TtsrMatch[] {
    if (block === UNWATCHED) return [];
    const end = block.close();
    late.push(end.late.then(lateReport()));
    return end.now;
  }

  function ended(index: number): TtsrMatch[] {
    const block = blocks.get(index);
    if (!block) return [];
    blocks.delete(index);
    if (block.faithful !== false) closed.add(index);
    return complete(block);
  }

  /**
   * Calls are checked as they stand in the message (TTSR-2.6) where their arguments never came as deltas, or say something else than the
   * deltas did.
   */
  function unseenCalls(message: AssistantMessage): TtsrMatch[] {
    return message.content.flatMap((block, index) => {
      if (block.type !== "toolCall" || closed.has(index)) return [];
      started(index, openCall(index, block.id, block.name));
      const matches = blocks.get(index)?.push(JSON.stringify(block.arguments)) ?? [];
      return [...matches, ...ended(index)];
    });
  }

  /**
   * Rules that came or changed while a block was written see it whole before anything of it runs (TTSR-1.6, 1.7); what it was begun with has
   * had its say.
   */
  function askNewRules(message: AssistantMessage): TtsrMatch[] {
    return message.content.flatMap((content, index) => {
      const newerThan = begunWith.get(index);
      if (newerThan === undefined || newerThan === manager.edition) return [];
      const [block, text] = reopened(content, index, { newerThan });
      return [...block.push(text), ...complete(block)].filter((match) => !told.has(keyOf(match)));
    });
  }

  function reopened(content: AssistantBlock, index: number, which: Which): [block: Block, text: string] {
    switch (content.type) {
      case "toolCall":
        return [openCall(index, content.id, content.name, which), JSON.stringify(content.arguments)];
      case "text":
        return [openText("text", index, which), content.text];
      case "thinking":
        return [content.redacted ? UNWATCHED : openText("thinking", index, which), content.thinking];
      default:
        return [UNWATCHED, ""];
    }
  }

  /** Rules on calls need their arguments, and those on syntax too. */
  function wholeCalls(message: AssistantMessage): TtsrMatch[] {
    return message.content.flatMap((call, contentIndex) => {
      if (call.type !== "toolCall" || call.invalidArguments !== undefined) return [];
      return manager.checkCall({ call, contentIndex, tool: tools(call.name), toProjectPath: toProject });
    });
  }

  function syntaxOf(message: AssistantMessage, signal: AbortSignal | undefined): Promise<TtsrMatch[]>[] {
    return message.content.flatMap((block, index) => {
      const tool = block.type === "toolCall" ? tools(block.name) : undefined;
      if (block.type !== "toolCall" || !tool || block.invalidArguments !== undefined) return [];
      return [manager.checkSyntax(block, index, tool, toProject, signal)];
    });
  }

  return {
    open(goesOn = () => true) {
      attempt++;
      attemptGoesOn = goesOn;
      watching = true;
      dropLanes();
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
    async close(message, signal) {
      if (!watching) return "pass";
      const mine = attempt;
      const now = [...blocks.keys()].flatMap(ended);
      now.push(...unseenCalls(message), ...askNewRules(message), ...wholeCalls(message));
      if (report(now) === "cut") return "cut";
      const tell = lateReport();
      late.push(Promise.all(syntaxOf(message, signal)).then((all) => tell(all.flat())));
      const verdicts = Promise.all(late);
      await (signal ? untilAborted(verdicts, signal) : verdicts);
      if (mine !== attempt) return "pass";
      // Only a cut stops the watching before the end.
      const verdict = watching ? "pass" : "cut";
      watching = false;
      return verdict;
    },
  };
}
