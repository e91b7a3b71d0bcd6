/** What the user may say to an interrupt: let it through once, mute, false alarm, edit the rule (TTSR-10.3). */
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { excerptRow } from "../rows/ttsr-notification.js";
import { contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapProse } from "../rows/width.js";
import type { RuleStatus } from "../session-port.js";
import type { TtsrNotice } from "../store/pieces.js";
import type { DialogRows } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";
import { type Choice, Choices } from "./choices.js";
import type { Dialog } from "./dialog.js";

type Match = TtsrNotice["matches"][number];

export interface InterruptPort {
  allowOnce(name: string): void;
  mute(name: string): void;
  falseAlarm(name: string, match: Match): void;
  edit(rule: RuleStatus): void;
  close(): void;
}

type Pick = "once" | "mute" | "false-alarm" | "edit" | "next";

/** Rules whose files belong to the user or the project. */
const OWN: ReadonlySet<string> = new Set(["user", "project", "flag"]);

export class InterruptDialog implements Dialog {
  readonly kind = "panel";
  #at = 0;
  #choices: Choices<Pick>;
  /** Asked before a file is changed. */
  #confirm: Choices<boolean> | undefined;

  /** @param rules of the interrupt, at least one */
  constructor(
    private readonly notice: TtsrNotice,
    private readonly rules: readonly RuleStatus[],
    private readonly port: InterruptPort,
  ) {
    this.#choices = this.#makeChoices();
  }

  handle(input: TermInput): boolean {
    if (input.type !== "key") return false;
    if (input.name === "escape") {
      if (this.#confirm) this.#confirm = undefined;
      else this.port.close();
      return true;
    }
    if (this.#confirm) {
      const answer = this.#confirm.handle(input);
      if (answer !== undefined && answer !== "moved") this.#confirmed(answer.picked);
      return answer !== undefined;
    }
    const result = this.#choices.handle(input);
    if (result !== undefined && result !== "moved") this.#pick(result.picked);
    return result !== undefined;
  }

  dismiss(): void {
    this.port.close();
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const rule = this.#rule();
    const of = this.rules.length > 1 ? ` (${this.#at + 1} of ${this.rules.length})` : "";
    const head = [
      `${theme.warning("⟲")} ${theme.warning(theme.bold(fit(`${cleanLine(rule?.name ?? "")}${of}`, width)))}`,
    ];
    const match = this.#match();
    if (match) head.push(`    ${excerptRow(match, width - 2, theme)}`);
    const below = this.#confirm ? this.#confirmRows(context) : this.#choices.rows(context);
    const about = wrapProse(cleanLine(rule?.description ?? ""), proseWidth(columns)).filter((row) => row !== "");
    const room = maxRows - head.length - below.length - 1;
    const detail = this.#confirm
      ? []
      : indent(about.slice(0, Math.max(0, Math.min(3, room))).map(theme.dim), GUTTER, "  ");
    const all = [...head, ...detail, ...below];
    return { rows: all.slice(Math.max(0, all.length - maxRows)) };
  }

  #confirmRows(context: RowContext): string[] {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const question = "Write this text into the rule's file, as one on which it must stay silent?";
    return [
      ...indent(wrapProse(question, proseWidth(columns)), GUTTER, "  "),
      `  ${theme.dim(fitEnd(cleanLine(this.#rule()?.path ?? ""), width))}`,
      ...(this.#confirm?.rows(context) ?? []),
    ];
  }

  #makeChoices(): Choices<Pick> {
    const rule = this.#rule();
    const own = rule !== undefined && OWN.has(rule.provider);
    const items: Choice<Pick>[] = [
      { digit: "1", label: "Let it through once", value: "once" },
      { digit: "2", label: rule?.muted ? "Wake it again" : "Mute it for this session", value: "mute" },
    ];
    if (own && this.#match())
      items.push({ digit: "3", label: "False alarm: keep the text as an example", value: "false-alarm" });
    if (own) items.push({ digit: "4", label: "Edit the rule", value: "edit" });
    if (this.rules.length > 1) items.push({ digit: "5", label: "The next rule of this interrupt", value: "next" });
    return new Choices(items);
  }

  #rule(): RuleStatus | undefined {
    return this.rules[this.#at];
  }

  #match(): Match | undefined {
    return this.notice.matches.find(({ rule }) => rule === this.#rule()?.name);
  }

  #pick(pick: Pick): void {
    const rule = this.#rule();
    if (!rule) return;
    if (pick === "next") {
      this.#at = (this.#at + 1) % this.rules.length;
      this.#choices = this.#makeChoices();
      return;
    }
    if (pick === "false-alarm") {
      this.#confirm = new Choices([
        { digit: "1", label: "No", value: false },
        { digit: "2", label: "Yes, add it", value: true },
      ]);
      return;
    }
    this.port.close();
    if (pick === "once") this.port.allowOnce(rule.name);
    else if (pick === "mute") this.port.mute(rule.name);
    else this.port.edit(rule);
  }

  #confirmed(yes: boolean): void {
    const rule = this.#rule();
    const match = this.#match();
    this.#confirm = undefined;
    if (!yes || !rule || !match) return;
    this.port.close();
    this.port.falseAlarm(rule.name, match);
  }
}
