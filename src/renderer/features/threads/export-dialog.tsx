/** Writes a thread as one file, after saying what will be in it. */

import { Copy } from "lucide-react";
import { useState } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAct } from "../../base/use-act.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { strings } from "./strings.ts";

export function ExportDialog({ id, onClose }: { id: ThreadId; onClose: () => void }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const [path, setPath] = useState<string>();
  const { busy, problem, act } = useAct();
  const words = strings.exporting;

  const write = () =>
    act(async () => setPath((await client().call("threads.export", { threadId: id })).path));
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(title || strings.untitled)}
      description={words.text}
      actions={
        <>
          <Button onClick={onClose}>{path ? common.close : common.cancel}</Button>
          {!path && (
            <Button look="strong" disabled={busy} onClick={() => void write()}>
              {words.go}
            </Button>
          )}
        </>
      }
    >
      <div role="status" className="flex min-h-7 items-center gap-1.5">
        {busy && words.working}
        {path && (
          <>
            <span>
              {words.done} <code className="code-text break-all select-all">{path}</code>
            </span>
            <IconButton label={words.copy} onClick={() => void copyText(path)}>
              <Copy />
            </IconButton>
          </>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
