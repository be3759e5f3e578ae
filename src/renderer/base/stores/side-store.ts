/** Whether the side panel is shown, and which terminal the person asked for. */
import { create } from "zustand";
import { isWide, useIsWide, useMedia } from "../media.ts";

const storageKey = "countersign.side";
/**
 * From here on there is room for the panel beside the conversation and the threads. Below, it takes the place of the
 * threads; where one pane fits, it lies over the conversation.
 */
const roomy = "(min-width: 1180px)";
/** From here on it is there without being asked for. */
const spacious = "(min-width: 1500px)";

type Side = {
  /** What the person chose on a roomy window; kept in this browser. */
  chosen?: boolean;
  /** Whether it was asked for on a narrower one, where something gives way to it. */
  asked: boolean;
  /** The running command whose terminal was asked for last. */
  terminalId?: string;
};

export const useSide = create<Side>(() => ({ chosen: readChoice(), asked: false }));

/** `over`: it lies over the conversation. */
export function useSideOpen(): { open: boolean; over: boolean } {
  const { chosen, asked } = useSide();
  const isRoomy = useMedia(roomy);
  const isSpacious = useMedia(spacious);
  const wide = useIsWide();
  return { open: isRoomy ? (chosen ?? isSpacious) : asked, over: !wide };
}

/** Whether it stands where the threads stood. */
export function useSideTakesColumn(): boolean {
  const asked = useSide((state) => state.asked);
  const isRoomy = useMedia(roomy);
  return asked && !isRoomy;
}

/** Draws it away from what it lies over. */
export function uncover(): void {
  if (!isWide()) useSide.setState({ asked: false });
}

export function toggleSide(): void {
  if (!matchMedia(roomy).matches) {
    useSide.setState(({ asked }) => ({ asked: !asked }));
    return;
  }
  const { chosen } = useSide.getState();
  const next = !(chosen ?? matchMedia(spacious).matches);
  useSide.setState({ chosen: next });
  try {
    localStorage.setItem(storageKey, next ? "open" : "closed");
  } catch {
    // Storage may be off; the choice then lives as long as the window.
  }
}

export function openTerminal(executionId: string): void {
  const shown = matchMedia(roomy).matches ? { chosen: true } : { asked: true };
  useSide.setState({ ...shown, terminalId: executionId });
}

function readChoice(): boolean | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === null ? undefined : stored === "open";
  } catch {
    return undefined;
  }
}
