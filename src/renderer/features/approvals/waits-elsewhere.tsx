/** Beside an open thread, whose own requests stand in it: how many wait in others, and the way there. */

import { useNow } from "../../base/clock.ts";
import { go } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";
import { Button } from "../../ui/button.tsx";
import { strings } from "./strings.ts";

export function WaitsElsewhere({ threadId }: { threadId?: string }) {
  const now = useNow(10_000);
  const count = useApprovals(
    ({ pending }) => pending.filter((one) => one.threadId !== threadId && !isSnoozed(one, now)).length,
  );
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-t border-line px-3 text-ink-3">
      {count === 0 ? (
        strings.noneElsewhere
      ) : (
        <Button look="quiet" onClick={() => go({ view: "queue" })}>
          {strings.waitElsewhere(count)}
        </Button>
      )}
    </div>
  );
}
