/** The commands of one thread, behind the dots at the end of its row. */

import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileDown,
  FolderOpen,
  GitMerge,
  HardDrive,
  MailOpen,
  PencilLine,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showInFolder } from "./open-outside.ts";
import { strings } from "./strings.ts";
import { setFlags } from "./thread-commands.ts";
import { useThreadDialogs } from "./thread-dialogs.tsx";

export function ThreadMenu({ thread }: { thread: ThreadSummary }) {
  const { id, pinned, archived, can, worktree } = thread;
  return (
    <Menu
      trigger={
        <IconButton
          label={strings.more(spellOut(thread.title || strings.untitled))}
          className="absolute z-10 top-1/2 right-1 -translate-y-1/2 bg-hover! opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[popup-open]:opacity-100"
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
          label: strings.openFolder,
          icon: <FolderOpen />,
          onSelect: () => void showInFolder(id, ""),
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
        ...(worktree?.state === "own"
          ? [
              {
                label: strings.worktree.home,
                icon: <GitMerge />,
                onSelect: () => useThreadDialogs.setState({ home: id }),
              },
            ]
          : []),
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
