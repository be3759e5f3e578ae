/** A repository with a worktree that can be brought home, over a real journal of undo. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
import { firstId, makeRepository, git as printedBy, put, thread } from "./test-worktrees.ts";

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
  const all = { "a.txt": "a\n", ...files };
  if (existsSync(folder)) commit(folder, "one", all);
  else makeRepository(folder, all);
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
  store.want(firstId, thread, origin);
  await makeWorktree(
    { id: firstId, origin },
    "Fix the rows",
    { git: safeGit, store, folder: trees },
    (made, gitDir) => {
      store.made(firstId, gitDir);
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

/**
 * A home in folders of its own, with the shortest ways to look at it and to bring it home.
 * @param prepare makes what the person's folder is to be a part of
 */
export async function beginHome(
  files: Record<string, string> = {},
  prepare: (root: string, folder: string) => void = () => undefined,
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-home-")));
  const folder = join(root, "Mein Projekt é");
  prepare(root, folder);
  const home = await openHome(root, folder, { "b.txt": many(), ...files });
  const look = async () => (await home.desk.preview(thread)).plan;
  const person = { kind: "person" } as const;
  return {
    ...home,
    root,
    /** The person's folder. */
    folder,
    look,
    bring: async (way: "merge" | "rebase" | "patch" | "keep", message = "Rows fixed") =>
      home.desk.bring(thread, way, (await look()).digest, message, person),
  };
}

/** What git prints, without the line's end. */
export const git = (cwd: string, ...args: string[]) => printedBy(cwd, ...args).trim();
export const status = (cwd: string) => git(cwd, "-c", "core.quotePath=false", "status", "--porcelain");
export const log = (cwd: string) => git(cwd, "log", "--format=%s").split("\n");
export const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

/** Commits all that is in a folder. @param files written there before */
export function commit(cwd: string, message: string, files: Record<string, string> = {}): void {
  put(cwd, files);
  git(cwd, "add", "-A");
  git(cwd, "commit", "-q", "-m", message);
}

/** Thirty lines. */
export const many = (mark: (line: number) => string = String) =>
  Array.from({ length: 30 }, (_, line) => `${mark(line)}\n`).join("");
