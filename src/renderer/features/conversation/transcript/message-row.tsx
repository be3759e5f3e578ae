/** What the person and the agent say. */

import { Bot, FlaskConical, GitFork, PencilLine, Reply, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ModelRef } from "../../../../shared/contract/models.ts";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { messageIdSchema, type ThreadId, turnIdSchema } from "../../../../shared/ids.ts";
import { draftOf, setDraft } from "../../../base/stores/drafts-store.ts";
import { useAbility } from "../../../base/stores/threads-store.ts";
import { isDemo } from "../../../base/words.ts";
import { AgentPath } from "../../../ui/agent-path.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { forkThread, takeBack } from "../../threads/thread-commands.ts";
import { focusMessageField } from "../composer/focus-message-field.ts";
import { useConversation } from "../conversation-context.ts";
import { CopyButton } from "../copy-button.tsx";
import { ForkForm } from "../header/fork-form.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { useHoldRow } from "./held-rows.ts";
import { useOpen } from "./open-state.ts";
import { messageDeeds } from "./own-message-keys.ts";
import { UndoDialog } from "./undo-dialog.tsx";

type UserItem = Extract<TranscriptItem, { kind: "userMessage" }>;
type AgentItem = Extract<TranscriptItem, { kind: "agentMessage" }>;

const onHover = "opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100";

/** In one pane they lie over the message: beside it they would leave it a third of the width. */
const overMessage =
  "max-wide:pointer-events-none max-wide:absolute max-wide:-top-3 max-wide:right-1 max-wide:rounded-md max-wide:border max-wide:border-line max-wide:bg-raised max-wide:group-focus-within/message:pointer-events-auto max-wide:group-hover/message:pointer-events-auto";

export function UserMessage({ item }: { item: UserItem }) {
  const { threadId } = useConversation();
  const canFork = useAbility(threadId, "fork");
  const [changing, setChanging] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const messageId = messageIdSchema.parse(item.id);
  const article = useRef<HTMLElement>(null);
  useHoldRow(article, undoing);
  function close() {
    flushSync(() => setChanging(false));
    article.current?.querySelector<HTMLElement>("[data-message-deed=change]")?.focus();
  }
  if (changing) return <ForkForm messageId={messageId} text={item.text} onClose={close} />;
  return (
    <article
      ref={article}
      aria-label={strings.you}
      className="group/message relative ml-auto flex w-fit max-w-[88%] items-start gap-1"
    >
      <span className={cx("flex shrink-0", onHover, overMessage)}>
        <CopyButton label={strings.copyMessage} text={() => item.text} />
        <IconButton
          data-message-deed="again"
          label={strings.again}
          keyName={messageDeeds.again}
          onClick={() => writeAgain(threadId, item.text)}
        >
          <Reply />
        </IconButton>
        {item.turnId !== "" && !item.queued && !item.cancelled && (
          <IconButton
            data-message-deed="undo"
            label={strings.undo.button}
            keyName={messageDeeds.undo}
            onClick={() => setUndoing(true)}
          >
            <Undo2 />
          </IconButton>
        )}
        {canFork && !item.queued && !item.cancelled && (
          <>
            <IconButton
              data-message-deed="change"
              label={strings.change}
              keyName={messageDeeds.change}
              onClick={() => setChanging(true)}
            >
              <PencilLine />
            </IconButton>
            <IconButton
              data-message-deed="fork"
              label={strings.fork}
              keyName={messageDeeds.fork}
              onClick={() => void forkThread(threadId, messageId, { draft: item.text })}
            >
              <GitFork />
            </IconButton>
          </>
        )}
      </span>
      <Words item={item} />
      {undoing && (
        <UndoDialog
          threadId={threadId}
          turnId={turnIdSchema.parse(item.turnId)}
          onClose={() => setUndoing(false)}
          onTakenBack={({ messages }) => {
            if (messages > 0) sayDifferently(threadId, item.text);
          }}
        />
      )}
    </article>
  );
}

/** What was said, with its files, and that it waits or was taken back. */
function Words({ item }: { item: UserItem }) {
  const { threadId } = useConversation();
  return (
    <div
      className={cx(
        "min-w-0 rounded-lg border px-3 py-2",
        item.cancelled ? "border-dashed border-line-strong" : "border-line bg-hover",
      )}
    >
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</p>
      {item.attachments.length > 0 && (
        <ul aria-label={strings.attached} className="mt-1 font-mono text-xs text-ink-2">
          {item.attachments.map((name) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              <ForeignText text={name} />
            </li>
          ))}
        </ul>
      )}
      {item.cancelled && <p className="text-sm text-ink-2">{strings.cancelledMessage}</p>}
      {item.queued && (
        <p className="mt-1 flex items-center gap-2 text-sm text-ink-2">
          {strings.queued}
          <Button small onClick={() => void takeBack(threadId, messageIdSchema.parse(item.id))}>
            {strings.unsend}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The message is gone from the conversation, and its words are the likeliest beginning of the next one. */
function sayDifferently(threadId: ThreadId, text: string): void {
  if (draftOf(threadId).trim() === "") setDraft(threadId, text);
  focusMessageField();
}

/** Puts the words behind what is half written; sending them is for the person to do. */
function writeAgain(threadId: ThreadId, text: string): void {
  const before = draftOf(threadId);
  setDraft(threadId, before.trim() === "" ? text : `${before}\n${text}`);
  focusMessageField();
}

export function AgentMessage({ item }: { item: AgentItem }) {
  if (!item.text && !item.reasoning) return null;
  return (
    <article aria-label={strings.agent} className="group/message">
      <Author agentPath={item.agentPath} model={item.model}>
        {item.usage && (
          <span className={cx("text-ink-3", onHover)}>
            {strings.tokens(item.usage.inputTokens, item.usage.outputTokens)}
          </span>
        )}
        <CopyButton label={strings.copyMessage} text={() => item.text} className={cx("size-6!", onHover)} />
      </Author>
      {item.reasoning && <Reasoning id={item.id} text={item.reasoning} />}
      <Markdown text={item.text} />
      {item.partial && <p className="text-sm text-warn">{strings.partial}</p>}
    </article>
  );
}

type AuthorProps = { agentPath: readonly string[]; model?: ModelRef; children?: React.ReactNode };

/** Says which model speaks, or plainly that none does, and for which sub-agent. */
export function Author({ agentPath, model, children }: AuthorProps) {
  const demo = model && isDemo(model);
  return (
    <div data-find="skip" className="flex h-5 items-center gap-1.5 text-xs text-ink-3 [&_svg]:size-3">
      {demo ? <FlaskConical aria-hidden /> : <Bot aria-hidden />}
      <span className="truncate">
        <AgentPath path={[...agentPath, demo ? strings.demo : (model?.model ?? strings.agent)]} />
      </span>
      {children}
    </div>
  );
}

/** @param id of the message; whether it is open is remembered under it. */
export function Reasoning({ id, text }: { id: string; text: string }) {
  const [open, setOpen] = useOpen(`${id}:reasoning`, false);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mb-1 text-sm text-ink-3"
    >
      <summary className="w-fit cursor-pointer">{strings.reasoning}</summary>
      <p className="mt-1 border-l-2 border-line pl-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
    </details>
  );
}
