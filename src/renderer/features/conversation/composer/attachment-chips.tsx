/** What will go with the message, each with a way to take it off. */
import { FileText, X } from "lucide-react";
import type { Attachment } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { IconButton } from "../../../ui/button.tsx";
import { strings } from "../strings.ts";
import { detach, nameOf, useAttachments } from "./attachments-store.ts";

const none: readonly Attachment[] = [];

export function AttachmentChips({ threadId }: { threadId: ThreadId }) {
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
