import { describe, expect, it } from "vitest";
import { setOf } from "./verdict.js";

/** Odd but valid, and what of Unicode is special to `i` and `\s`. */
const PATTERNS = [
  "\\0", "\\x41", "a{", "{", "]", "\\_", "\\ca", "[\\c_]", "\\c", "[\\b]", "\\u{61}", "[a-\\d]", "[\\d-a]", "\\8", "\\07", "a{,2}", "x{2}{",
  "[^]", "\\/", "\\-", "\\u212a", "k", "\\u017f", "s", "[\\W]", "[^\\w]", "\\W", "\\w", "\\s", "\\S", "\\D", "ß", "İ", "ı", "ǆ", "Ω", "Σ", "[α-ω]", "[^Ω]",
  "[ -~]", "\\ud83d\\ude00", ".", "[\\ud800-\\udbff]", "(?=a)*b", "(?!b){2}a", "(?:a|)+b", "(?:(?:a*)*)*b", "\\bk", "\\B\\u212a", "[^\\s\\S]|a", "a|[]", "\\cJ", "[\\0-\\x1f]",
  "\\p{L}", "(?<n>a)b", "a(?:b|c|)d", "[\\-a]", "[a\\-z]", "[\\]]", "\\u0041", "\\udc00",
]; // biome-ignore format: a list to look over

const TEXTS = [
  ...Array.from({ length: 0x600 }, (_, unit) => String.fromCharCode(unit)),
  ..."\u212a\u2126\u1e9e\u1e60\u1e9b\u2028\u2029\ufeff\u3000\u180e\u1fb3\u0390\u1fd3\u2160\u2170\u24b6\u24d0\ua64a\u1c88\uff21\uff41\u10d0\u2d00\u13a0\uab70",
  "aa", "ab", "ba", "aab", "aba", "abd", "acd", "ad", "xx{", "a{,2}", "p{L}", "u".repeat(61), "\\c", "\\ca", "x\u212a", "k k", "\ud83d", "\ude00", "\ud83d\ude00",
]; // biome-ignore format: a list to look over

describe("TTSR-4.3 patterns are ECMAScript without u: Annex B syntax and case folding as RegExp has them", () => {
  it.each(PATTERNS)("%s", (source) => {
    let compared = 0;
    for (const flags of ["", "i", "ms"]) {
      const expression = new RegExp(source, flags);
      const set = setOf(flags === "" ? source : `(?${flags})${source}`);
      expect(set.tierOf("r")).toBe(1);
      const wrong = TEXTS.filter((text) => {
        const cursor = set.open(() => true);
        compared++;
        return cursor.feed(text).length + cursor.end().now.length > 0 !== expression.test(text);
      });
      expect(wrong).toEqual([]);
    }
    expect(compared).toBe(3 * TEXTS.length);
  });
});
