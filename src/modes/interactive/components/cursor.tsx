import { useCursor } from "ink";
import { memo } from "react";
import { useFramePart } from "./use-store.js";

/** Puts the terminal's own cursor where the user writes: input methods open their window there. */
export const Cursor = memo(function Cursor() {
  const { setCursorPosition } = useCursor();
  setCursorPosition(useFramePart("cursor"));
  return null;
});
