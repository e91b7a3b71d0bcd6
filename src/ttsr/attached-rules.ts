/**
 * Rules without a trigger that name files (`rules.md`): the body goes with the result of the first call that touches such a file, and
 * again when it stands in the context no longer.
 */
import type { AssistantMessage, ToolResultMessage } from "../agent/messages.js";
import type { Tool } from "../agent/ports.js";
import { injectedBody } from "../capability/injected-body.js";
import { isStreamRule, type Rule } from "../capability/rule.js";
import { compileGlobs, type PathTest } from "./globs.js";
import { attachedText } from "./interrupt-text.js";
import { PATH_ARGUMENTS } from "./lanes/call-lanes.js";
import { compileTriggers, type MatcherSet } from "./matcher/index.js";

export interface AttachedPort {
  /** All rules that hold; only those that are attached are looked at. */
  rules(): readonly Rule[];
  tools(name: string): Tool | undefined;
  /** From a path as the model wrote it to one relative to the project, posix separators. */
  toProjectPath(path: string): string;
  /** The file as it is now; undefined where it cannot be read. */
  fileText(path: string): string | undefined;
  /** Whether the rule's text stands in the context that will be sent. */
  visible(name: string): boolean;
}

interface Attachable {
  rule: Rule;
  names: PathTest;
  content?: MatcherSet;
}

/** Bytes of rules that one result carries at most, but always one rule; the others go with the next call on such a file. */
const MOST = 32 * 1024;

export class AttachedRules {
  /** The files of the calls of the present message, by call. */
  readonly #files = new Map<string, string>();
  /** Given with a result of the present message, which does not stand in the context yet. */
  readonly #given = new Set<string>();
  #from: readonly Rule[] | undefined;
  #attachable: readonly Attachable[] = [];

  constructor(private readonly port: AttachedPort) {}

  /** A new attempt begins. */
  open(): void {
    this.#files.clear();
    this.#given.clear();
  }

  /** The message is whole: its calls are about to run. */
  close(message: AssistantMessage): void {
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      const argument = this.port.tools(block.name)?.pathArgument;
      const names = argument === undefined ? [...PATH_ARGUMENTS] : [argument];
      const path = names
        .map((name) => block.arguments[name])
        .find((value) => typeof value === "string" && value !== "");
      if (typeof path === "string") this.#files.set(block.id, this.port.toProjectPath(path));
    }
  }

  /** Puts the rules that the call's file brings in front of its result. A call that failed touched nothing. */
  amend(result: ToolResultMessage): ToolResultMessage {
    const file = this.#files.get(result.toolCallId);
    if (file === undefined || result.isError) return result;
    const due = this.#due(file);
    if (due.length === 0) return result;
    for (const { name } of due) this.#given.add(name);
    const texts = due.map((rule) => ({ type: "text" as const, text: `${attachedText(rule, file)}\n` }));
    const rules = [...(result.rules ?? []), ...due.map(({ name }) => name)];
    return { ...result, content: [...texts, ...result.content], rules };
  }

  #due(file: string): Rule[] {
    const due: Rule[] = [];
    let room = MOST;
    for (const { rule, names, content } of this.#all()) {
      if (this.#given.has(rule.name) || !names(file) || this.port.visible(rule.name)) continue;
      if (content && !this.#holds(content, rule, file)) continue;
      room -= Buffer.byteLength(injectedBody(rule));
      if (room < 0 && due.length > 0) break;
      due.push(rule);
    }
    return due;
  }

  #holds(content: MatcherSet, rule: Rule, file: string): boolean {
    const text = this.port.fileText(file);
    if (text === undefined) return false;
    const cursor = content.open((name) => name === rule.name);
    return cursor.feed(text).length > 0 || cursor.end().now.length > 0;
  }

  /** Compiled once for each state of the rules. */
  #all(): readonly Attachable[] {
    const rules = this.port.rules();
    if (rules !== this.#from) {
      this.#from = rules;
      this.#attachable = rules.filter(isAttached).map((rule) => ({
        rule,
        names: compileGlobs(rule.globs, rule.below),
        ...(rule.fileContent
          ? {
              content: compileTriggers(
                rule.fileContent.map((pattern, index) => ({ ruleId: rule.name, pattern, index })),
              ),
            }
          : {}),
      }));
    }
    return this.#attachable;
  }
}

function isAttached(rule: Rule): boolean {
  return !isStreamRule(rule) && !rule.alwaysApply && rule.globs.length > 0 && rule.content.trim() !== "";
}
