/** A thread whose last turn changed files and was talked about, on real stores, and what takes it back. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { createMemoryTakeBack } from "../src/main/agents/deep-agent/deep-agent.ts";
import { createWorkspaceFiles } from "../src/main/files/workspace-files.ts";
import type { ExecutionId, MessageId, TurnId } from "../src/shared/ids.ts";
import { addThread, openDesk, openSceneStores, threadId } from "./desk-scene.ts";

export const turnId = "turn-two" as TurnId;

export async function openScene(folder: string) {
  const root = join(folder, "work");
  const stores = await openSceneStores(folder);
  const takeBack = createMemoryTakeBack(stores.checkpointer);
  const takeBacks = openDesk(folder, stores, { source: { takeBack } });
  return { root, stores, takeBack, takeBacks, place: { threadId, turnId, root } };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Two turns; the second wrote over one file, made one and deleted one. */
export async function makeScene(folder: string): Promise<void> {
  for (const name of ["data", "work"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const scene = await openScene(folder);
  const { root, stores } = scene;
  writeFileSync(join(root, "kept.txt"), "one");
  writeFileSync(join(root, "gone.txt"), "was here");
  addThread(stores, root);
  const first = await remember(scene, undefined, "say one");
  for (const [id, checkpointBefore] of [
    ["turn-one", null],
    [turnId, first],
  ] as const)
    stores.threads.addTurn({
      id: id as TurnId,
      threadId,
      messageId: `message-${id}` as MessageId,
      text: "",
      attachments: [],
      status: "done",
      checkpointBefore,
    });
  await remember(scene, first, "say two");
  const files = createWorkspaceFiles(root);
  const observer = stores.stepNotes.ofTool({ threadId, turnId, executionId: "x" as ExecutionId }, root);
  const changes = [
    { operation: "write", path: "kept.txt", content: "two" },
    { operation: "write", path: "made.txt", content: "new" },
    { operation: "delete", path: "gone.txt" },
  ] as const;
  for (const change of changes) await files.applyChange(change, () => {}, { observer });
  await stores.close();
}

async function remember({ stores }: Scene, parent: string | undefined, text: string): Promise<string> {
  const saver = await stores.checkpointer();
  const checkpoint = { ...emptyCheckpoint(), channel_values: { messages: [new HumanMessage(text)] } };
  const { configurable } = await saver.put(
    { configurable: { thread_id: threadId, checkpoint_ns: "", checkpoint_id: parent } },
    { ...checkpoint, channel_versions: { messages: 1 } },
    { source: "loop", step: 1, parents: {} },
    { messages: 1 },
  );
  return configurable!.checkpoint_id as string;
}

/** All three places that undo changes, as one value. */
export async function pictureOf({ root, stores }: Scene) {
  const saver = await stores.checkpointer();
  const tuple = await saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
  const [message] = (tuple?.checkpoint.channel_values.messages ?? []) as HumanMessage[];
  const files = readdirSync(root).map((name) => [
    name,
    readFileSync(join(root, name), "utf8"),
    lstatSync(join(root, name)).mode,
  ]);
  return { files, knows: message?.text, latest: stores.threads.latestTurn(threadId)?.id };
}
