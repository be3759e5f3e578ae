/** What the lists of agents, servers and other programs have alike: what stands above, and the buttons of a row. */
import { Play, Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { AgentId } from "../../../shared/ids.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { startAgent } from "./start-agent.ts";
import { strings } from "./strings.ts";

/** What the list is, and the button that adds to it. */
export function ListHead({ hint, add, onAdd }: { hint: ReactNode; add: string; onAdd: () => void }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <p className="max-w-[60ch] min-w-0 flex-1 basis-52 text-ink-2">{hint}</p>
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
