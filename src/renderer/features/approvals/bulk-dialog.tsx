/** Asks once more before many are decided at once, with counts by risk; red ones are never let through in bulk. */
import { useRef } from "react";
import type { Risk } from "../../../shared/contract/decisions.ts";
import { useApprovals } from "../../app/stores/approvals-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { decideMany } from "./decide-many.ts";
import { isShown, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function BulkDialog() {
  const bulk = useQueue((state) => state.bulk);
  const byId = useApprovals((state) => state.byId);
  const go = useRef<HTMLButtonElement>(null);
  const close = () => useQueue.setState({ bulk: undefined });
  const verb = bulk?.verb ?? "approve";
  const chosen = (bulk?.ids ?? []).flatMap((id) => byId.get(id) ?? []);
  const decidable = chosen.filter(
    (one) =>
      one.allowedDecisions.includes(verb) && (verb === "reject" || (one.risk !== "high" && isShown(one))),
  );
  const unseen = verb === "approve" ? chosen.filter((one) => !isShown(one)).length : 0;
  const count = (risk: Risk) => chosen.filter((one) => one.risk === risk).length;
  const high = verb === "approve" ? count("high") : 0;
  return (
    <Dialog
      open={bulk !== undefined}
      onClose={close}
      initialFocus={go}
      title={strings.bulkTitle(verb, decidable.length)}
      description={strings.bulkCounts(count("low"), count("medium"), count("high"))}
      actions={
        <>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button
            ref={go}
            look="primary"
            disabled={decidable.length === 0}
            onClick={() => {
              close();
              void decideMany(decidable, { type: verb });
            }}
          >
            {strings.bulkGo(verb)}
          </Button>
        </>
      }
    >
      {unseen > 0 && <p className="text-warn">{strings.bulkUnseen(unseen)}</p>}
      {high > 0 && <p className="text-bad">{strings.bulkHighLeft(high)}</p>}
    </Dialog>
  );
}
