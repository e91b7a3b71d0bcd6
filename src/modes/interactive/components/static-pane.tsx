import { Static, Text } from "ink";
import { memo } from "react";
import type { Printed } from "../store/state.js";
import { usePrinted } from "./use-store.js";

const row = ({ id, text }: Printed) => <Text key={id}>{text}</Text>;

/** What has gone to the scrollback. On its own, so that nothing else makes Ink print it again. */
export const StaticPane = memo(function StaticPane() {
  const printed = usePrinted();
  // A list that begins anew is printed by a pane of its own, which has printed nothing yet.
  return (
    <Static key={printed[0]?.id ?? 0} items={printed}>
      {row}
    </Static>
  );
});
