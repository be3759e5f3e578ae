/** A request that was just decided: it stays where it was until it starts, with the way back in its place where there is one. */
import { useState } from "react";
import { useNow } from "../../base/clock.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { LineShape } from "../../ui/line-shape.tsx";
import { GridCell, GridRow } from "../../ui/virtual-grid.tsx";
import type { DecidedRow } from "./decided-rows.ts";
import { objectOf, verbOf } from "./row-words.ts";
import { strings } from "./strings.ts";
import type { Undoable } from "./undo.ts";
import { undo } from "./undo.ts";

export function DecidedLine({ row, index }: { row: DecidedRow; index: number }) {
  const { was, entry, offers, settled } = row;
  if (was.kind === "heading" || was.kind === "halted") return null;
  const approval = was.kind === "card" ? was.approval : was.approvals[0];
  if (!approval) return null;
  const what = was.kind === "card" ? objectOf(approval) : was.shape;
  return (
    <GridRow
      place={index}
      data-decided={was.key}
      className="relative flex min-h-9 items-center gap-3 border-y border-transparent forced-colors:border-none pr-4 pl-2 text-ink-3 max-wide:min-h-11"
    >
      <GridCell className="grid size-7 shrink-0 place-items-center">
        {settled !== "reject" && settled !== "respond" && <ApprovedMark />}
      </GridCell>
      <GridCell className="w-[3.6rem] shrink-0">{verbOf(approval)}</GridCell>
      <GridCell className="min-w-0 flex-1">
        <ExactText text={what} oneLine className="block truncate whitespace-nowrap!" />
      </GridCell>
      <GridCell className="flex shrink-0 items-center gap-2 whitespace-nowrap text-ink-2">
        {entry ? <Remaining entry={entry} /> : settled ? strings.settled[settled] : strings.deciding}
        {entry && offers && (
          <Button small onClick={() => void undo(entry)}>
            {strings.undo} <Kbd keys="z" />
          </Button>
        )}
      </GridCell>
      {entry && <GraceLine entry={entry} />}
    </GridRow>
  );
}

function Remaining({ entry }: { entry: Undoable }) {
  const now = useNow(250);
  return <span>{strings.approvedStarts(Math.max(1, Math.ceil((entry.effectiveAt - now) / 1_000)))}</span>;
}

/** Runs out as the time does; it is time passing and no decoration, so it runs with reduced motion as well. */
function GraceLine({ entry }: { entry: Undoable }) {
  const graceMs = useSettings((state) => state.settings.undoGraceMs);
  // Scrolled away and back, it goes on where the time is.
  const [passedMs] = useState(() => Math.max(0, graceMs - (entry.effectiveAt - Date.now())));
  return (
    <span
      aria-hidden
      className="absolute inset-x-4 bottom-0 h-0.5 origin-left animate-[fill_1s_linear_reverse_both] bg-line-strong forced-colors:bg-[CanvasText]"
      style={{ animationDuration: `${graceMs}ms`, animationDelay: `${-passedMs}ms` }}
    />
  );
}

/** Two strokes on a line: the agent's and the person's. */
function ApprovedMark() {
  return (
    <LineShape>
      <path d="M2 13.5h12M3.8 10.6 6.6 3M8.8 10.6 11.6 3" />
    </LineShape>
  );
}
