/** How wide the person made the panes that have an edge to pull; kept in this browser. */
import { create } from "zustand";

/** `list`: the column of threads · `rows`: the lines beside the card · `side`: the panel beside a conversation. */
export type PaneName = "list" | "rows" | "side";

/** In pixels; below the least a pane cannot say what it has to, above the most its neighbour cannot. */
export const paneRanges: Record<PaneName, { least: number; most: number }> = {
  list: { least: 260, most: 560 },
  rows: { least: 280, most: 720 },
  side: { least: 260, most: 640 },
};

const storageKey = "countersign.panes";

/** A pane without an entry has the width that its view gives it. */
export const usePaneWidths = create<Partial<Record<PaneName, number>>>(() => readWidths());

/** @param width brought into the range of the pane; without one it has the width that its view gives it again. */
export function setPaneWidth(pane: PaneName, width: number | undefined): void {
  const { least, most } = paneRanges[pane];
  const kept = width === undefined ? undefined : Math.round(Math.min(most, Math.max(least, width)));
  usePaneWidths.setState({ [pane]: kept });
  try {
    localStorage.setItem(storageKey, JSON.stringify(usePaneWidths.getState()));
  } catch {
    // Storage may be off; the width then lives as long as the window.
  }
}

/** What is stored may be of another version, or no width at all. */
export function readWidths(): Partial<Record<PaneName, number>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(paneRanges).flatMap(([pane, { least, most }]) => {
        const width: unknown = Reflect.get(stored, pane);
        return typeof width === "number" && width >= least && width <= most ? [[pane, width]] : [];
      }),
    );
  } catch {
    return {};
  }
}
