/** The questions the queue may ask; drawn only while one is open. */
import { Suspense } from "react";
import { lazyPart } from "../../base/load-code.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { approveAlways } from "./approve-always.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { useQueue } from "./queue-store.ts";

const RuleDialog = lazyPart(() => import("../rules/rule-dialog.tsx"));

export function QueueDialogs() {
  const ruleFor = useQueue((state) => state.ruleFor);
  const card = useApprovals((state) => (ruleFor ? state.byId.get(ruleFor.id) : undefined));
  return (
    <>
      <BulkDialog />
      {card && (
        <Suspense>
          <RuleDialog
            key={card.id}
            card={card}
            onClose={() => useQueue.setState({ ruleFor: undefined })}
            approveAndSave={ruleFor?.approving && approveAlways.bind(null, ruleFor.approving)}
          />
        </Suspense>
      )}
    </>
  );
}
