/** Lets a thread's agent go back to what it knew at an earlier checkpoint of the thread, and forth again. */
import type { ThreadId } from "../../../shared/ids.ts";
import type { LinearSqliteSaver } from "../../storage/checkpointer/linear-sqlite-saver.ts";
import { createDurableCommits } from "../../storage/durable-commit.ts";
import type { AgentSource } from "../source.ts";

/** @param checkpointer where the agents' memories are */
export function createMemoryTakeBack(
  checkpointer: () => Promise<LinearSqliteSaver>,
): NonNullable<AgentSource["takeBack"]> {
  /** Checkpoints are not synced one by one; what a person took back must not be there again after a power cut. */
  async function onDisk(act: (saver: LinearSqliteSaver) => void): Promise<void> {
    const saver = await checkpointer();
    const durable = createDurableCommits(saver.db);
    try {
      await durable.commitDurably(() => act(saver));
    } finally {
      await durable.close();
    }
  }
  return {
    async has(threadId: ThreadId, checkpointId) {
      if (checkpointId === null) return true;
      const configurable = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
      return (await (await checkpointer()).getTuple({ configurable })) !== undefined;
    },
    at: async (threadId) => (await checkpointer()).newestCheckpoint(threadId),
    to: (threadId, where) => onDisk((saver) => saver.takeThreadBack(threadId, where)),
    undo: (threadId, mark) => onDisk((saver) => saver.bringThreadForth(threadId, mark)),
  };
}
