/** What rule files may cost before anybody has said that they may act: counted, so the same folder is read the same way on every machine. */

/**
 * Marks of front matter that is read for one load, 10 µs each at worst (measured). Usual rules have thirty to a hundred of them; those of a
 * repository have a room of their own.
 */
const MOST_MARKS = 75_000;

export class ReadingRoom {
  #left = MOST_MARKS;

  /** @returns whether there is room for so many marks more; if not, none is taken */
  takes(marks: number): boolean {
    if (marks > this.#left) return false;
    this.#left -= marks;
    return true;
  }
}
