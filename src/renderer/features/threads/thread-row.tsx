/** One thread in the list: title, state in words and shape, what waits, and its commands. */

import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileDown,
  HardDrive,
  MailOpen,
  PencilLine,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import { memo } from "react";
import type { Input } from "../../../shared/contract/contract.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { client } from "../../base/client.ts";
import { useNow } from "../../base/clock.ts";
import { common } from "../../base/common-strings.ts";
import { go, useOpenThreadId } from "../../base/navigation.ts";
import { describeError, formatAge, isDemo, lastSegment } from "../../base/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Menu } from "../../ui/menu.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showProblem } from "../../ui/toast.tsx";
import { StatusMark } from "./status-mark.tsx";
import { strings } from "./strings.ts";
import { useThreadDialogs } from "./thread-dialogs.tsx";

export const ThreadRow = memo(function ThreadRow({ thread }: { thread: ThreadSummary }) {
  const open = useOpenThreadId() === thread.id;
  const now = useNow(30_000);
  return (
    <div className={cx("group relative my-0.5 flex rounded-md", open ? "bg-hover" : "hover:bg-hover")}>
      <button
        type="button"
        data-thread={thread.id}
        aria-current={open ? "page" : undefined}
        onClick={() => go({ view: "thread", id: thread.id })}
        className="flex min-w-0 flex-1 flex-col gap-0.5 rounded-md py-1.5 pr-8 pl-2 text-left"
      >
        <span className="flex w-full items-center gap-1.5">
          {thread.unread && (
            <span
              className="size-1.5 shrink-0 rounded-full bg-accent"
              role="img"
              aria-label={strings.unread}
            />
          )}
          <span
            className={cx("min-w-0 truncate", thread.unread && "font-semibold")}
            title={spellOut(thread.title)}
          >
            <ForeignText text={thread.title || strings.untitled} />
          </span>
          {thread.pinned && (
            <Pin role="img" aria-label={strings.pinned} className="size-3 shrink-0 text-ink-3" />
          )}
          {thread.waiting > 0 && (
            <span className="ml-auto flex shrink-0">
              <Badge tone="accent">{strings.waiting(thread.waiting)}</Badge>
            </span>
          )}
        </span>
        <span className="flex w-full items-center gap-1.5 text-xs text-ink-3">
          <StatusMark status={thread.status} />
          <span className="min-w-0 truncate">
            <ForeignText text={lastSegment(thread.workspace)} />
            {isDemo(thread.model) ? "" : ` · ${thread.model.model}`}
          </span>
          <span className="ml-auto shrink-0">{formatAge(thread.updatedAt, now)}</span>
        </span>
      </button>
      <RowMenu thread={thread} />
    </div>
  );
});

function RowMenu({ thread }: { thread: ThreadSummary }) {
  const { id, pinned, archived, can } = thread;
  return (
    <Menu
      trigger={
        <IconButton
          label={strings.more(spellOut(thread.title || strings.untitled))}
          className="absolute top-1 right-1 size-6! opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[popup-open]:opacity-100"
        >
          <Ellipsis />
        </IconButton>
      }
      entries={() => [
        {
          label: pinned ? strings.unpin : strings.pin,
          icon: pinned ? <PinOff /> : <Pin />,
          onSelect: () => void setFlags({ threadId: id, pinned: !pinned }),
        },
        {
          label: strings.rename,
          icon: <PencilLine />,
          onSelect: () => useThreadDialogs.setState({ rename: id }),
        },
        {
          label: strings.markUnread,
          icon: <MailOpen />,
          onSelect: () => void setFlags({ threadId: id, unread: true }),
        },
        {
          label: archived ? strings.unarchive : strings.archive,
          icon: archived ? <ArchiveRestore /> : <Archive />,
          onSelect: () => void setFlags({ threadId: id, archived: !archived }),
        },
        ...(can.export
          ? [
              {
                label: strings.exportEntry,
                icon: <FileDown />,
                onSelect: () => useThreadDialogs.setState({ save: id }),
              },
            ]
          : []),
        {
          label: strings.storageEntry,
          icon: <HardDrive />,
          onSelect: () => useThreadDialogs.setState({ storage: id }),
        },
        {
          label: strings.remove,
          icon: <Trash2 />,
          danger: true,
          onSelect: () => useThreadDialogs.setState({ remove: id }),
        },
      ]}
    />
  );
}

export async function setFlags(flags: Input<"threads.setFlags">): Promise<void> {
  try {
    await client().call("threads.setFlags", flags);
  } catch (error) {
    showProblem(common.failed, describeError(error));
  }
}
