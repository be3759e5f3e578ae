/** Offers a worktree to a thread that has not begun. */
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { attempt } from "../../../ui/attempt.ts";
import { Switch } from "../../../ui/switch.tsx";
import { strings } from "../strings.ts";

export function WorktreeChoice({ threadId }: { threadId: ThreadId }) {
  const worktree = useThreads((state) => state.byId.get(threadId)?.worktree);
  if (worktree?.state !== "offered") return null;
  async function choose(wanted: boolean) {
    await attempt(() => client().call("threads.chooseWorktree", { threadId, wanted }));
  }
  return (
    <div className="flex flex-col items-center gap-1">
      <Switch
        label={strings.worktree.choice}
        checked={worktree.wanted}
        onChange={(wanted) => void choose(wanted)}
      />
      <p className="text-sm text-ink-3">{strings.worktree.help}</p>
    </div>
  );
}
