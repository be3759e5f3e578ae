/** Title, state, folder and worktree of the open thread, its auto-approve switch, and the way to the side panel. */

import { ArrowLeft, FlaskConical, GitBranch, PanelRight } from "lucide-react";
import type { ThreadId } from "../../../../shared/ids.ts";
import { common } from "../../../base/common-strings.ts";
import { useIsWide } from "../../../base/media.ts";
import { go } from "../../../base/navigation.ts";
import { useHost } from "../../../base/stores/host-store.ts";
import { toggleSide, useSideOpen } from "../../../base/stores/side-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { isDemo, shortenPath } from "../../../base/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { AutoApproveSwitch } from "../../threads/auto-approve-switch.tsx";
import { StatusMark } from "../../threads/status-mark.tsx";
import { strings as threadStrings } from "../../threads/strings.ts";
import { useThreadDialogs } from "../../threads/thread-dialogs.tsx";
import { worktreeWords } from "../../threads/worktree-words.ts";
import { strings } from "../strings.ts";
import { ContextUse } from "./context-use.tsx";

export function ConversationHeader({ threadId }: { threadId: ThreadId }) {
  const wide = useIsWide();
  const home = useHost((store) => store.host?.home);
  const thread = useThreads((state) => state.byId.get(threadId));
  const { open } = useSideOpen();
  if (!thread) return null;
  const words = worktreeWords(thread);
  const folder = thread.worktree?.state === "own" ? thread.worktree.origin : thread.workspace;
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 cramped:flex-nowrap cramped:py-1">
      {!wide && (
        <IconButton label={common.back} onClick={() => go({ view: "threads" })}>
          <ArrowLeft />
        </IconButton>
      )}
      <div className="min-w-[min(100%,240px)] flex-1 cramped:min-w-0">
        <h1 className="truncate text-lg font-semibold" title={spellOut(thread.title)}>
          <ForeignText text={thread.title || threadStrings.untitled} />
        </h1>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-3 cramped:sr-only">
          <StatusMark status={thread.status} />
          <span className="font-mono text-xs [overflow-wrap:anywhere]">
            <ForeignText text={shortenPath(folder, home)} />
          </span>
          {words && (
            <button
              type="button"
              title={`${spellOut(thread.workspace)}\n${threadStrings.worktree.home}`}
              onClick={() => useThreadDialogs.setState({ home: threadId })}
              className="inline-flex min-w-0 items-center gap-1 rounded-sm text-left underline decoration-dotted underline-offset-2 [overflow-wrap:anywhere] hover:text-ink [&_svg]:size-3.5 [&_svg]:shrink-0"
            >
              <GitBranch role="img" aria-label={threadStrings.worktree.name} />
              <ForeignText text={words} />
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
