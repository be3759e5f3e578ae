/** One thread: header, transcript, message field, and the side panel with what came of it. */

import { RotateCw } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ThreadId } from "../../../shared/ids.ts";
import { registerActions } from "../../base/actions.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { toggleSide, uncover } from "../../base/stores/side-store.ts";
import { useAbility, useThreads } from "../../base/stores/threads-store.ts";
import { strings as appStrings } from "../../base/strings.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { useToastsAbove } from "../../ui/toast.tsx";
import { ErrorState } from "../../ui/unanswered.tsx";
import { ThreadRequests } from "../approvals/thread-requests.tsx";
import { Composer } from "../conversation/composer/composer.tsx";
import { focusMessageField } from "../conversation/composer/focus-message-field.ts";
import { ConversationContext, useConversation, useTranscript } from "../conversation/conversation-context.ts";
import { canFind, FindBar, findFromHere } from "../conversation/find/find-bar.tsx";
import { forgetFind } from "../conversation/find/find-store.ts";
import { ConversationHeader } from "../conversation/header/conversation-header.tsx";
import { PinnedPlan } from "../conversation/pinned-plan.tsx";
import { strings } from "../conversation/strings.ts";
import { ownMessageActions } from "../conversation/transcript/own-message-keys.ts";
import { TranscriptList } from "../conversation/transcript/transcript-list.tsx";
import { TranscriptRow } from "../conversation/transcript/transcript-row.tsx";
import { followTranscript, type TranscriptStore } from "../conversation/transcript/transcript-store.ts";
import { useOpenHit } from "../conversation/transcript/use-show-target.ts";
import { SidePanel } from "../side/side-panel.tsx";
import { strings as threadStrings } from "../threads/strings.ts";
import { resumeThread, setFlags } from "../threads/thread-commands.ts";
import { useThreadDialogs } from "../threads/thread-dialogs.tsx";

export default function ConversationView({ id }: { id?: string }) {
  const threadId = useThreads((state) => state.byId.get(id as ThreadId)?.id);
  if (!threadId) {
    return (
      <EmptyState
        title={strings.gone}
        action={<Button onClick={() => go({ view: "queue" })}>{common.back}</Button>}
      />
    );
  }
  return <Conversation key={threadId} threadId={threadId} />;
}

function Conversation({ threadId }: { threadId: ThreadId }) {
  const store = useTranscriptStore(threadId);
  const open = useMemo(() => store && { threadId, store, Row: TranscriptRow }, [threadId, store]);
  useMarkRead(threadId);
  useEffect(() => forgetFind, []);
  // Where the panel lies over one thread, it must not lie over the next.
  useEffect(() => uncover, []);
  useEffect(() => (store ? registerConversationActions(threadId, store) : undefined), [threadId, store]);
  if (!open) return null;
  return (
    <ConversationContext value={open}>
      <div className="relative flex min-h-0 flex-1">
        <div data-thread className="flex min-w-0 flex-1 flex-col">
          <ConversationHeader threadId={threadId} />
          <Body threadId={threadId} store={open.store} />
          <ResumeBar />
          <Foot threadId={threadId} />
        </div>
        <SidePanel />
      </div>
    </ConversationContext>
  );
}

/** What the person answers with: the requests that wait, and the message field. Messages stand above both. */
function Foot({ threadId }: { threadId: ThreadId }) {
  const box = useRef<HTMLDivElement>(null);
  useToastsAbove(box);
  const isRead = useThreads((state) => state.byId.get(threadId)?.can.messages);
  return (
    <div ref={box} className="flex max-h-[75%] min-h-0 flex-col cramped:max-h-[82%]">
      <PinnedPlan />
      <ThreadRequests threadId={threadId} />
      {isRead ? (
        <Composer threadId={threadId} />
      ) : (
        <p className="border-t border-line bg-surface px-4 py-2.5 text-ink-2">{strings.worksElsewhere}</p>
      )}
    </div>
  );
}

function Body({ threadId, store }: { threadId: ThreadId; store: TranscriptStore }) {
  const opening = useOpenHit(threadId, store);
  const status = useStore(store, (state) => state.status);
  const problem = useStore(store, (state) => state.problem);
  if (status === "gone") return <ErrorState title={strings.failedToOpen} problem={problem ?? ""} />;
  if (status === "loading" || opening) {
    return (
      <p role="status" className="m-auto text-ink-3">
        {strings.loading}
      </p>
    );
  }
  return (
    <section className="relative flex min-h-24 flex-1 flex-col lowest:min-h-14">
      <FindBar />
      <TranscriptList />
    </section>
  );
}

function useTranscriptStore(threadId: ThreadId): TranscriptStore | undefined {
  const [store, setStore] = useState<TranscriptStore>();
  useEffect(() => {
    const life = new AbortController();
    setStore(followTranscript(threadId, life.signal));
    return () => life.abort();
  }, [threadId]);
  return store;
}

/** A thread that is open and seen has nothing unread. */
function useMarkRead(threadId: ThreadId): void {
  const unread = useThreads((state) => state.byId.get(threadId)?.unread ?? false);
  useEffect(() => {
    if (unread && document.visibilityState === "visible") void setFlags({ threadId, unread: false });
  }, [threadId, unread]);
}

function registerConversationActions(threadId: ThreadId, store: TranscriptStore): () => void {
  return registerActions([
    {
      id: "conversation.find",
      label: strings.find.open,
      section: appStrings.sections.conversation,
      keys: ["$mod+f"],
      inTextFields: true,
      when: canFind,
      run: () =>
        findFromHere(
          threadId,
          store,
          document.querySelector(`[role="log"][aria-label="${strings.transcript}"]`),
        ),
    },
    {
      id: "conversation.side",
      label: strings.toggleSide,
      section: appStrings.sections.conversation,
      keys: ["$mod+[Shift]+."],
      inTextFields: true,
      run: toggleSide,
    },
    {
      id: "conversation.write",
      label: strings.focusMessage,
      section: appStrings.sections.conversation,
      keys: ["m"],
      run: focusMessageField,
    },
    {
      id: "conversation.home",
      label: threadStrings.worktree.home,
      section: appStrings.sections.conversation,
      keys: ["Shift+h"],
      when: () => useThreads.getState().byId.get(threadId)?.worktree?.state === "own",
      run: () => useThreadDialogs.setState({ home: threadId }),
    },
    ...ownMessageActions(threadId, store),
  ]);
}

/** Offers to go on where a crash or a restart ended a turn without a word in the transcript. */
export function ResumeBar() {
  const { threadId } = useConversation();
  const interrupted = useThreads((state) => state.byId.get(threadId)?.status === "interrupted");
  const canResume = useAbility(threadId, "resume");
  const problem = useThreads((state) => state.byId.get(threadId)?.problem);
  const saidInTranscript = useTranscript((state) => {
    const last = state.items.get(state.order.at(-1) ?? "");
    return last?.kind === "turnEnd";
  });
  if (!interrupted || saidInTranscript) return null;
  return (
    <div role="alert" className="border-t border-warn bg-warn-soft px-4 py-2 text-warn">
      <div className="flex max-w-[820px] flex-wrap items-center gap-2">
        <span className="font-medium">{strings.turn.interrupted}</span>
        {problem && <ForeignText className="min-w-0 flex-1" text={problem} lines />}
        {canResume && (
          <Button small onClick={() => void resumeThread(threadId)} className="[&_svg]:size-3">
            <RotateCw aria-hidden />
            {strings.resume}
          </Button>
        )}
      </div>
    </div>
  );
}
