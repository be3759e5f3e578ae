/** Counts down in the status line until what was approved starts, with the way back where its row does not offer it. */
import { useNow } from "../../base/clock.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { strings } from "./strings.ts";
import { type Undoable, undo, useUndo } from "./undo.ts";

export function UndoNotice() {
  const entries = useUndo((state) => state.entries);
  const last = entries.at(-1);
  const inPlace = useUndo((state) => last !== undefined && state.inPlace.has(last));
  return (
    <span role="status" className={inPlace ? "sr-only" : "flex min-w-0 shrink-2 items-center gap-2"}>
      {last && <Countdown entry={last} />}
      {entries.length > 1 && (
        <span className="max-[640px]:hidden">{strings.undoMore(entries.length - 1)}</span>
      )}
      {last && !inPlace && (
        <Button small look="plain" onClick={() => void undo(last)}>
          {strings.undo} <Kbd keys="z" />
        </Button>
      )}
    </span>
  );
}

function Countdown({ entry }: { entry: Undoable }) {
  const now = useNow(250);
  const seconds = Math.max(1, Math.ceil((entry.effectiveAt - now) / 1_000));
  return (
    <span className="flex min-w-0 items-baseline gap-1 text-ink">
      {entry.what === undefined ? (
        <span className="truncate">{strings.approvedMany(entry.ids.length)}</span>
      ) : (
        <span className="max-w-72 min-w-0 truncate text-xs leading-5">
          <ExactText text={entry.what} className="whitespace-nowrap!" />
        </span>
      )}
      <span aria-hidden className="shrink-0 max-[640px]:hidden">
        {strings.startsIn(entry.ids.length, seconds)}
      </span>
    </span>
  );
}
