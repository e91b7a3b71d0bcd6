import { memo } from "react";
import { RowsPane } from "./rows-pane.js";

/** The notice of an interrupt, while the retry streams below it; afterwards it is printed like everything else (TTSR-10.1). */
export const TtsrNotificationComponent = memo(function TtsrNotificationComponent() {
  return <RowsPane part="ttsr" />;
});
