/** Counts down in the status line until an approved action starts, with the way back beside it. */
import { useNow } from "../../app/clock.ts";
import { Button } from "../../ui/button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { undo } from "./decide.ts";
import { strings } from "./strings.ts";
import { type Undoable, useUndo } from "./undo-store.ts";

export function UndoNotice() {
  const entries = useUndo((state) => state.entries);
  const last = entries.at(-1);
  return (
    <span role="status" className="flex min-w-0 items-center gap-2">
      {last && <Countdown entry={last} />}
      {entries.length > 1 && <span>{strings.undoMore(entries.length - 1)}</span>}
      {last && (
        <Button small look="primary" className="h-5!" onClick={() => void undo(last.id)}>
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
    <span className="flex min-w-0 gap-1 text-ink">
      <span className="max-w-72 truncate font-mono text-xs leading-5">{entry.what}</span>
      <span aria-hidden>{strings.undoNotice("", seconds).trim()}</span>
    </span>
  );
}
