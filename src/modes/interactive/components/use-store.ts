import { createContext, useContext, useSyncExternalStore } from "react";
import type { Frame } from "../store/frame.js";
import type { Printed } from "../store/state.js";
import type { UiStore } from "../store/store.js";

export const StoreContext = createContext<UiStore | undefined>(undefined);

function useStore(): UiStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("A component of the face stands outside its store.");
  return store;
}

/** One part of the frame; the component is drawn again only when its part looks different. */
export function useFramePart<K extends keyof Frame>(part: K): Frame[K] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.frame[part]);
}

/** A copy: Ink's `Static` wants an array that it may keep. */
export function usePrinted(): Printed[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.state.printed) as Printed[];
}
