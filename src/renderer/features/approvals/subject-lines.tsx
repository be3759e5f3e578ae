/** Lines that the subjects of several cards have alike: the folder, how far a command reaches, what is said about it. */
import { Lock, LockOpen } from "lucide-react";
import type { ReactNode } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { wordsOfActing } from "../../base/acting-words.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useActing } from "../../base/stores/threads-store.ts";
import { wordsOfWidth } from "../../base/width-words.ts";
import { shortenPath } from "../../base/words.ts";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { quoted } from "./read-text.tsx";
import { strings } from "./strings.ts";
import { Piece } from "./subject-parts.tsx";

/** Where it would run. @param children what there is to say besides, on the same line. */
export function FolderLine({ folder, children }: { folder: string; children?: ReactNode }) {
  const home = useHost((store) => store.host?.home);
  return (
    <Piece name="folder" className="text-sm text-ink-3">
      {strings.inFolder} <ExactText text={shortenPath(folder, home)} oneLine className="text-ink-2" />
      {children}
    </Piece>
  );
}

/** How far the command may reach: a yes starts it with this and nothing else. */
export function WidthLine({ approval: { width, workspace } }: { approval: Approval }) {
  if (width === undefined) return null;
  const Icon = width === "outside" ? LockOpen : Lock;
  return (
    <Piece name="width" className="flex items-baseline gap-1.5 text-sm text-ink-2">
      <Icon aria-hidden className="size-3.5 shrink-0 translate-y-0.5" />
      <ForeignText text={wordsOfWidth(width, workspace)} />
    </Piece>
  );
}

/** That a program of others asks, where it is governed: what that promises, and what not. */
export function GovernedLine({ threadId }: { threadId: Approval["threadId"] }) {
  const acting = useActing(threadId);
  if (acting === undefined || acting.level === "asking") return null;
  return (
    <p className="text-sm text-ink-3 [overflow-wrap:anywhere]">
      <ForeignText text={acting.agent} /> · <ForeignText text={wordsOfActing(acting)} />
    </p>
  );
}

/** What the agent's configuration or the host has to say about this one. */
export function Described({ approval: { description } }: { approval: Approval }) {
  if (description === undefined) return null;
  return (
    <Piece name="described" className={cx(quoted, "text-sm text-ink-2")}>
      <ForeignText text={description} lines />
    </Piece>
  );
}
