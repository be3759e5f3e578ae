/** What can be done with the selected cards; there only while something is selected. */
import { Button } from "../../ui/button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function BulkBar() {
  const selected = useQueue((state) => state.selected);
  if (selected.size === 0) return null;
  const ask = (verb: "approve" | "reject") => useQueue.setState({ bulk: { verb, ids: [...selected] } });
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-hover px-4 py-2">
      <span className="flex-1 font-medium">{strings.selected(selected.size)}</span>
      <Button small onClick={() => ask("approve")}>
        {strings.approveSelected} <Kbd keys="Shift+Y" />
      </Button>
      <Button small onClick={() => ask("reject")}>
        {strings.rejectSelected} <Kbd keys="Shift+N" />
      </Button>
      <Button small look="quiet" onClick={() => useQueue.setState({ selected: new Set() })}>
        {strings.clearSelection}
      </Button>
    </div>
  );
}
