/** What can be done with one thread: the entries of its menu, which the palette offers for the open one. */
import {
  Archive,
  ArchiveRestore,
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
import type { MenuEntry } from "../../ui/menu.tsx";
import { showInFolder } from "./open-outside.ts";
import { strings } from "./strings.ts";
import { setFlags } from "./thread-commands.ts";
import { useThreadDialogs } from "./thread-dialogs.tsx";

export function threadEntries({ id, pinned, archived, can, worktree }: ThreadSummary): MenuEntry[] {
  return [
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
  ];
}
