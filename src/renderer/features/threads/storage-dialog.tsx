/** What a thread takes of the disk, and a way to take less by forgetting where it could be forked. */

import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useAct } from "../../base/use-act.ts";
import { useReading } from "../../base/use-reading.ts";
import { formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

type DiskUse = Output<"threads.diskUse">;

const keepChoices = [1, 5, 20] as const;

export function StorageDialog({ id, onClose }: { id: ThreadId; onClose: () => void }) {
  const title = useThreads((state) => state.byId.get(id)?.title ?? "");
  const [keepTurns, setKeepTurns] = useState<number>(keepChoices[1]);
  const [confirming, setConfirming] = useState(false);
  const { use, saving, problem, busy, prune } = useStorage(id, keepTurns, onClose);
  const { storage } = strings;
  const freed = saving && saving.checkpoints > 0 ? formatBytes(saving.bytes) : undefined;
  const actions = confirming ? (
    <>
      <Button disabled={busy} onClick={() => setConfirming(false)}>
        {common.cancel}
      </Button>
      <Button look="danger" disabled={busy} onClick={() => void prune()}>
        {storage.free(freed ?? "")}
      </Button>
    </>
  ) : (
    <>
      <Button onClick={onClose}>{common.close}</Button>
      <Button disabled={freed === undefined} onClick={() => setConfirming(true)}>
        {storage.useLess}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={confirming ? storage.confirmTitle(keepTurns) : storage.title(title || strings.untitled)}
      description={confirming ? storage.lost(keepTurns) : undefined}
      actions={actions}
    >
      {!confirming && (
        <div className="flex flex-col gap-4">
          <Uses use={use} />
          {use && (
            <p className="text-sm text-ink-2">
              {storage.undoOfAll(formatBytes(use.undo.ofAll), formatBytes(use.undo.budget))}
            </p>
          )}
          <div className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <span>{storage.keep}</span>
              <Select
                label={storage.keep}
                value={keepTurns}
                onChange={(event) => setKeepTurns(Number(event.target.value))}
              >
                {keepChoices.map((turns) => (
                  <option key={turns} value={turns}>
                    {storage.choice(turns)}
                  </option>
                ))}
              </Select>
            </div>
            <p role="status" className="min-h-5 text-sm text-ink-2">
              {!problem && (saving ? storage.preview(freed, saving.checkpoints) : storage.counting)}
            </p>
          </div>
        </div>
      )}
      {confirming && (
        <p role="status" className="min-h-5 text-sm text-ink-2">
          {busy && storage.working}
        </p>
      )}
      {problem && <ProblemText className="text-sm" problem={problem} />}
    </Dialog>
  );
}

function Uses({ use }: { use: DiskUse | undefined }) {
  const { storage } = strings;
  const rows: [string, number | undefined][] = [
    [storage.memory, use?.checkpointBytes],
    [storage.conversation, use?.eventBytes],
    [storage.output, use?.logBytes],
    [storage.undo, use?.undo.bytes],
  ];
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
      {rows.map(([name, bytes]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="text-right tabular-nums">{bytes === undefined ? "…" : formatBytes(bytes)}</dd>
        </div>
      ))}
    </dl>
  );
}

function useStorage(threadId: ThreadId, keepTurns: number, onDone: () => void) {
  const use = useReading(threadId, () => client().call("threads.diskUse", { threadId }));
  const saving = useReading(`${threadId}:${keepTurns}`, () =>
    client().call("threads.prune", { threadId, keepTurns, preview: true }),
  );
  const { busy, problem: failed, act } = useAct();

  const prune = () =>
    act(async () => {
      const { bytes } = await client().call("threads.prune", { threadId, keepTurns, preview: false });
      showToast(strings.storage.freed(formatBytes(bytes)));
      onDone();
    });
  const problem = failed ?? use.problem ?? (saving.busy ? undefined : saving.problem);
  return { use: use.value, saving: saving.busy ? undefined : saving.value, problem, busy, prune };
}
