/** Ties what is drawn of a card, a group or a list to the gauge that says whether it was on the screen to its end. */
import { type RefObject, useLayoutEffect } from "react";
import { followReading, useRead } from "./read-gauge.ts";

/**
 * @param digest of what is drawn now; nothing is followed without.
 * @param namedByContent whether its pieces are named by what stands in them.
 */
export function useReadGauge(
  key: string,
  digest: string | undefined,
  element: RefObject<HTMLElement | null>,
  namedByContent = false,
): void {
  useLayoutEffect(() => {
    if (element.current === null || digest === undefined) return;
    return followReading({ key, digest, element: element.current, namedByContent });
  }, [key, digest, element, namedByContent]);
}

/** Whether it was on the screen to its end, as it is now. */
export function useIsRead(key: string, digest: string): boolean {
  return useRead((state) => state.read.get(key) === digest);
}
