/** OSC 8: a text with its target behind it, where the terminal can hold one; else the target stands beside the text. */
import type { Theme } from "../theme.js";

/** A longer target is no link but data. Characters. */
const LONGEST = 2000;
/** The terminator must be BEL: Ink knows no other. */
const END = "\u0007";

/**
 * @param shown the styled text
 * @param text the same without styles
 * @param href clean; anything but http, https and mailto is told, not linked
 */
export function linked(shown: string, text: string, href: string, theme: Theme): string {
  if (href === text || href === `mailto:${text}` || href.startsWith("#")) {
    const target = targetOf(href);
    return theme.links && target !== undefined ? wrapped(shown, target) : shown;
  }
  const beside = `${shown} ${theme.dim(`(${href})`)}`;
  const target = theme.links ? targetOf(href) : undefined;
  // A text that looks like an address must not lead to another one unseen.
  return target === undefined || looksLikeAddress(text) ? beside : wrapped(shown, target);
}

function wrapped(shown: string, target: string): string {
  return `\u001b]8;;${target}${END}${shown}\u001b]8;;${END}`;
}

/** @returns an address of printable ASCII; undefined for one that should not be a click away */
function targetOf(href: string): string | undefined {
  if (href.length > LONGEST || !URL.canParse(href)) return undefined;
  const { protocol, href: target } = new URL(href);
  if (!/^(?:https?|mailto):$/.test(protocol)) return undefined;
  return /^[!-~]+$/.test(target) ? target : undefined;
}

function looksLikeAddress(text: string): boolean {
  return /^(?:[a-z]+:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/i.test(text.trim());
}
