/** The button at a call that changed files: takes back what it and all after it did to them. */
import { Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { executionIdSchema, turnIdSchema } from "../../../../shared/ids.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";
import { IconButton } from "../../../ui/button.tsx";
import { useConversation } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { useHoldRow } from "../transcript/held-rows.ts";
import { messageDeeds } from "../transcript/own-message-keys.ts";
import { UndoDialog } from "../transcript/undo-dialog.tsx";

export function UndoCall({ item }: { item: ToolCallItem }) {
  const { threadId } = useConversation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useHoldRow(button, open);
  const kind = kindOf(item.tool);
  const executionId = item.receipt?.executionId;
  if (item.state !== "finished" || !executionId || (kind !== "command" && kind !== "change")) return null;
  return (
    <>
      <IconButton
        ref={button}
        data-message-deed="undo"
        label={strings.undo.buttonCall}
        keyName={messageDeeds.undo}
        className="size-6! opacity-0 group-hover/call:opacity-100 group-focus-within/call:opacity-100"
        onClick={() => setOpen(true)}
      >
        <Undo2 />
      </IconButton>
      {open && (
        <UndoDialog
          threadId={threadId}
          turnId={turnIdSchema.parse(item.turnId)}
          executionId={executionIdSchema.parse(executionId)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
