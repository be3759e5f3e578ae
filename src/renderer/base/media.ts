/** Follows a media query from React. */
import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Wide enough for the list column beside the main pane. */
export function useIsWide(): boolean {
  return useMedia("(min-width: 900px)");
}
