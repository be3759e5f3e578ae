/** The line at the bottom: a cell for each agent, what runs on auto-approve, what can still be taken back, and the sums. */
import { CircleDot, CircleSlash, Zap } from "lucide-react";
import { useRef } from "react";
import { client } from "../base/client.ts";
import { useConnection, useHost } from "../base/stores/host-store.ts";
import { useThreads } from "../base/stores/threads-store.ts";
import { strings } from "../base/strings.ts";
import { UndoNotice } from "../features/approvals/undo-notice.tsx";
import { MissionStrip } from "../features/strip/mission-strip.tsx";
import { strings as stripStrings } from "../features/strip/strings.ts";
import { useSpentToday } from "../features/threads/spent-words.ts";
import type { Section } from "../features/threads/standing.ts";
import { useStandings } from "../features/threads/use-standings.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { showToast, useToastsAboveFoot } from "../ui/toast.tsx";

export function StatusLine() {
  const foot = useRef<HTMLElement>(null);
  useToastsAboveFoot(foot);
  const host = useHost((store) => store.host);
  const state = useConnection((connection) => connection.state);
  const online = state === "online";
  const leases = useThreads((store) => {
    let count = 0;
    for (const thread of store.byId.values()) if (thread.autoApprove) count += 1;
    return count;
  });
  return (
    <footer
      ref={foot}
      className="flex shrink-0 flex-wrap border-t border-line bg-surface text-sm whitespace-nowrap text-ink-2 wide:h-8 wide:flex-nowrap"
    >
      <MissionStrip />
      <div className="flex h-7 min-w-0 flex-1 items-center gap-4 overflow-hidden px-3 wide:h-full">
        <span className="flex min-w-0 flex-1 items-center gap-4">
          {leases > 0 && (
            <span className="flex min-w-0 items-center gap-1.5 text-warn [&_svg]:size-3">
              <Zap aria-hidden className="shrink-0" />
              <span className="truncate">{strings.leases(leases)}</span>
              <Button small onClick={stopAllAutoApprove}>
                {strings.stopAll}
              </Button>
            </span>
          )}
        </span>
        <UndoNotice />
        {online && <StripTotals />}
        <span
          title={host && online ? strings.connected(host.version, host.mode) : undefined}
          className="flex min-w-0 shrink-0 items-center gap-1.5 [&_svg]:size-3"
        >
          {online ? (
            <CircleDot aria-hidden className="text-ink-3" />
          ) : (
            <CircleSlash aria-hidden className="text-warn" />
          )}
          <span className={online ? "sr-only" : undefined}>
            {host && online
              ? strings.connected(host.version, host.mode)
              : state === "offline"
                ? strings.notConnected
                : strings.connecting}
          </span>
        </span>
      </div>
    </footer>
  );
}

export async function stopAllAutoApprove(): Promise<void> {
  await attempt(async () => {
    const { stopped } = await client().call("threads.stopAllAutoApprove", {});
    showToast(strings.stoppedAll(stopped));
  });
}

/** The sums beside the strip: how many need the person, how many work, and what today cost. */
function StripTotals() {
  const standings = useStandings();
  const today = useSpentToday();
  const count = (section: Section) =>
    standings.filter((one) => one.section === section && !one.thread.archived).length;
  const needs = count("needs");
  const works = count("working");
  const sums = [
    ...(needs > 0 ? [stripStrings.needs(needs)] : []),
    ...(works > 0 ? [stripStrings.works(works)] : []),
    ...(today ? [stripStrings.today(today)] : []),
  ];
  return <span className="min-w-0 shrink-3 truncate text-ink-3 tabular-nums">{sums.join(" · ")}</span>;
}
