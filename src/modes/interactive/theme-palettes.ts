/** The colours of the themes. Each text colour stands at 4.5:1 or better against its background (black or white, and their soft variants). */
/** What a piece of code is, as far as it has a colour. */
export type SyntaxKind =
  | "plain"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "title"
  | "type"
  | "attribute"
  | "meta"
  | "added"
  | "removed";

export type Role =
  | "accent"
  | "warning"
  | "error"
  | "success"
  | "added"
  | "removed"
  | "code"
  | "heading"
  /** Backgrounds of the words that differ in a changed line. */
  | "addedWord"
  | "removedWord";

export interface Palette {
  roles: Readonly<Record<Role, string>>;
  syntax: Readonly<Record<Exclude<SyntaxKind, "plain" | "added" | "removed">, string>>;
}

export const DARK: Palette = {
  roles: {
    accent: "#7aa2f7",
    warning: "#e0af68",
    error: "#f7768e",
    success: "#9ece6a",
    added: "#9ece6a",
    removed: "#f7768e",
    code: "#7dcfff",
    heading: "#c0caf5",
    addedWord: "#2d4a2b",
    removedWord: "#54283a",
  },
  syntax: {
    keyword: "#bb9af7",
    string: "#9ece6a",
    number: "#ff9e64",
    comment: "#8089b3",
    title: "#7aa2f7",
    type: "#2ac3de",
    attribute: "#7dcfff",
    meta: "#8089b3",
  },
};

export const LIGHT: Palette = {
  roles: {
    accent: "#2e5cb8",
    warning: "#8a5a00",
    error: "#b3243f",
    success: "#3d6b14",
    added: "#3d6b14",
    removed: "#b3243f",
    code: "#00657a",
    heading: "#1f2a44",
    addedWord: "#d3ecc0",
    removedWord: "#fad4da",
  },
  syntax: {
    keyword: "#7a34b5",
    string: "#3d6b14",
    number: "#9a4a00",
    comment: "#646b7c",
    title: "#2e5cb8",
    type: "#00657a",
    attribute: "#1d5f86",
    meta: "#646b7c",
  },
};
