import { Text } from "ink";
import { memo } from "react";
import type { Frame } from "../store/frame.js";
import { useFramePart } from "./use-store.js";

type Part = Exclude<keyof Frame, "cursor">;

/** A part of the frame as it was computed: rows that fit, already coloured. */
export const RowsPane = memo(function RowsPane({ part }: { part: Part }) {
  const rows = useFramePart(part);
  return rows.length === 0 ? null : <Text>{rows.join("\n")}</Text>;
});
