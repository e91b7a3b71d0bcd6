/** What one unit took. */
export class UnitLog {
  /** How often it was too much. */
  attempts = 0;
  /** Steps of all parts together, with what was done in vain. */
  spent = 0;
  /** Parts that took any. */
  readonly parts: number[] = [];
  readonly #steps: Float64Array;

  constructor(
    parts: number,
    public unit: number,
  ) {
    this.#steps = new Float64Array(parts);
  }

  steps(part: number): number {
    return this.#steps[part] ?? 0;
  }

  charge(part: number, steps: number): void {
    const before = this.#steps[part] ?? 0;
    if (before === 0) this.parts.push(part);
    this.#steps[part] = before + steps;
    this.spent += steps;
  }

  again(): void {
    for (const part of this.parts) this.#steps[part] = 0;
    this.parts.length = 0;
    this.attempts++;
  }

  clear(): void {
    for (const part of this.parts) this.#steps[part] = 0;
    this.parts.length = 0;
    this.attempts = 0;
    this.spent = 0;
  }
}
