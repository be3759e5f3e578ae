/** Renaming, deleting, saving and shrinking a thread, each in a dialog. */
import { Copy } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { create } from "zustand";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go, useRoute } from "../../base/navigation.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAct } from "../../base/use-act.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { copyText } from "../../ui/hand-text.ts";
import { ProblemText } from "../../ui/problem-text.tsx";
import { HomeDialog } from "../home/home-dialog.tsx";
import { StorageDialog } from "./storage-dialog.tsx";
import { strings } from "./strings.ts";

type Dialogs = {
  rename?: ThreadId;
  remove?: ThreadId;
  storage?: ThreadId;
  save?: ThreadId;
  home?: ThreadId;
};

/** Which dialog is open, and about which thread. */
export const useThreadDialogs = create<Dialogs>(() => ({}));

export function ThreadDialogs() {
  const { rename, remove, storage, save, home } = useThreadDialogs();
  const close = (dialog: keyof Dialogs) => () => useThreadDialogs.setState({ [dialog]: undefined });
  return (
    <>
      {rename && <RenameDialog key={rename} id={rename} />}
      {remove && <RemoveDialog id={remove} />}
      {storage && <StorageDialog key={storage} id={storage} onClose={close("storage")} />}
      {home && <HomeDialog key={home} id={home} onClose={close("home")} />}
      {save && <ExportDialog key={save} id={save} onClose={close("save")} />}
    </>
  );
}

const renameForm = "rename-thread";

function RenameDialog({ id }: { id: ThreadId }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const close = () => useThreadDialogs.setState({ rename: undefined });
  const form = useRef<HTMLFormElement>(null);
  async function save(event: FormEvent) {
    event.preventDefault();
    const next = String(new FormData(form.current ?? undefined).get("title") ?? "").trim();
    if (!next) return;
    close();
    await attempt(() => client().call("threads.rename", { threadId: id, title: next }));
  }
  return (
    <Dialog
      open
      onClose={close}
      title={strings.renameTitle}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button look="strong" type="submit" form={renameForm}>
            {common.save}
          </Button>
        </>
      }
    >
      <form ref={form} id={renameForm} onSubmit={(event) => void save(event)} className="p-0.5">
        <TextField label={strings.title} name="title" defaultValue={title} maxLength={200} required />
      </form>
    </Dialog>
  );
}

function RemoveDialog({ id }: { id: ThreadId }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const hasWorktree = useThreads((state) => state.byId.get(id)?.worktree?.state === "own");
  const [left, setLeft] = useState<string>();
  const close = () => useThreadDialogs.setState({ remove: undefined });
  async function remove() {
    // What may be told of a worktree has to be read: the dialog stays for it.
    if (!hasWorktree) close();
    await attempt(async () => {
      const done = await client().call("threads.delete", { threadId: id });
      setLeft(done.left);
      if (done.left === undefined) close();
      if (useRoute.getState().id === id) go({ view: "queue" });
    });
  }
  if (left !== undefined)
    return (
      <Dialog
        open
        onClose={close}
        title={strings.worktree.left}
        actions={
          <Button look="strong" onClick={close}>
            {common.close}
          </Button>
        }
      >
        <p className="[overflow-wrap:anywhere]">
          <ForeignText text={left} />
        </p>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={strings.removeTitle(title || strings.untitled)}
      description={hasWorktree ? `${strings.removeText} ${strings.worktree.removeText}` : strings.removeText}
      confirm={strings.removeGo}
      onConfirm={remove}
      onClose={close}
    />
  );
}

/** Writes a thread as one file, after saying what will be in it. */
function ExportDialog({ id, onClose }: { id: ThreadId; onClose: () => void }) {
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
              {words.done} <ForeignText className="code-text break-all select-all" text={path} />
            </span>
            <IconButton label={words.copy} onClick={() => void copyText(path)}>
              <Copy />
            </IconButton>
          </>
        )}
      </div>
      {problem && <ProblemText className="text-sm" problem={problem} />}
    </Dialog>
  );
}
