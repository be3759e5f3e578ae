/** A command that was rehearsed and approved, on real stores: what a commit of it puts into the folder. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashBytes } from "../src/main/files/stored-file.ts";
import { finishCommitted } from "../src/main/gate/end-execution.ts";
import type { Journal } from "../src/main/gate/journal.ts";
import type { ExecutionId, TurnId } from "../src/shared/ids.ts";
import { addThread, openDesk, openSceneStores, threadId } from "./desk-scene.ts";

const turnId = "turn-one" as TurnId;
export const executionId = "exec-one" as ExecutionId;

export async function openScene(folder: string) {
  const stores = await openSceneStores(folder);
  const journal = { ...stores, underway: new Set(), now: Date.now } as unknown as Journal;
  const takeBacks = openDesk(folder, stores, {
    actors: {
      isRunning: () => true,
      atRest: () => Promise.reject(new Error("it runs")),
      stop: () => Promise.resolve(),
    },
    onCommitted: (rehearsed) => finishCommitted(journal, rehearsed),
  });
  return { root: join(folder, "work"), stores, takeBacks };
}

/** A file to be changed, one to go with its folder, and an execution that has begun. */
export async function makeScene(folder: string): Promise<void> {
  for (const name of ["data", "work", "work/old"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const { root, stores } = await openScene(folder);
  writeFileSync(join(root, "changed"), "one\n", { mode: 0o600 });
  writeFileSync(join(root, "old/gone"), "was here\n", { mode: 0o600 });
  addThread(stores, root);
  const call = { callKey: "key", threadId, turnId, itemId: "item", tool: "execute", what: "make", args: {} };
  stores.executions.start({ ...call, id: executionId, width: "workspace" });
  stores.log.append(threadId, [
    {
      type: "toolCall.requested",
      itemId: "item",
      turnId,
      agentPath: [],
      toolCallId: "t",
      tool: "execute",
      args: {},
    },
  ]);
  await stores.close();
}

/** Commits what a rehearsal of it found. */
export async function commit({ root, stores, takeBacks }: Awaited<ReturnType<typeof openScene>>) {
  const { blobs } = stores.undo;
  const version = async (text: string, mode: number) => ({ hash: await blobs.put(Buffer.from(text)), mode });
  const known = (text: string) => ({ hash: hashBytes(Buffer.from(text)), mode: 0o600 });
  const files = [
    { path: join(root, "old/gone"), from: known("was here\n"), to: null },
    { path: join(root, "changed"), from: known("one\n"), to: await version("two\n", 0o700) },
    { path: join(root, "new/made"), from: null, to: await version("new\n", 0o644) },
  ];
  const folders = {
    gone: [{ path: join(root, "old"), mode: 0o700 }],
    made: ["new", "new/empty"].map((name) => ({ path: join(root, name), mode: 0o750 })),
  };
  const rehearsed = { executionId, exitCode: 0, result: "said\n", truncated: false, bytes: 5 };
  await takeBacks.commit(threadId, turnId, { root, files, folders, rehearsed });
}

/** What is in the folder, and what is known of the execution; what it gave back is kept with its item alone. */
export function pictureOf({ root, stores }: Awaited<ReturnType<typeof openScene>>) {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(root, name));
      return [
        name,
        (stat.mode & 0o777).toString(8),
        stat.isFile() ? readFileSync(join(root, name), "utf8") : "",
      ];
    });
  const { state, outcome, result } = stores.executions.get(executionId)!;
  const item = stores.log.item(threadId, "item");
  const steps = stores.undo.journal.filesSince(threadId, 0).length;
  return {
    files,
    execution: [state, outcome, result],
    shown: item?.kind === "toolCall" && [item.state, item.result],
    steps,
  };
}
