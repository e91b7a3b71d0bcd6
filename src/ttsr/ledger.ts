/** What each rule did in this session: hits, interrupts, tokens cut (TTSR-10.3). */
export interface RuleCount {
  hits: number;
  interrupts: number;
  discardedTokens: number;
}

export class Ledger {
  readonly #rules = new Map<string, RuleCount>();
  #interrupts = 0;
  #discardedTokens = 0;

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

  of(name: string): Readonly<RuleCount> {
    return this.#rules.get(name) ?? { hits: 0, interrupts: 0, discardedTokens: 0 };
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
      count = { hits: 0, interrupts: 0, discardedTokens: 0 };
      this.#rules.set(name, count);
    }
    return count;
  }
}
