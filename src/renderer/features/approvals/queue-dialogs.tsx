/** The questions the queue may ask; drawn only while one is open. */
import { Suspense } from "react";
import { lazyPart } from "../../base/load-code.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { useQueue } from "./queue-store.ts";

const RuleDialog = lazyPart(() => import("./rule-dialog.tsx"));

export function QueueDialogs() {
  const ruleFor = useQueue((state) => state.ruleFor);
  return (
    <>
      <BulkDialog />
      {ruleFor && (
        <Suspense>
          <RuleDialog key={ruleFor} id={ruleFor} />
        </Suspense>
      )}
    </>
  );
}
