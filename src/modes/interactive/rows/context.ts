import type { Theme } from "../theme.js";

/** What a row needs to know besides its content. */
export interface RowContext {
  columns: number;
  theme: Theme;
}
