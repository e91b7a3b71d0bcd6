/** What each rule did in this session (TTSR-10.3). */
export interface RuleCount {
  hits: number;
  interrupts: number;
  /** Output tokens of the attempts that it cut. */
  discardedTokens: number;
  /** How often the user said that it should not have fired. */
  falseAlarms: number;
}

const NOTHING: Readonly<RuleCount> = { hits: 0, interrupts: 0, discardedTokens: 0, falseAlarms: 0 };

export class Ledger {
  readonly #rules = new Map<string, RuleCount>();
  #interrupts = 0;
  #discardedTokens = 0;

  /** Another session: what its log has kept. Only interrupts stand there, each of them a hit. */
  restore(interrupts: readonly { rules: readonly { name: string }[]; discardedTokens: number }[]): void {
    this.#rules.clear();
    this.#interrupts = 0;
    this.#discardedTokens = 0;
    for (const { rules, discardedTokens } of interrupts) {
      const names = rules.map(({ name }) => name);
      for (const name of names) this.hit(name);
      this.interrupt(names, discardedTokens);
    }
  }

  hit(name: string): void {
    this.#of(name).hits++;
  }

  /** The tokens count whole for each rule of the batch, and once in the sum (TTSR-6.8). */
  interrupt(names: readonly string[], tokens: number): void {
    this.#interrupts++;
    this.#discardedTokens += tokens;
    for (const name of names) {
      const count = this.#of(name);
      count.interrupts++;
      count.discardedTokens += tokens;
    }
  }

  falseAlarm(name: string): void {
    this.#of(name).falseAlarms++;
  }

  of(name: string): Readonly<RuleCount> {
    return this.#rules.get(name) ?? NOTHING;
  }

  get interrupts(): number {
    return this.#interrupts;
  }

  get discardedTokens(): number {
    return this.#discardedTokens;
  }

  #of(name: string): RuleCount {
    let count = this.#rules.get(name);
    if (!count) {
      count = { ...NOTHING };
      this.#rules.set(name, count);
    }
    return count;
  }
}
