/** What the lists of agents, servers and other programs have alike: what stands above, the buttons of a row, a thread begun. */
import { Play, Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { AgentId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { setDraft } from "../../base/stores/drafts-store.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

/** What the list is, and the button that adds to it. */
export function ListHead({ hint, add, onAdd }: { hint: ReactNode; add: string; onAdd: () => void }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <p className="max-w-[60ch] min-w-0 flex-1 basis-72 text-ink-2">{hint}</p>
      <Button look="strong" onClick={onAdd} className="[&_svg]:size-3.5">
        <Plus aria-hidden />
        {add}
      </Button>
    </div>
  );
}

export function StartButton({ agentId, name }: { agentId: AgentId; name: string }) {
  return (
    <Button
      small
      aria-label={strings.startNamed(name)}
      onClick={() => void startAgent({ agentId })}
      className="[&_svg]:size-3"
    >
      <Play aria-hidden />
      {strings.start}
    </Button>
  );
}

type RemoveDialogProps = {
  title: string;
  text: string;
  confirm: string;
  remove: () => Promise<unknown>;
  onClose: () => void;
  onRemoved: () => void;
};

/** The list is read again also when it failed: what is wrong may be that it is gone. */
export function RemoveDialog({ title, text, confirm, remove, onClose, onRemoved }: RemoveDialogProps) {
  async function close() {
    onClose();
    await attempt(remove);
    onRemoved();
  }
  return (
    <ConfirmDialog title={title} description={text} confirm={confirm} onConfirm={close} onClose={onClose} />
  );
}

type Start = {
  agentId?: AgentId;
  /** Absolute path; without it the folder of this start, else the one used last. */
  workspace?: string;
  /** Put into the composer, not sent. */
  draft?: string;
};

/** A failure is shown, not thrown. */
export async function startAgent({ agentId, workspace, draft }: Start): Promise<void> {
  await attempt(async () => {
    const folder = workspace ?? (await lastFolder());
    if (!folder) return showProblem(strings.noFolder);
    const thread = await client().call("threads.create", {
      commandId: newCommandId(),
      workspace: folder,
      ...(agentId && { agentId }),
    });
    if (draft) setDraft(thread.id, draft);
    useThreads.getState().change([thread], []);
    go({ view: "thread", id: thread.id });
  });
}

async function lastFolder(): Promise<string | undefined> {
  const given = useHost.getState().host?.workspace;
  return given ?? (await client().call("workspaces.list", {})).workspaces[0]?.path;
}
