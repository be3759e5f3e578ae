/** Where a person writes to the agent. It never listens to the transcript, so streams cannot slow down typing. */
import { ArrowUp, FileText, ImagePlus, Square, X } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { Attachment, ThreadStatus, ThreadSummary } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { cameByKey } from "../../../base/navigation.ts";
import { loadDraft, useDrafts } from "../../../base/stores/drafts-store.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { isDemo } from "../../../base/words.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { stopThread } from "../../threads/thread-commands.ts";
import { strings } from "../strings.ts";
import { nameAgent, useAgents, useChangedThread } from "./agents-store.ts";
import { attachImages } from "./attach-files.ts";
import { detach, nameOf, useAttachments } from "./attachments-store.ts";
import { LongTextChips } from "./long-text-chips.tsx";
import { MessageField } from "./message-field.tsx";
import { PartnerSelect } from "./partner-select.tsx";
import { useSend } from "./use-send.ts";
import { WaitingQuestion } from "./waiting-question.tsx";

const activeStatuses: readonly ThreadStatus[] = ["running", "queued", "waiting"];

export const Composer = memo(function Composer({ threadId }: { threadId: ThreadId }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { send, sending, asking, keepWriting } = useSend(threadId);
  const waiting = useThreads((state) => state.byId.get(threadId)?.waiting ?? 0);
  useEffect(() => void loadDraft(threadId), [threadId]);
  useEffect(() => {
    if (!cameByKey()) field.current?.focus();
  }, []);

  async function sendAndReturn(...choice: Parameters<typeof send>) {
    await send(...choice);
    if (document.activeElement === document.body) field.current?.focus();
  }
  return (
    <div className="border-t border-line bg-surface px-4 pt-2.5 pb-1.5">
      <div className="flex max-w-[820px] flex-col gap-1.5">
        {asking && waiting > 0 && (
          <WaitingQuestion
            count={waiting}
            onChoose={(choice) => void sendAndReturn(choice)}
            onCancel={() => {
              keepWriting();
              field.current?.focus();
            }}
          />
        )}
        <AttachmentChips threadId={threadId} />
        <LongTextChips threadId={threadId} />
        <Changed threadId={threadId} />
        <div className="relative flex flex-col gap-1 rounded-lg border border-line-strong bg-bg p-1.5 focus-within:border-ink cramped:flex-row cramped:items-end cramped:py-0.5">
          <MessageField threadId={threadId} field={field} onSend={() => void sendAndReturn()} />
          <div className="flex items-center gap-x-2 gap-y-1 max-[400px]:flex-wrap cramped:flex-nowrap cramped:gap-x-1 cramped:[&_[data-partner-select]]:hidden">
            <ImagePicker threadId={threadId} />
            <Partner threadId={threadId} />
            <Activity threadId={threadId} />
            <span className="flex-1 min-[561px]:hidden" />
            <StopButton threadId={threadId} />
            <SendButton threadId={threadId} sending={sending} onSend={() => void sendAndReturn()} />
          </div>
        </div>
      </div>
    </div>
  );
});

type SendButtonProps = { threadId: ThreadId; sending: boolean; onSend: () => void };

function SendButton({ threadId, sending, onSend }: SendButtonProps) {
  const hasText = useDrafts((drafts) => (drafts[threadId] ?? "").trim() !== "");
  const hasFiles = useAttachments((state) => state.byThread.has(threadId));
  return (
    <Button
      look="strong"
      disabled={sending || !(hasText || hasFiles)}
      onClick={onSend}
      className="[&_svg]:size-3.5"
    >
      <ArrowUp aria-hidden />
      <span className="cramped:sr-only">{strings.send}</span>
    </Button>
  );
}

function StopButton({ threadId }: { threadId: ThreadId }) {
  const active = useThreads((state) => activeStatuses.includes(state.byId.get(threadId)?.status ?? "new"));
  if (!active) return null;
  return (
    <Button onClick={() => void stopThread(threadId)} className="[&_svg]:size-3">
      <Square aria-hidden />
      <span className="cramped:sr-only">{strings.stop}</span>
    </Button>
  );
}

function Partner({ threadId }: { threadId: ThreadId }) {
  const thread = useThreads((state) => state.byId.get(threadId));
  return thread ? <PartnerSelect thread={thread} /> : null;
}

/** What was just chosen and does not hold yet, whole at any width. */
function Changed({ threadId }: { threadId: ThreadId }) {
  const changed = useChangedThread((state) => state.threadId === threadId);
  const agents = useAgents((state) => state.agents);
  const line = useThreads((state) => {
    const thread = state.byId.get(threadId);
    return thread && changed ? describeChange(thread, nameAgent(thread.agentId, agents)) : "";
  });
  return (
    <p role="status" className="text-sm text-ink-2 [overflow-wrap:anywhere] empty:hidden">
      {line}
    </p>
  );
}

/** What goes on, or what the demo model understands; one line that is always there, so that nothing moves. */
function Activity({ threadId }: { threadId: ThreadId }) {
  const line = useThreads((state) => {
    const thread = state.byId.get(threadId);
    if (thread?.status === "running") return strings.working;
    if (thread?.status === "queued") return strings.inLine;
    return thread && !thread.actsItself && isDemo(thread.model) ? strings.demoHelp : "";
  });
  return (
    <p
      role="status"
      className="min-w-0 flex-1 basis-0 truncate text-sm text-ink-3 max-[560px]:sr-only cramped:sr-only"
      title={line}
    >
      {line}
    </p>
  );
}

function describeChange({ model, status }: ThreadSummary, agent: string): string {
  const words = [spellOut(agent), isDemo(model) ? strings.demoModel : spellOut(model.model)] as const;
  return activeStatuses.includes(status)
    ? strings.partner.chosenAtWork(...words)
    : strings.partner.chosen(...words);
}

function ImagePicker({ threadId }: { threadId: ThreadId }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={strings.attachImage} onClick={() => input.current?.click()}>
        <ImagePlus />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={({ target }) => {
          void attachImages(threadId, [...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}

const none: readonly Attachment[] = [];

/** What will go with the message, each with a way to take it off. */
function AttachmentChips({ threadId }: { threadId: ThreadId }) {
  const attachments = useAttachments((state) => state.byThread.get(threadId) ?? none);
  if (attachments.length === 0) return null;
  return (
    <ul aria-label={strings.attachedList} className="flex flex-wrap gap-1.5">
      {attachments.map((one, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two images may have one name
          key={`${nameOf(one)}:${index}`}
          className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-1.5 text-sm"
        >
          {one.kind === "image" ? (
            <img
              src={`data:${one.mediaType};base64,${one.base64}`}
              alt=""
              className="size-6 rounded-sm object-cover"
            />
          ) : (
            <FileText aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          )}
          <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{nameOf(one)}</span>
          {one.kind === "file" && (
            <span className="shrink-0 text-ink-3" title={strings.pathOnlyHelp}>
              {strings.pathOnly}
            </span>
          )}
          <IconButton
            label={strings.detach(nameOf(one))}
            onClick={() => detach(threadId, one)}
            className="size-6!"
          >
            <X />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
