import { createContext, useContext, useLayoutEffect, useSyncExternalStore } from "react";
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

/** What is to be printed. Ink's `Static` wants an array that it may keep; once written, the store is told. */
export function usePrinted(): Printed[] {
  const store = useStore();
  const printed = useSyncExternalStore(store.subscribe, () => store.state.printed);
  useLayoutEffect(() => store.drawn(printed), [store, printed]);
  return printed as Printed[];
}
