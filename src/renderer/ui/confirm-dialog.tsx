/** The question before something is taken away: what it is about, Cancel, and the button that does it. */

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ProblemText } from "./problem-text.tsx";
import { UnreadNote } from "./unread-note.tsx";

type ConfirmDialogProps = {
  title: string;
  description: string;
  /** What the danger button says: the deed, never "OK". */
  confirm: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** Why it could not be done, for a question that stays open then. */
  problem?: string;
  /** What is to be looked at before; until then `onConfirm` leads there. */
  toRead?: string;
  /** What it is about, where the words alone do not say it. */
  children?: ReactNode;
};

/** It stays until the caller takes it away, so that `onConfirm` may close it at once or only when it went well. */
export function ConfirmDialog({
  title,
  description,
  confirm,
  onConfirm,
  onClose,
  problem,
  toRead,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          {toRead && <UnreadNote>{toRead}</UnreadNote>}
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" locked={toRead !== undefined} onClick={() => void onConfirm()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {problem && <ProblemText problem={problem} />}
    </Dialog>
  );
}
