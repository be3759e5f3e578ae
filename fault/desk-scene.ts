/** What the scenes of the undo desk share: real stores in a folder, the desk over them, and their one thread. */
import { join } from "node:path";
import type { AgentSource } from "../src/main/agents/source.ts";
import { openStores, type Stores } from "../src/main/engine/stores.ts";
import { createUndoDesk } from "../src/main/engine/undo-desk.ts";
import { createChanges } from "../src/main/threads/changes.ts";
import { builtInSource } from "../src/main/threads/thread-store.ts";
import type { AgentId, ThreadId } from "../src/shared/ids.ts";

export const threadId = "thread-one" as ThreadId;

/** Of the thread nothing runs here, so what keeps it at rest has nothing to do. */
const restingActors = {
  isRunning: () => false,
  atRest: <T>(_: ThreadId, act: () => Promise<T>) => act(),
  stop: () => Promise.resolve(),
};

export function openSceneStores(folder: string): Promise<Stores> {
  return openStores(
    { dataDir: join(folder, "data") },
    "bash",
    createChanges(() => {}),
    Date.now,
  );
}

type DeskParts = Parameters<typeof createUndoDesk>[0];

/** @param parts where the scene is about something else than a resting thread of a source that cannot go back. */
export function openDesk(
  folder: string,
  stores: Stores,
  parts: Partial<Pick<DeskParts, "actors" | "onCommitted">> & { source?: Partial<AgentSource> } = {},
) {
  const { source = {}, ...others } = parts;
  return createUndoDesk({
    stores,
    sources: { of: () => source as AgentSource },
    actors: restingActors,
    worktrees: join(folder, "data", "worktrees"),
    now: Date.now,
    onCommitted: () => undefined,
    ...others,
  });
}

export function addThread(stores: Stores, workspace: string, title = ""): void {
  stores.threads.create({
    id: threadId,
    title,
    titled: true,
    workspace,
    source: builtInSource,
    agentId: "a" as AgentId,
    model: { provider: "demo", model: "demo" } as never,
    forkedFrom: undefined,
  });
}
