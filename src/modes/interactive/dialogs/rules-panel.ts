/** `/rules`: every rule with its source, state, hits and what it cut; muting, letting through, editing (TTSR-10.3). */
import { editOneRow } from "../editor/edits.js";
import { narrow } from "../editor/fuzzy.js";
import { TextBuffer } from "../editor/text-buffer.js";
import { cleanLine } from "../rows/clean.js";
import type { RowContext } from "../rows/context.js";
import { ruleStateText } from "../rows/rule-state.js";
import { count } from "../rows/status.js";
import { cells, contentWidth, fit, fitEnd, GUTTER, indent, proseWidth, wrapProse } from "../rows/width.js";
import type { RuleStatus } from "../session-port.js";
import type { DialogRows } from "../store/state.js";
import type { Bindings } from "../term/bindings.js";
import type { Key, TermInput } from "../term/key-parser.js";
import type { Dialog } from "./dialog.js";

const DETAIL_ROWS = 5;

export interface RulesPort {
  rules(): readonly RuleStatus[];
  muteRule(name: string, muted: boolean): void;
  /** The next answer in which it holds passes. */
  allowOnce(name: string): void;
  /** Opens the user's editor on the rule's file. */
  edit(rule: RuleStatus): void;
  close(): void;
}

export class RulesPanel implements Dialog {
  readonly kind = "panel";
  #selected = 0;
  #top = 0;
  #rules: readonly RuleStatus[] = [];
  readonly #filter = new TextBuffer();
  #filtering = false;

  constructor(
    private readonly port: RulesPort,
    private readonly bindings: Bindings,
    filter = "",
  ) {
    this.#filter.set(filter);
    this.refresh();
  }

  handle(input: TermInput): boolean {
    if (input.type === "paste" && this.#filtering) {
      this.#filter.insert(input.text.replaceAll("\n", " "));
      this.refresh();
    }
    if (input.type !== "key") return false;
    const used = this.#move(input) || (this.#filtering ? this.#filterKey(input) : this.#key(input));
    this.refresh();
    return used;
  }

  /** Something happened to the rules. */
  refresh(): void {
    this.#rules = narrow(this.#filter.text, this.port.rules(), (rule) => {
      const { name, provider, description, path } = rule;
      return { name, about: [provider, description, path, ruleStateText(rule)].join("\n") };
    });
    this.#selected = Math.max(0, Math.min(this.#selected, this.#rules.length - 1));
  }

  dismiss(): void {
    this.port.close();
  }

  rows(context: RowContext, maxRows: number): DialogRows {
    const { columns, theme } = context;
    const width = contentWidth(columns);
    const keys = this.#filtering
      ? "type to filter · Enter keeps it · Esc shows all"
      : "m mutes · l lets one through · e edits · / filters · Esc closes";
    const foot = `  ${theme.dim(fit(keys, width))}`;
    const title = "Rules";
    const filter = fit(this.#filter.text, Math.max(0, width - title.length - 4));
    const shownFilter = this.#filtering || filter !== "" ? `  ${theme.accent("/")} ${filter}` : "";
    const head = `  ${theme.bold(title)}${shownFilter}`;
    if (this.#rules.length === 0 && this.#filter.isEmpty) {
      const hint = "No rules yet. Put one in .rules/name.md of the project, with a `ttsr_trigger` in its front matter.";
      const rows = indent(wrapProse(hint, proseWidth(columns)), GUTTER, "  ");
      return { rows: [head, ...rows, foot].slice(0, maxRows) };
    }
    const detail = maxRows >= 10 ? this.#detailRows(context) : [];
    const room = Math.max(1, maxRows - 2 - detail.length);
    this.#top = Math.max(this.#selected - room + 1, Math.min(this.#top, this.#selected), 0);
    const shown = this.#rules.slice(this.#top, this.#top + room);
    const longest = Math.min(
      32,
      Math.floor(width / 2),
      Math.max(1, ...this.#rules.map((rule) => cells(cleanLine(rule.name)))),
    );
    const rows = shown.map((rule, i) => this.#ruleRow(rule, this.#top + i === this.#selected, longest, width, context));
    if (rows.length === 0) rows.push(theme.dim("  no rule fits"));
    const all = [head, ...rows, ...detail, foot].slice(0, Math.max(3, maxRows));
    const column = GUTTER + title.length + 4 + cells(this.#filter.text.slice(0, this.#filter.cursor));
    return this.#filtering ? { rows: all, cursor: { row: 0, column } } : { rows: all };
  }

  #ruleRow(rule: RuleStatus, selected: boolean, longest: number, width: number, { theme }: RowContext): string {
    const fitted = fit(cleanLine(rule.name), longest);
    const name = fitted + " ".repeat(Math.max(0, longest - cells(fitted)));
    const facts: string[] = [];
    if (rule.hits > 0) facts.push(rule.hits === 1 ? "1 hit" : `${rule.hits} hits`);
    if (rule.discardedTokens > 0) facts.push(`${count(rule.discardedTokens)} tokens cut`);
    if (rule.falseAlarms > 0) facts.push(rule.falseAlarms === 1 ? "1 false alarm" : `${rule.falseAlarms} false alarms`);
    const state = cleanLine(ruleStateText(rule));
    const words = facts.length === 0 ? state : `${state.padEnd(19)}  ${facts.join(", ")}`;
    const rest = fit(words, Math.max(0, width - longest - 2));
    const style =
      rule.state === "broken" ? theme.warning : rule.muted || rule.state !== "armed" ? theme.dim : theme.plain;
    return selected ? `${theme.accent("›")} ${theme.accent(name)}  ${style(rest)}` : `  ${style(`${name}  ${rest}`)}`;
  }

  #detailRows({ columns, theme }: RowContext): string[] {
    const rule = this.#rules[this.#selected];
    if (!rule) return [];
    const width = contentWidth(columns);
    const watches = rule.scope.length > 0 ? `watches ${rule.scope.join(", ")}` : "";
    const globs = rule.globs.length > 0 ? `in ${rule.globs.join(", ")}` : "";
    const texts = [rule.reason ?? "", rule.description, `${watches} ${globs}`]
      .map(cleanLine)
      .filter((text) => text !== "");
    // Only what can be seen is laid out, however long a rule's description is.
    const seen = texts.map((text) => text.slice(0, width * DETAIL_ROWS));
    const about = seen.flatMap((text) => wrapProse(text, proseWidth(columns))).slice(0, DETAIL_ROWS - 2);
    const where = fitEnd(cleanLine(`${rule.provider} · ${rule.path}`), width);
    return ["", ...indent([...about, where].map(theme.dim), GUTTER, "  ")];
  }

  #move(input: Key): boolean {
    const action = this.bindings.actionOf(input);
    const last = Math.max(0, this.#rules.length - 1);
    if (action === "up") this.#selected = Math.max(0, this.#selected - 1);
    else if (action === "down") this.#selected = Math.min(last, this.#selected + 1);
    else if (input.name === "pageup") this.#selected = Math.max(0, this.#selected - 10);
    else if (input.name === "pagedown") this.#selected = Math.min(last, this.#selected + 10);
    else if (!this.#filtering && action === "line-start") this.#selected = 0;
    else if (!this.#filtering && action === "line-end") this.#selected = last;
    else return false;
    return true;
  }

  #filterKey(input: Key): boolean {
    if (input.name === "escape") this.#filter.reset();
    if (input.name === "escape" || input.name === "enter") this.#filtering = false;
    else if (editOneRow(this.#filter, this.bindings.actionOf(input))) this.#selected = 0;
    else if (input.text !== undefined) {
      this.#filter.insert(input.text);
      this.#selected = 0;
    } else return false;
    return true;
  }

  #key(input: Key): boolean {
    const rule = this.#rules[this.#selected];
    if (input.name === "escape" || input.text === "q") this.port.close();
    else if (input.text === "/") this.#filtering = true;
    else if (rule && input.text === "m") this.port.muteRule(rule.name, !rule.muted);
    else if (rule?.state === "armed" && input.text === "l") this.port.allowOnce(rule.name);
    else if (rule && input.text === "e") this.port.edit(rule);
    else return false;
    return true;
  }
}
