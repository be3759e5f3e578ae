/** Title, state, folder and worktree of the open thread, what it uses, its auto-approve switch, and the way to the side panel. */
import { ArrowLeft, FlaskConical, GitBranch, PanelRight, Zap } from "lucide-react";
import type { Usage } from "../../../../shared/contract/thread-events.ts";
import type { ThreadStatus, ThreadSummary } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { useNow } from "../../../base/clock.ts";
import { common } from "../../../base/common-strings.ts";
import { useIsWide } from "../../../base/media.ts";
import { go } from "../../../base/navigation.ts";
import { useHost } from "../../../base/stores/host-store.ts";
import { toggleSide, useSideOpen } from "../../../base/stores/side-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { isDemo, shortenPath } from "../../../base/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { Switch } from "../../../ui/switch.tsx";
import { askAutoApprove } from "../../threads/auto-approve.ts";
import type { StandingShape } from "../../threads/standing.ts";
import { strings as threadStrings } from "../../threads/strings.ts";
import { useThreadDialogs } from "../../threads/thread-dialogs.tsx";
import { ThreadShape } from "../../threads/thread-shape.tsx";
import { worktreeWords } from "../../threads/worktree-words.ts";
import { useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import type { Transcript } from "../transcript/transcript-store.ts";
import { ThreadCost } from "./cost-words.tsx";

export function ConversationHeader({ threadId }: { threadId: ThreadId }) {
  const wide = useIsWide();
  const home = useHost((store) => store.host?.home);
  const thread = useThreads((state) => state.byId.get(threadId));
  const { open } = useSideOpen();
  if (!thread) return null;
  const words = worktreeWords(thread);
  const folder = thread.worktree?.state === "own" ? thread.worktree.origin : thread.workspace;
  return (
    <header className="@container flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 cramped:flex-nowrap cramped:py-1">
      {!wide && (
        <IconButton label={common.back} onClick={() => go({ view: "threads" })}>
          <ArrowLeft />
        </IconButton>
      )}
      {/* In one pane, and beside an open side panel, the title has its line with the switches, and what is told of it the next, over the whole width. */}
      <div className="min-w-[min(100%,240px)] flex-1 @max-[52rem]:contents">
        <h1
          className="truncate text-lg font-semibold @max-[52rem]:min-w-0 @max-[52rem]:flex-[1_1_7rem]"
          title={spellOut(thread.title)}
        >
          <ForeignText text={thread.title || threadStrings.untitled} />
        </h1>
        {/* One line where there is room for one: what is told of a worktree comes and changes late, and would move all below. */}
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm text-ink-3 @max-[52rem]:order-1 @max-[52rem]:basis-full wide:flex-nowrap wide:whitespace-nowrap cramped:sr-only wide:*:shrink-0">
          <StatusMark status={thread.status} />
          <span
            title={spellOut(folder)}
            className="min-w-0 font-mono text-xs [overflow-wrap:anywhere] wide:shrink! wide:truncate"
          >
            <ForeignText text={shortenPath(folder, home)} />
          </span>
          {words && (
            <button
              type="button"
              title={`${spellOut(thread.workspace)}\n${threadStrings.worktree.home}`}
              onClick={() => useThreadDialogs.setState({ home: threadId })}
              className="-my-1 inline-flex min-h-6 min-w-0 items-center gap-1 rounded-sm text-left underline decoration-dotted underline-offset-2 [overflow-wrap:anywhere] hover:text-ink wide:shrink! [&_svg]:size-3.5 [&_svg]:shrink-0"
            >
              <GitBranch role="img" aria-label={threadStrings.worktree.name} />
              <ForeignText text={words} className="wide:truncate" />
              <span className="sr-only">{threadStrings.worktree.home}</span>
            </button>
          )}
          {!thread.actsItself && isDemo(thread.model) && (
            <Badge tone="warn">
              <FlaskConical aria-hidden />
              {strings.demo}
            </Badge>
          )}
          <ContextUse />
        </p>
      </div>
      <AutoApproveSwitch thread={thread} />
      <IconButton label={strings.toggleSide} aria-expanded={open} onClick={toggleSide}>
        <PanelRight />
      </IconButton>
    </header>
  );
}

const nearlyFull = 80;

/** What the thread uses: how much of what the model can take was in its last call, and what all calls cost; as far as known. */
function ContextUse() {
  return (
    <>
      <LastCall />
      <ThreadCost />
    </>
  );
}

function LastCall() {
  const usage = useTranscript(lastUsage);
  if (!usage) return null;
  const { inputTokens, contextWindow } = usage;
  const percent = contextWindow ? Math.round((inputTokens / contextWindow) * 100) : undefined;
  return (
    <span
      title={strings.contextTitle(inputTokens, contextWindow)}
      className={cx("text-sm tabular-nums", (percent ?? 0) >= nearlyFull ? "text-warn" : "text-ink-3")}
    >
      {percent === undefined ? strings.contextTokens(shorten(inputTokens)) : strings.context(percent)}
    </span>
  );
}

function lastUsage({ order, items }: Transcript): Usage | undefined {
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const item = items.get(order[index] ?? "");
    if (item?.kind === "agentMessage" && item.usage && item.agentPath.length === 0) return item.usage;
  }
  return undefined;
}

function shorten(tokens: number): string {
  return tokens < 10_000 ? tokens.toLocaleString("en") : `${Math.round(tokens / 1_000)} k`;
}

const shapes: Record<ThreadStatus, StandingShape> = {
  new: "idle",
  queued: "works",
  running: "works",
  waiting: "waits",
  interrupted: "interrupted",
  stopped: "idle",
  failed: "failed",
  done: "finished",
};

function StatusMark({ status }: { status: ThreadStatus }) {
  return (
    <span className="flex shrink-0 items-center gap-1 text-ink-2">
      <ThreadShape shape={shapes[status]} className="size-3" />
      {threadStrings.statuses[status]}
    </span>
  );
}

/** The switch in a thread's header, with what is left of it while it is on. */
function AutoApproveSwitch({ thread }: { thread: ThreadSummary }) {
  const lease = thread.autoApprove;
  const now = useNow(10_000);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {lease && (
        <span className="flex items-center gap-1 text-sm whitespace-nowrap text-warn [&_svg]:size-3">
          <Zap aria-hidden />
          <span className="cramped:@max-[28rem]:sr-only">
            {threadStrings.auto.left(
              // This window's clock ticks every ten seconds and may be behind the switch.
              Math.max(0, Math.ceil((lease.expiresAt - Math.max(now, lease.startedAt)) / 60_000)),
              lease.used,
              lease.maxActions,
            )}
          </span>
        </span>
      )}
      <Switch
        label={threadStrings.auto.label}
        checked={lease !== null}
        onChange={() => void askAutoApprove(thread.id)}
      />
    </span>
  );
}
