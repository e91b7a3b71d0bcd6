/** What the slash commands and the dialogs of rules can do with the face. */
import { childEnv } from "../../platform/child-env.js";
import { UserError } from "../../platform/errors.js";
import { runProcess } from "../../platform/process.js";
import type { CommandContext, PickItem } from "./commands/command.js";
import { COMMANDS } from "./commands/index.js";
import type { DialogHost } from "./dialogs/dialog-host.js";
import { InterruptDialog } from "./dialogs/interrupt.js";
import { Picker } from "./dialogs/picker.js";
import { RulesPanel } from "./dialogs/rules-panel.js";
import { TextPanel } from "./dialogs/text-panel.js";
import type { FaceSession, RuleStatus } from "./session-port.js";
import type { TtsrNotice } from "./store/pieces.js";
import type { Transcript } from "./store/transcript.js";
import type { Bindings } from "./term/bindings.js";

const OUTPUT_BYTES = 4 * 1024 * 1024;
const OUTPUT_MS = 20_000;

export interface DeskPort {
  dialogs: DialogHost;
  transcript: Transcript;
  bindings: Bindings;
  env: NodeJS.ProcessEnv;
  say(text: string, level?: "info" | "warning"): void;
  refresh(): void;
  hint(text: string): void;
  run(work: Promise<unknown>): void;
  editFile(path: string): Promise<void>;
  copy(text: string): boolean;
  diagnose(cwd: string): Promise<string>;
  takeQueueBack(): void;
  quit(): void;
}

export class CommandDesk implements CommandContext {
  readonly commands = COMMANDS;

  constructor(
    readonly session: FaceSession,
    private readonly port: DeskPort,
  ) {}

  get bindings(): Bindings {
    return this.port.bindings;
  }

  readonly say = (text: string): void => this.port.say(text);
  readonly run = (work: Promise<unknown>): void => this.port.run(work);
  readonly takeQueueBack = (): void => this.port.takeQueueBack();
  readonly quit = (): void => this.port.quit();
  readonly editFile = (path: string): Promise<void> => this.port.editFile(path);
  readonly diagnose = (): Promise<string> => this.port.diagnose(this.session.cwd);

  readonly show = (title: string, text: string): void => {
    this.port.transcript.add({ kind: "full", title, text });
    this.port.refresh();
  };

  readonly copy = (text: string): void => {
    if (!this.port.copy(text))
      throw new UserError("too-long", "That is too long for the clipboard of a terminal; /export writes a file.");
  };

  readonly pick = <T>(title: string, items: readonly PickItem<T>[], onPick: (value: T) => void): void => {
    this.port.dialogs.open(
      (close) =>
        new Picker(title, items, this.bindings, (picked) => {
          close();
          if (picked) onPick(picked.value);
        }),
    );
  };

  readonly read = (title: string, lines: readonly string[]): void => {
    this.port.dialogs.open((close) => new TextPanel(title, lines, close));
  };

  readonly showConversation = (): void => {
    this.port.transcript.replay(this.session.messages);
    this.port.refresh();
  };

  readonly openRules = (filter: string): void => {
    const { session } = this;
    this.port.dialogs.open(
      (close) =>
        new RulesPanel(
          {
            rules: () => session.rules(),
            muteRule: (name, muted) => session.muteRule(name, muted),
            allowOnce: (name) => this.#allowOnce(name),
            edit: (rule) => this.#editRule(rule),
            close,
          },
          this.bindings,
          filter,
        ),
    );
  };

  /** The choices on an interrupt. @returns false when none of its rules is known any more */
  openInterrupt(notice: TtsrNotice): boolean {
    const { session } = this;
    const names = notice.rules.map(({ name }) => name);
    const rules = session.rules().filter((rule) => names.includes(rule.name) && rule.state === "armed");
    if (rules.length === 0) return false;
    this.port.dialogs.open(
      (close) =>
        new InterruptDialog(notice, rules, {
          allowOnce: (name) => this.#allowOnce(name),
          mute: (name) => this.#toggleMute(name),
          falseAlarm: (name, match) => this.#falseAlarm(name, match),
          edit: (rule) => this.#editRule(rule),
          close,
        }),
    );
    return true;
  }

  readonly output = async (file: string, args: readonly string[]): Promise<string | undefined> => {
    let text = "";
    const { ended, exitCode } = await runProcess({
      file,
      args,
      cwd: this.session.cwd,
      env: childEnv(this.port.env),
      signal: new AbortController().signal,
      timeoutMs: OUTPUT_MS,
      onOutput: (chunk, from) => {
        if (from === "stdout" && text.length < OUTPUT_BYTES) text += chunk.toString("utf8");
      },
    });
    return ended === "exit" && exitCode === 0 ? text : undefined;
  };

  #allowOnce(name: string): void {
    this.run(
      this.session.allowRuleOnce(name).then((how) => {
        this.say(
          how === "asked-again" ? `Asked again; ${name} lets it through.` : `${name} lets the next match through.`,
        );
      }),
    );
  }

  #toggleMute(name: string): void {
    const muted = this.session.rules().find((rule) => rule.name === name)?.muted !== true;
    this.session.muteRule(name, muted);
    this.say(muted ? `${name} is muted for this session; /rules wakes it.` : `${name} is armed again.`);
  }

  #falseAlarm(name: string, match: TtsrNotice["matches"][number]): void {
    const { excerpt: text, filePath: path, toolName: tool } = match;
    const example = { text, ...(path === undefined ? {} : { path }), ...(tool === undefined ? {} : { tool }) };
    const done = `Added to ${name} as a text on which it must be silent. As long as its trigger is not, the rule is off: edit it next.`;
    this.run(this.session.reportFalseAlarm(name, example).then(() => this.say(done)));
  }

  #editRule({ name, path, provider }: RuleStatus): void {
    if (provider === "bundled") {
      this.port.hint(`${name} comes with the program; a rule of that name in .rules/ takes its place.`);
      return;
    }
    this.run(this.port.editFile(path).then(() => this.say(`What changed in ${name} holds at once.`)));
  }
}
