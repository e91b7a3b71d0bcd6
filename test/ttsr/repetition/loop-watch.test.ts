import { describe, expect, it } from "vitest";
import { type Loop, LoopWatch, MOST_STEPS } from "../../../src/ttsr/repetition/loop-watch.js";
import { cuts } from "../helpers.js";
import { cycle, paragraphs, rounds } from "./texts.js";

const A = "I have everything that I need now, so I will write the file and run the tests.";
const B = "The parser comes first, because the printer takes whatever the parser makes of the text.";
const C = "After that the documents are brought up to date, and nothing else remains to be done today.";

function loopIn(text: string): Loop | undefined {
  return loopOf([text]);
}

function loopOf(pieces: readonly string[]): Loop | undefined {
  const watch = new LoopWatch();
  for (const piece of pieces) {
    const loop = watch.push(piece);
    if (loop) return loop;
  }
  return watch.close();
}

const text = (...all: string[]): string => all.join("\n\n");

describe("C72 the same paragraph for the third time", () => {
  it("is decided at the end of the third, and begins with the second", () => {
    const three = text(A, A, A);
    expect(loopIn(three)).toEqual({
      start: A.length + 2,
      end: three.length,
      excerpt: A,
      what: "the same paragraph 3 times",
    });
    // Where it goes on, a blank line ends it.
    expect(loopIn(`${three}\n\nAnd so on.`)?.end).toBe(three.length + 2);
    expect(loopIn(text(A, A))).toBeUndefined();
  });

  it("whatever its case and its white space", () => {
    const other = `  \n${A.toUpperCase().replace(" ", " \n")}`;
    expect(loopIn(text(A, other, A))?.what).toBe("the same paragraph 3 times");
    expect(loopIn(text(A, A, A).replaceAll("\n", "\r\n"))?.what).toBe("the same paragraph 3 times");
  });

  it("has at least 64 characters, and 24 letters among them", () => {
    const of = (length: number): string =>
      A.repeat(2)
        .slice(0, length - 1)
        .concat("x");
    expect(loopIn(text(of(64), of(64), of(64)))).toBeDefined();
    expect(loopIn(text(of(63), of(63), of(63)))).toBeUndefined();
    const dots = (letters: number): string => `${"x".repeat(letters - 1)} ${". ".repeat(30)}x`;
    expect(loopIn(text(dots(24), dots(24), dots(24)))).toBeDefined();
    expect(loopIn(text(dots(23), dots(23), dots(23)))).toBeUndefined();
  });

  it("9 times the same 7 paragraphs: known when the third round begins", () => {
    const seven = paragraphs(7);
    const all = rounds(seven, 9);
    const [first = ""] = seven;
    const third = rounds(seven, 2).length + 2 + first.length + 2;
    expect(loopIn(all)).toMatchObject({ end: third, excerpt: expect.stringContaining(first.slice(0, 40)) });
  });

  it("fires where all that stands between was there before, a list and code included", () => {
    const round = text(A, "- the parser\n- the printer", "```\nnpm test\n```", "Now.");
    expect(loopIn(text(round, round, A))?.what).toBe("the same paragraph 3 times");
  });

  it.each([
    ["another paragraph", B],
    ["a question", "And what of the printer?"],
    ["a title", "On printing"],
    ["a heading", "## The printer"],
    ["an underlined heading", "The printer\n==========="],
    ["a list", "- the printer"],
    ["code", "```\nprint(x)\n```"],
    ["a table row", "| the printer | done |"],
    ["a quote", "> the printer"],
    ["a number", "This is step 4."],
    ["a path", "See src/print.ts."],
  ])("is silent where %s came in between for the first time", (_, between) => {
    expect(loopIn(text(A, A, between, A))).toBeUndefined();
    // And from there it is counted anew.
    expect(loopIn(text(A, A, between, A, A))?.what).toBe("the same paragraph 4 times");
  });
});

describe("C72 short remarks", () => {
  it("are nothing new, whatever they say", () => {
    expect(loopIn(text(A, "Hmm.", A, "Wait, once more.", A))?.what).toBe("the same paragraph 3 times");
    expect(loopIn(text(A, "Let me see:", A, "And again!", A))?.what).toBe("the same paragraph 3 times");
  });
});

describe("C73 paragraphs that are like earlier ones", () => {
  // Of 20 words, 7 are others: 13 of 27 would be too few; so 6: 14 of 26.
  const words =
    "alder beech cedar dogwood elder fir gorse hazel ivy juniper kapok larch maple nettle oak poplar quince rowan sumac teak";
  const variant = (others: number, n: number): string => {
    const all = words.split(" ");
    const kept = all.slice(0, 20 - others);
    return `${[...kept, ...Array.from({ length: others }, (_, i) => LETTERS[n % 26]?.repeat(4 + i) ?? "")].join(" ")}.`;
  };
  const LETTERS = "abcdefghijklmnopqrstuvwxyz";
  const variants = (others: number, count: number): string[] => {
    return Array.from({ length: count }, (_, n) => variant(others, n));
  };

  it("fires with the eighth of the last twelve that shares half of its words with another", () => {
    const all = variants(6, 12);
    const eight = text(...all.slice(0, 9));
    expect(loopIn(text(...all))).toEqual({
      start: (all[0]?.length ?? 0) + 2,
      end: eight.length + 2,
      excerpt: all[1]?.slice(0, 119).concat("…"),
      what: "8 of the last 9 paragraphs are like earlier ones",
    });
    expect(loopIn(text(...all.slice(0, 8)))).toBeUndefined();
    expect(loopIn(text(...variants(7, 30)))).toBeUndefined();
  });

  it("a model that speaks of itself names nothing", () => {
    const all = variants(3, 9).map(
      (each, i) => `${each.slice(0, -1)} so ${["I", "I'm", "I'll", "I've", "I'd"][i % 5]} go.`,
    );
    expect(loopIn(text(...all))).toBeDefined();
  });

  it("four others of twelve do not hide it, and six do", () => {
    const like = variants(6, 40);
    const others = paragraphs(40);
    const mixed = (between: number): string => {
      // One of the others after so many that are alike.
      return text(...like.flatMap((each, i) => (i % between === 0 ? [others[i] ?? "", each] : [each])));
    };
    expect(loopIn(mixed(2))).toBeDefined();
    expect(loopIn(mixed(1))).toBeUndefined();
  });

  it("finds a cycle of 114 paragraphs in its second round", () => {
    const long = paragraphs(114);
    const twice = rounds(long, 2);
    const eight = rounds(long, 1).length + 2 + text(...long.slice(0, 8)).length + 2;
    expect(loopIn(twice)).toMatchObject({ end: eight, what: "8 of the last 12 paragraphs are like earlier ones" });
    expect(loopIn(rounds(long, 1))).toBeUndefined();
    // What each of them names is known as long as they are.
    const naming = long.map((each, i) => `${each} See src/part-${i}.ts and \`part${i}()\`.`);
    expect(loopIn(rounds(naming, 2))?.what).toMatch(/^8 of the last/);
  });

  it.each([
    ["a number", (i: number) => `Item ${i + 7}: ${variant(6, i)}`],
    ["a path", (i: number) => `In lib/${LETTERS[i]}.c ${variant(6, i)}`],
    ["an identifier", (i: number) => `Of read${LETTERS[i]?.toUpperCase()}xy ${variant(6, i)}`],
    ["a name", (i: number) => `The town of ${LETTERS[i]?.toUpperCase()}ville: ${variant(6, i)}`],
    ["a word in quotes", (i: number) => `The word "${LETTERS[i]?.repeat(3)}": ${variant(6, i)}`],
    ["code", (i: number) => `The \`${LETTERS[i]?.repeat(3)}\`: ${variant(6, i)}`],
    ["emphasis", (i: number) => `**${LETTERS[i]?.repeat(3)}**: ${variant(6, i)}`],
    ["a flag", (i: number) => `With -${LETTERS[i]} set ${variant(6, i)}`],
  ])("what brings %s that was not there is progress", (_, item) => {
    expect(loopIn(text(...Array.from({ length: 24 }, (_, i) => item(i))))).toBeUndefined();
    // Going through the same ones again brings nothing.
    const again = Array.from({ length: 12 }, (_, i) => item(i % 3));
    expect(loopIn(text(...again, ...again))).toBeDefined();
  });
});

describe("TTSR-4.2 repetition: the same verdict at the same offset, however the text is cut", () => {
  it.each([
    ["the third of three", text(A, B, A, B, A, B, C)],
    ["a cycle with a fence, CRLF", text(A, "~~~\nx\n\ny\n~~~", A, "~~~\nx\n\ny\n~~~", A, C).replaceAll("\n", "\r\n")],
    ["nothing", text(A, B, C, "# A\n\n- b\n\n> c", A)],
    ["only at the close", text(A, A, A)],
  ])("%s: at each place and in single units", (_, whole) => {
    const wanted = loopIn(whole);
    for (const pieces of cuts(whole)) expect(loopOf(pieces)).toEqual(wanted);
  });

  it("at random", () => {
    const whole = text(rounds(paragraphs(20), 1), cycle(9, 3), C);
    const wanted = loopIn(whole);
    expect(wanted).toBeDefined();
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 16807) % 2147483647;
      return 1 + (seed % most);
    };
    for (let run = 0; run < 200; run++) {
      const pieces: string[] = [];
      for (let at = 0; at < whole.length; ) {
        const to = at + random(run + 2);
        pieces.push(whole.slice(at, to));
        at = to;
      }
      expect(loopOf(pieces)).toEqual(wanted);
    }
  });
});

describe("repetition: bounds", () => {
  it("tells a loop once", () => {
    const watch = new LoopWatch();
    expect(watch.push(`${text(A, A, A)}\n\n`)).toBeDefined();
    expect(watch.push(`${text(A, A, A)}\n\n`)).toBeUndefined();
    expect(watch.close()).toBeUndefined();
  });

  it("a paragraph costs at most what is said, with 256 before it of 128 words each", () => {
    const watch = new LoopWatch();
    // Half of the words of a paragraph are its own, less one: the comparison goes on nearly to the end.
    let word = 0;
    const common = Array.from({ length: 80 }, (_, i) => `common${letters(i)}`);
    const next = (): string => {
      const own = Array.from({ length: 48 }, () => `own${letters(word++)}`);
      return `${[...common, ...own].join(" ")}\n\n`;
    };
    for (let i = 0; i < 300; i++) {
      const before = watch.steps;
      expect(watch.push(next())).toBeUndefined();
      expect(watch.steps - before).toBeLessThanOrEqual(MOST_STEPS);
    }
    const before = watch.steps;
    watch.push(next());
    expect(watch.steps - before).toBeGreaterThan(256 * 128);
  });

  it("a paragraph too long to be kept whole is new, whatever it begins with", () => {
    const long = (end: string): string => paragraphs(45).join(" ").concat(" ", end);
    expect(long("").length).toBeGreaterThan(4_096);
    expect(loopIn(text(long("one"), long("two"), long("three")))).toBeUndefined();
    expect(loopIn(text(A, A, long("one"), A))).toBeUndefined();
  });
});

/** In letters: a digit would be progress. */
function letters(n: number): string {
  return n < 26 ? String.fromCharCode(97 + n) : letters(Math.floor(n / 26) - 1) + letters(n % 26);
}
