/** A repository with a worktree that can be brought home, over a real journal of undo. */
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createHomeDesk, type HomeDesk } from "../../engine/home-desk.ts";
import { createOriginalBlobs } from "../../files/original-blobs.ts";
import { createDurableCommits } from "../../storage/durable-commit.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { createStepJournal } from "../../undo/step-journal.ts";
import { createTakeBackStore } from "../../undo/take-back-store.ts";
import { createTakeBacks, type TakeBacks } from "../../undo/take-backs.ts";
import { noConversation } from "../../undo/testing/test-undo.ts";
import { makeWorktree } from "../make-worktree.ts";
import { createRepositoryMover } from "../move-repository.ts";
import { safeGit } from "../safe-git.ts";
import { createWorktreeStore } from "../worktree-store.ts";
import { makeRepository, thread } from "./test-worktrees.ts";

/** What a person has who brings a worktree home. */
export type TestHome = { tree: string; desk: HomeDesk; takeBacks: TakeBacks };

/**
 * A repository with one commit on `main`, and a worktree of it. Everything is gone again after the test.
 * @param root where all of it is to lie
 * @param folder the person's folder; a test names it
 */
export async function openHome(
  root: string,
  folder: string,
  files: Record<string, string> = {},
): Promise<TestHome> {
  makeRepository(folder, { "a.txt": "a\n", ...files });
  const dataDir = join(root, "data");
  mkdirSync(dataDir);
  const { database } = openDatabase(dataDir, Date.now);
  const durable = createDurableCommits(database);
  onTestFinished(async () => {
    await durable.close();
    database.close();
    rmSync(root, { recursive: true });
  });
  const store = createWorktreeStore(database);
  const trees = join(dataDir, "worktrees");
  let tree = "";
  const origin = realpathSync(folder);
  store.want("w1", thread, origin);
  await makeWorktree(
    { id: "w1", origin },
    "Fix the rows",
    { git: safeGit, store, folder: trees },
    (made, gitDir) => {
      store.made("w1", gitDir);
      tree = made.path;
    },
  );
  const blobs = createOriginalBlobs(join(dataDir, "originals"));
  const takeBacks = createTakeBacks({
    database,
    journal: createStepJournal(database),
    store: createTakeBackStore(database),
    blobs,
    tracker: { observe: () => ({ beforeChange: async () => {}, afterChange: async () => {} }) },
    commitDurably: durable.commitDurably,
    conversation: noConversation,
    moveRepository: createRepositoryMover(safeGit, trees),
    atRest: (_, act) => act(),
    endCutOff: () => Promise.resolve(),
    now: () => 1,
    onDone: () => undefined,
  });
  const desk = createHomeDesk({
    threads: { get: () => ({ workspace: tree, title: "Fix the rows" }) as never },
    worktrees: store,
    takeBacks,
    blobs,
    folder: trees,
    refresh: () => undefined,
  });
  return { tree, desk, takeBacks };
}
