/** Whether the side panel is shown, and which terminal the person asked for. */
import { create } from "zustand";
import { useMedia } from "../media.ts";

const storageKey = "countersign.side";
/** From here on there is room for the panel beside the conversation; below, it lies over it. */
const roomy = "(min-width: 1180px)";
/** From here on it is there without being asked for. */
const spacious = "(min-width: 1500px)";

type Side = {
  /** What the person chose on a roomy window; kept in this browser. */
  chosen?: boolean;
  /** Whether it lies over the conversation on a narrow one. */
  over: boolean;
  /** The running command whose terminal was asked for last. */
  terminalId?: string;
};

export const useSide = create<Side>(() => ({ chosen: readChoice(), over: false }));

export function useSideOpen(): { open: boolean; over: boolean } {
  const { chosen, over } = useSide();
  const isRoomy = useMedia(roomy);
  const isSpacious = useMedia(spacious);
  return isRoomy ? { open: chosen ?? isSpacious, over: false } : { open: over, over: true };
}

export function toggleSide(): void {
  if (!matchMedia(roomy).matches) {
    useSide.setState(({ over }) => ({ over: !over }));
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
  const shown = matchMedia(roomy).matches ? { chosen: true } : { over: true };
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
