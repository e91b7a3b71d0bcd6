import { describe, expect, it } from "vitest";
import { pushedDown, reflowOf } from "../../../src/modes/interactive/term/reflow.js";

const ROWS = ["", "x".repeat(45), "› words and words", "y".repeat(30)];

describe("what a narrower terminal did to the frame", () => {
  it("is known of tmux and xterm.js alone", () => {
    expect(reflowOf("[>84;0;0c")).toBe("tmux");
    expect(reflowOf("[>0;276;0c")).toBe("xterm.js");
    for (const other of ["[>41;390;0c", "[>1;4000;35c", "[?62;22c", "]11;rgb:0/0/0"])
      expect(reflowOf(other)).toBe(undefined);
    expect(pushedDown("unknown", ROWS, { row: 2, column: 2 }, 20)).toBe(0);
  });

  it("tmux: rows above that broke, and where the cursor's own row broke before it", () => {
    expect(pushedDown("tmux", ROWS, { row: 2, column: 2 }, 20)).toBe(2);
    expect(pushedDown("tmux", ROWS, { row: 2, column: 17 }, 15)).toBe(2 + 1);
    expect(pushedDown("tmux", ROWS, { row: 4, column: 0 }, 20)).toBe(2 + 1);
  });

  it("xterm.js: rows below that broke as well, the cursor's own not", () => {
    expect(pushedDown("xterm.js", ROWS, { row: 2, column: 2 }, 20)).toBe(2 + 1);
    expect(pushedDown("xterm.js", ROWS, { row: 2, column: 17 }, 15)).toBe(2 + 1);
    expect(pushedDown("xterm.js", ROWS, { row: 1, column: 2 }, 20)).toBe(1);
  });

  it("a wide character that does not fit goes to the next row whole", () => {
    expect(pushedDown("tmux", ["a文文文", "› "], { row: 1, column: 2 }, 4)).toBe(1);
    expect(pushedDown("tmux", ["文".repeat(6), "› "], { row: 1, column: 2 }, 5)).toBe(2);
  });
});
