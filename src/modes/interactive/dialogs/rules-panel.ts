/** `/rules`: every rule with its state, hits and what it cut; `m` mutes it for this session. */
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { count } from "../rows/status.js";
import { contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapProse } from "../rows/width.js";
import type { RuleStatus } from "../session-port.js";
import type { DialogRows } from "../store/state.js";
import type { TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";

const DETAIL_ROWS = 4;

export interface RulesPort {
  rules(): readonly RuleStatus[];
  muteRule(name: string, muted: boolean): void;
}

export class RulesPanel implements Dialog {
  #selected = 0;
  #top = 0;
  #rules: readonly RuleStatus[];

  constructor(
    private readonly port: RulesPort,
    private readonly onClose: () => void,
  ) {
    this.#rules = port.rules();
  }

  handle(input: TermInput): boolean {
    if (input.type !== "key") return false;
    const last = Math.max(0, this.#rules.length - 1);
    if (input.name === "escape" || input.text === "q") this.onClose();
    else if (input.name === "up") this.#selected = Math.max(0, this.#selected - 1);
    else if (input.name === "down") this.#selected = Math.min(last, this.#selected + 1);
    else if (input.name === "home") this.#selected = 0;
    else if (input.name === "end") this.#selected = last;
    else if (input.text === "m") this.#toggleMute();
    else return false;
    return true;
  }

  /** Something happened to the rules. */
  refresh(): void {
    this.#rules = this.port.rules();
    this.#selected = Math.max(0, Math.min(this.#selected, this.#rules.length - 1));
  }

  dismiss(): void {
    this.onClose();
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const keys = theme.dim(fit("↑↓ choose · m mutes for this session · Esc closes", width));
    const title = `  ${theme.bold("Rules")}`;
    if (this.#rules.length === 0) {
      const hint = "No rules yet. Put one in .rules/name.md of the project, with a `ttsr_trigger` in its front matter.";
      return {
        rows: [title, ...indent(wrapProse(hint, proseWidth(columns)), GUTTER, "  "), `  ${keys}`].slice(0, maxRows),
      };
    }
    const detail = maxRows >= 10 ? this.#detailRows(context) : [];
    const room = Math.max(1, maxRows - 2 - detail.length);
    this.#top = Math.max(this.#selected - room + 1, Math.min(this.#top, this.#selected));
    const shown = this.#rules.slice(this.#top, this.#top + room);
    const longest = Math.min(32, Math.max(...this.#rules.map((rule) => cleanLine(rule.name).length)));
    const rows = shown.map((rule, i) => this.#ruleRow(rule, this.#top + i === this.#selected, longest, width, context));
    return { rows: [title, ...rows, ...detail, `  ${keys}`].slice(0, Math.max(3, maxRows)) };
  }

  #ruleRow(rule: RuleStatus, selected: boolean, longest: number, width: number, { theme }: RowContext): string {
    const name = fit(cleanLine(rule.name), longest).padEnd(longest);
    const state = rule.muted ? "muted" : rule.state;
    const facts: string[] = [];
    if (rule.hits > 0) facts.push(rule.hits === 1 ? "1 hit" : `${rule.hits} hits`);
    if (rule.discardedTokens > 0) facts.push(`${count(rule.discardedTokens)} tokens cut`);
    const rest = fit(`${state.padEnd(10)}${facts.join(", ")}`.trimEnd(), Math.max(0, width - longest - 2));
    const style =
      rule.muted || (rule.state !== "armed" && rule.state !== "broken")
        ? theme.dim
        : rule.state === "broken"
          ? theme.warning
          : theme.plain;
    return selected ? `${theme.accent("›")} ${theme.accent(name)}  ${style(rest)}` : `  ${style(`${name}  ${rest}`)}`;
  }

  #detailRows({ columns, theme }: RowContext): string[] {
    const rule = this.#rules[this.#selected];
    if (!rule) return [];
    const width = contentWidth(columns);
    const texts = [rule.reason ?? "", rule.description].map(cleanLine).filter((text) => text !== "");
    // Only what can be seen is laid out, however long a rule's description is.
    const seen = texts.map((text) => text.slice(0, width * DETAIL_ROWS));
    const about = seen.flatMap((text) => wrapProse(text, proseWidth(columns))).slice(0, DETAIL_ROWS - 2);
    const where = fitEnd(cleanLine(`${rule.provider} · ${rule.path}`), width);
    return ["", ...indent([...about, where].map(theme.dim), GUTTER, "  ")];
  }

  #toggleMute(): void {
    const rule = this.#rules[this.#selected];
    if (!rule) return;
    this.port.muteRule(rule.name, !rule.muted);
    this.refresh();
  }
}
