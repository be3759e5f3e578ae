/** The line at the bottom: the host, what runs on auto-approve, and what can still be taken back. */

import { CircleDot, Zap } from "lucide-react";
import { client } from "../base/client.ts";
import { common } from "../base/common-strings.ts";
import { useConnection } from "../base/stores/connection-store.ts";
import { useHost } from "../base/stores/host-store.ts";
import { useThreads } from "../base/stores/threads-store.ts";
import { strings } from "../base/strings.ts";
import { describeError } from "../base/words.ts";
import { UndoNotice } from "../features/approvals/undo-notice.tsx";
import { Button } from "../ui/button.tsx";
import { showProblem, showToast } from "../ui/toast.tsx";

export function StatusLine() {
  const host = useHost((store) => store.host);
  const state = useConnection((connection) => connection.state);
  const online = state === "online";
  const leases = useThreads((store) => {
    let count = 0;
    for (const thread of store.byId.values()) if (thread.autoApprove) count += 1;
    return count;
  });
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-surface px-3 text-sm whitespace-nowrap text-ink-2">
      <span className="flex min-w-0 items-center gap-1.5 [&_svg]:size-3">
        <CircleDot aria-hidden className={online ? "shrink-0 text-ok" : "shrink-0 text-warn"} />
        <span className="truncate">
          {host && online
            ? strings.connected(host.version, host.mode)
            : state === "offline"
              ? strings.notConnected
              : strings.connecting}
        </span>
      </span>
      {leases > 0 && (
        <span className="flex min-w-0 items-center gap-1.5 text-warn [&_svg]:size-3">
          <Zap aria-hidden className="shrink-0" />
          <span className="truncate">{strings.leases(leases)}</span>
          <Button small onClick={stopAllAutoApprove} className="h-5!">
            {strings.stopAll}
          </Button>
        </span>
      )}
      <span className="flex-1" />
      <UndoNotice />
    </footer>
  );
}

export async function stopAllAutoApprove(): Promise<void> {
  try {
    const { stopped } = await client().call("threads.stopAllAutoApprove", {});
    showToast(strings.stoppedAll(stopped));
  } catch (error) {
    showProblem(common.failed, describeError(error));
  }
}
