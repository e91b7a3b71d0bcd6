import { describe, expect, it } from "vitest";
import { createTheme, themeOfReply } from "../../../src/modes/interactive/theme.js";
import { DARK, LIGHT } from "../../../src/modes/interactive/theme-palettes.js";

const TRUE = { TERM: "xterm-256color", COLORTERM: "truecolor" };

describe("themes", () => {
  it.each([
    ["NO_COLOR", { ...TRUE, NO_COLOR: "1" }],
    ["TERM=dumb", { TERM: "dumb" }],
    ["FORCE_COLOR=0", { ...TRUE, FORCE_COLOR: "0" }],
  ])("%s: not one sequence", (_, env) => {
    const theme = createTheme(env, { name: "dark" });
    expect(theme.colors).toBe(false);
    for (const style of [theme.bold, theme.dim, theme.error, theme.match, theme.addedWord, theme.syntax.keyword]) {
      expect(style("x")).toBe("x");
    }
  });

  it("none: the same by setting", () => expect(createTheme(TRUE, { name: "none" }).error("x")).toBe("x"));

  it("follow the terminal's background where it tells, else its 16 colours", () => {
    expect(createTheme({ ...TRUE, COLORFGBG: "0;15" }).accent("x")).toContain("38;2;46;92;184");
    expect(createTheme({ ...TRUE, COLORFGBG: "15;0" }).accent("x")).toContain("38;2;122;162;247");
    expect(createTheme(TRUE).accent("x")).toBe("\u001b[34mx\u001b[39m");
    expect(createTheme(TRUE, { name: "ansi" }).accent("x")).toBe("\u001b[34mx\u001b[39m");
    expect(createTheme({ TERM: "xterm" }, { name: "dark" }).accent("x")).toBe("\u001b[34mx\u001b[39m");
  });

  it("read the answer to OSC 11", () => {
    expect(themeOfReply("]11;rgb:1a1a/1b1b/2626\u001b\\")).toBe("dark");
    expect(themeOfReply("]11;rgb:ff/ff/f0\u0007")).toBe("light");
    expect(themeOfReply("[?1u")).toBeUndefined();
  });

  it("can be read: every text colour stands at 4.5:1 or better on its background", () => {
    const luminance = (hex: string): number => {
      const [r = 0, g = 0, b = 0] = [1, 3, 5]
        .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a: string, b: string): number => {
      const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
      return (high + 0.05) / (low + 0.05);
    };
    for (const [palette, backgrounds] of [
      [DARK, ["#000000", "#1e1e2e"]],
      [LIGHT, ["#ffffff", "#f6f6f8"]],
    ] as const) {
      const { addedWord, removedWord, ...texts } = palette.roles;
      for (const background of backgrounds) {
        for (const [name, colour] of [...Object.entries(texts), ...Object.entries(palette.syntax)])
          expect(contrast(colour, background), `${name} ${colour} on ${background}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(texts.added, addedWord)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(texts.removed, removedWord)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
