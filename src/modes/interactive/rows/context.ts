import type { Theme } from "../theme.js";

/** Keys that rows name, as people write them; "" where the user has given one to nothing. */
export interface RowKeys {
  /** Shows whole what was shortened. */
  expand: string;
  /** What can be said to an interrupt. */
  choices: string;
  /** Has the model mend what a run left behind. */
  mend: string;
}

/** What a row needs to know besides its content. */
export interface RowContext {
  columns: number;
  theme: Theme;
  keys: RowKeys;
}
