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

const wide = "(min-width: 900px)";

/** Wide enough for two panes side by side. */
export function useIsWide(): boolean {
  return useMedia(wide);
}

/** The same, asked once. */
export function isWide(): boolean {
  return matchMedia(wide).matches;
}
