import type { RowKeys } from "../../../src/modes/interactive/rows/context.js";

/** As they are without a bindings file. */
export const KEYS: RowKeys = { expand: "Ctrl+O", choices: "Ctrl+T", mend: "Ctrl+X" };
