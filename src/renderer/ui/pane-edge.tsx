/** The edge of a pane, to be pulled by pointer or moved by the arrow keys; on a narrow window there is nothing to divide. */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { type PaneName, paneRanges, setPaneWidth, usePaneWidths } from "../base/stores/pane-widths.ts";
import { cx } from "./class-names.ts";

const step = 16;

type PaneEdgeProps = {
  pane: PaneName;
  label: string;
  /** On which side of its pane it stands. */
  side: "left" | "right";
};

/** Stands in the element whose width it changes, which is positioned. */
export function PaneEdge({ pane, label, side }: PaneEdgeProps) {
  const edge = useRef<HTMLDivElement>(null);
  const chosen = usePaneWidths((widths) => widths[pane]);
  const [shown, setShown] = useState(chosen ?? 0);
  const widthNow = () => edge.current?.parentElement?.getBoundingClientRect().width ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when it was changed
  useLayoutEffect(() => setShown(Math.round(widthNow())), [chosen]);
  const outward = side === "right" ? 1 : -1;
  const from = useRef<{ x: number; width: number }>(undefined);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    edge.current?.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: widthNow() };
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent) => {
    if (from.current) setPaneWidth(pane, from.current.width + (event.clientX - from.current.x) * outward);
  };
  const onPointerEnd = () => {
    from.current = undefined;
  };
  const { least, most } = paneRanges[pane];
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number | undefined> = {
      ArrowRight: widthNow() + step * outward,
      ArrowLeft: widthNow() - step * outward,
      Home: least,
      End: most,
      Enter: undefined,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    setPaneWidth(pane, targets[event.key]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule divides texts, this is a control
    <div
      ref={edge}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={shown}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={() => setPaneWidth(pane, undefined)}
      onKeyDown={onKeyDown}
      className={cx(
        "absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none hover:bg-line-strong/40 max-wide:hidden",
        side === "right" ? "-right-1" : "-left-1",
      )}
    />
  );
}
