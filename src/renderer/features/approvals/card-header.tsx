/** The first line of a card: how risky, whose, and since when it waits; above several alike the same of all of them. */
import { Bot, Folder, Server } from "lucide-react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useNow } from "../../base/clock.ts";
import { go } from "../../base/navigation.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";
import { formatAge, lastSegment } from "../../base/words.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { PlaceInQueue, QueuePager, usePlaceInQueue } from "./place-in-queue.tsx";
import { useQueue } from "./queue-store.ts";
import { RiskShape } from "./risk-shape.tsx";
import { riskWordOf, verbOf } from "./row-words.ts";
import { strings } from "./strings.ts";
import { classIcons } from "./unit-chips.tsx";
import { classOf } from "./verdict-class.ts";

const header = "flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-3 [&_svg]:size-3";
/** Beside what stands in one line or several, the place in the queue keeps its own. */
const withPlace = "flex min-w-0 items-start justify-between gap-2";

type Of = { approval: Approval };

/** @param inPane it stands above the one whole card there is; `inThread` where its thread is open. */
type HeaderProps = { id: string; approval: Approval; inPane: boolean; inThread: boolean };

export function CardHeader({ id, approval, inPane, inThread }: HeaderProps) {
  const now = useNow(10_000);
  return (
    <div id={id} className={withPlace}>
      <div className={cx(header, "flex-1")}>
        {inPane && <RiskWord approval={approval} />}
        {!inThread && <ThreadLink approval={approval} />}
        <span className="flex min-w-0 items-center gap-1">
          <Bot aria-hidden className="shrink-0" />
          {approval.agentPath.length > 0 ? <AgentPath path={approval.agentPath} /> : strings.mainAgent}
        </span>
        {inPane && !inThread && <InFolder approval={approval} />}
        {!inPane && <span className="flex-1" />}
        {!inPane && approval.risk === "high" && <Attention approval={approval} />}
        <Since approval={approval}>{sayWaiting(approval, inPane, now)}</Since>
      </div>
      {inPane && (inThread ? <PlaceInThread /> : <PlaceInQueue />)}
    </div>
  );
}

/** Of several alike: their worst risk, whose they are, and since when the first of them waits. */
export function GroupHeader({ approvals }: { approvals: readonly Approval[] }) {
  const now = useNow(10_000);
  const [first] = approvals;
  if (!first) return null;
  const risky = approvals.find(({ risk }) => risk === "medium") ?? first;
  const threads = new Set(approvals.map(({ threadId }) => threadId)).size;
  return (
    <div className={withPlace}>
      <div className={cx(header, "flex-1")}>
        <RiskWord approval={risky} />
        {threads === 1 ? <ThreadLink approval={first} /> : <span>{strings.fromThreads(threads)}</span>}
        <InFolder approval={first} />
        <Since approval={first}>{strings.waits(formatAge(first.requestedAt, now))}</Since>
      </div>
      <PlaceInQueue />
    </div>
  );
}

function ThreadLink({ approval: { threadId, threadTitle } }: Of) {
  return (
    <button
      type="button"
      title={spellOut(threadTitle)}
      className="min-h-6 max-w-full min-w-6 truncate text-left font-medium text-ink-2 hover:underline @min-[520px]:max-w-[40%]"
      onClick={() => go({ view: "thread", id: threadId })}
    >
      <ForeignText text={threadTitle} />
    </button>
  );
}

/** What a thread of a server asks has no folder here, but that server. */
function InFolder({ approval: { workspace, server } }: Of) {
  const Icon = server ? Server : Folder;
  return (
    <span className="flex min-w-0 items-center gap-1" title={spellOut(server?.url ?? workspace)}>
      <Icon aria-hidden className="shrink-0" />
      <ForeignText text={server?.name ?? lastSegment(workspace)} />
    </span>
  );
}

function Since({ approval: { requestedAt }, children }: Of & { children: string }) {
  const asked = new Date(requestedAt);
  return (
    <time dateTime={asked.toISOString()} title={asked.toLocaleString()}>
      {children}
    </time>
  );
}

function sayWaiting(approval: Approval, inPane: boolean, now: number): string {
  if (isSnoozed(approval, now)) return strings.snoozedUntil(approval.snoozedUntil ?? 0);
  const age = formatAge(approval.requestedAt, now);
  return inPane ? strings.waits(age) : age;
}

/** Where several wait in a thread, there are no rows to choose from. */
function PlaceInThread() {
  const several = useQueue(({ order }) => order.length > 1);
  return several && <QueuePager className="size-6" />;
}

/** The risk by its shape and in words; what leaves the machine or cannot be undone says so. An answer runs nothing. */
function RiskWord({ approval }: Of) {
  const beyond = classOf(approval.verdict);
  const word = riskWordOf(approval);
  const tones = { high: "text-bad", medium: "text-warn", low: "text-ink-2" };
  const tone = tones[word === strings.question ? "low" : approval.risk];
  const place = usePlaceInQueue();
  return (
    <h2
      aria-label={strings.cardHeading(verbOf(approval), word, place)}
      className={cx("flex items-center gap-1.5 font-medium", tone)}
    >
      <RiskShape approval={approval} className="size-3.5!" />
      {word}
      {beyond && ` · ${strings.classes[beyond]}`}
    </h2>
  );
}

/** What leaves the machine or cannot be undone says so where others say their risk. */
function Attention({ approval }: Of) {
  const beyond = classOf(approval.verdict);
  const Icon = beyond && classIcons[beyond];
  return (
    <Badge tone="bad">
      {Icon ? <Icon aria-hidden /> : <RiskShape approval={approval} className="size-3" />}
      {beyond ? strings.classes[beyond] : strings.risks.high}
    </Badge>
  );
}
