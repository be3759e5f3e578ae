/** The switch in a thread's header, with what is left of it while it is on. */
import { Zap } from "lucide-react";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { useNow } from "../../base/clock.ts";
import { Switch } from "../../ui/switch.tsx";
import { askAutoApprove } from "./auto-approve.ts";
import { strings } from "./strings.ts";

export function AutoApproveSwitch({ thread }: { thread: ThreadSummary }) {
  const lease = thread.autoApprove;
  const now = useNow(10_000);
  return (
    <span className="flex items-center gap-2">
      {lease && (
        <span className="flex items-center gap-1 text-sm text-warn [&_svg]:size-3">
          <Zap aria-hidden />
          {strings.auto.left(
            // This window's clock ticks every ten seconds and may be behind the switch.
            Math.max(0, Math.ceil((lease.expiresAt - Math.max(now, lease.startedAt)) / 60_000)),
            lease.used,
            lease.maxActions,
          )}
        </span>
      )}
      <Switch
        label={strings.auto.label}
        checked={lease !== null}
        onChange={() => void askAutoApprove(thread.id)}
      />
    </span>
  );
}
