/** What else can be done with a card, out of the way of the decisions. */

import {
  BookPlus,
  Cable,
  Clock,
  Copy,
  Ellipsis,
  FilePen,
  FlaskConical,
  FolderOpen,
  Globe,
  Lock,
  LockOpen,
  MessageSquareReply,
  MessageSquareText,
  MessagesSquare,
  Play,
  Sun,
  Zap,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { type Grant, readWidth } from "../../../shared/width.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, type MenuEntry } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { askAutoApprove } from "../threads/auto-approve.ts";
import { openInEditor, showInFolder } from "../threads/open-outside.ts";
import { strings as threadStrings } from "../threads/strings.ts";
import { confine, snooze } from "./decide.ts";
import { isRehearsed } from "./decision-gate.ts";
import { nobodyWaits } from "./nobody-waits.ts";
import { setForm, useQueue } from "./queue-store.ts";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { mayRehearse, rehearse } from "./rehearse.ts";
import { strings } from "./strings.ts";

export const snoozeMs = 15 * 60_000;
const longSnoozeMs = 4 * 3_600_000;

export function CardMenu({ approval }: { approval: Approval }) {
  return (
    <Menu
      entries={() => entriesOf(approval)}
      trigger={
        <IconButton label={strings.more}>
          <Ellipsis />
        </IconButton>
      }
    />
  );
}

function entriesOf(approval: Approval): MenuEntry[] {
  const snoozed = isSnoozed(approval, Date.now());
  return [
    {
      label: strings.openThread,
      icon: <MessagesSquare />,
      hint: "o",
      onSelect: () => go({ view: "thread", id: approval.threadId }),
    },
    ...(approval.allowedDecisions.includes("reject") && !nobodyWaits(approval)
      ? [
          {
            label: strings.rejectWithReason,
            icon: <MessageSquareText />,
            hint: "n",
            onSelect: () => setForm(approval.id, "reason"),
          },
        ]
      : []),
    ...(approval.kind !== "recovery" && approval.allowedDecisions.includes("respond")
      ? [
          {
            label: strings.respondInWords,
            icon: <MessageSquareReply />,
            hint: "r",
            onSelect: () => setForm(approval.id, "respond"),
          },
        ]
      : []),
    ...widthEntries(approval),
    ...(isRehearsed(approval)
      ? [{ label: words.forget, icon: <Play />, onSelect: () => void rehearse(approval, false) }]
      : mayRehearse(approval)
        ? [
            {
              label: words.rehearse,
              icon: <FlaskConical />,
              hint: "h",
              onSelect: () => void rehearse(approval, true),
            },
          ]
        : []),
    { label: common.copy, icon: <Copy />, onSelect: () => void copy(approval) },
    ...outsideEntries(approval),
    ...(snoozed
      ? [{ label: strings.wake, icon: <Sun />, onSelect: () => void snooze(approval, null) }]
      : [
          {
            label: strings.snooze,
            icon: <Clock />,
            hint: "s",
            onSelect: () => void snooze(approval, Date.now() + snoozeMs),
          },
          {
            label: strings.snoozeLong,
            icon: <Clock />,
            onSelect: () => void snooze(approval, Date.now() + longSnoozeMs),
          },
        ]),
    {
      label: strings.makeRule,
      icon: <BookPlus />,
      hint: "p",
      onSelect: () => useQueue.setState({ ruleFor: { id: approval.id } }),
    },
    {
      label: strings.autoApproveThread,
      icon: <Zap />,
      hint: "a",
      onSelect: () => void askAutoApprove(approval.threadId),
    },
  ];
}

/** What a person looks at elsewhere before they decide: the file that would change, or the folder. */
function outsideEntries({ subject, threadId }: Approval): MenuEntry[] {
  if (subject.kind !== "file")
    return [
      {
        label: threadStrings.openFolder,
        icon: <FolderOpen />,
        onSelect: () => void showInFolder(threadId, ""),
      },
    ];
  const { path } = subject;
  return [
    {
      label: threadStrings.openInEditor,
      icon: <FilePen />,
      onSelect: () => void openInEditor(threadId, path),
    },
    {
      label: threadStrings.showInFolder,
      icon: <FolderOpen />,
      onSelect: () => void showInFolder(threadId, path),
    },
  ];
}

/** A step wider or narrower; the card shows it, and only then a yes means it. */
function widthEntries(approval: Approval): MenuEntry[] {
  if (approval.width === undefined || approval.status !== "pending") return [];
  const { kind, width } = approval;
  const isOutside = width === "outside";
  // What was refused something in the sandbox can only reach further.
  if (kind !== "tool" && (kind !== "escalation" || isOutside)) return [];
  if (isOutside && useHost.getState().host?.sandbox.state !== "usable") return [];
  const leave = {
    label: isOutside ? strings.runConfined : strings.runOutside,
    icon: isOutside ? <Lock /> : <LockOpen />,
    onSelect: () => void confine(approval, isOutside),
  };
  return isOutside ? [leave] : [...grantEntries(approval, readWidth(width).grant), leave];
}

/** One grant at a time, each to be given or taken away. */
function grantEntries(approval: Approval, open: Grant | undefined): MenuEntry[] {
  const isMore = approval.kind === "escalation";
  const entryOf = (grant: Grant): MenuEntry => ({
    label: strings.grants[grant][open === grant ? "shut" : "open"],
    icon: grantIcons[grant],
    onSelect: () => void confine(approval, true, open === grant ? null : grant),
  });
  return grants.filter((grant) => !isMore || open !== grant).map(entryOf);
}

const grants = ["network", "sockets"] as const satisfies Grant[];
const grantIcons: Record<Grant, ReactNode> = { network: <Globe />, sockets: <Cable /> };

async function copy(approval: Approval): Promise<void> {
  const { subject } = approval;
  const command =
    subject.kind === "recovery" ? subject.what : subject.kind === "escalation" && subject.command;
  await navigator.clipboard.writeText(command || aboutApproval(approval));
  showToast(common.copied);
}
