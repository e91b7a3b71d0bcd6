import { Box } from "ink";
import type { UiStore } from "../store/store.js";
import { Cursor } from "./cursor.js";
import { RowsPane } from "./rows-pane.js";
import { StaticPane } from "./static-pane.js";
import { TtsrNotificationComponent } from "./ttsr-notification.js";
import { StoreContext } from "./use-store.js";

/** The whole face, top to bottom. Without state of its own: each part follows its slice of the store. */
export function App({ store }: { store: UiStore }) {
  return (
    <StoreContext.Provider value={store}>
      <StaticPane />
      <Box flexDirection="column">
        <TtsrNotificationComponent />
        <RowsPane part="live" />
        <RowsPane part="queue" />
        <RowsPane part="dialog" />
        <RowsPane part="editor" />
        <RowsPane part="completion" />
        <RowsPane part="status" />
      </Box>
      <Cursor />
    </StoreContext.Provider>
  );
}
