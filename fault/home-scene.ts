/** A thread whose worktree has something to bring home, on real stores and in a real repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHomeDesk } from "../src/main/engine/home-desk.ts";
import { makeWorktree } from "../src/main/worktrees/make-worktree.ts";
import { safeGit } from "../src/main/worktrees/safe-git.ts";
import { addThread, openDesk, openSceneStores, threadId } from "./desk-scene.ts";

const person = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
export const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...person, ...args], { cwd, encoding: "utf8" }).trim();

export async function openHome(folder: string) {
  const stores = await openSceneStores(folder);
  const worktrees = join(folder, "data", "worktrees");
  const takeBacks = openDesk(folder, stores);
  const { blobs } = stores.undo;
  const desk = createHomeDesk({ ...stores, takeBacks, blobs, folder: worktrees, refresh: () => undefined });
  return { stores, takeBacks, desk };
}

/** Both sides went on; in the worktree one file is changed, one gone and one new. */
export async function makeHome(folder: string): Promise<void> {
  const work = join(folder, "work");
  for (const name of ["data", "work"]) mkdirSync(join(folder, name), { mode: 0o700 });
  git(work, "init", "-q", "-b", "main");
  for (const name of ["changed", "gone"]) writeFileSync(join(work, name), "one\n");
  git(work, "add", "-A");
  git(work, "commit", "-qm", "one");
  const { stores } = await openHome(folder);
  stores.worktrees.want("w1", threadId, work);
  const parts = { git: safeGit, store: stores.worktrees, folder: join(folder, "data", "worktrees") };
  let tree = "";
  await makeWorktree({ id: "w1", origin: work }, "Rows", parts, ({ path }, gitDir) => {
    stores.worktrees.made("w1", gitDir);
    tree = path;
  });
  addThread(stores, tree, "Rows");
  git(work, "commit", "-q", "--allow-empty", "-m", "theirs");
  writeFileSync(join(tree, "changed"), "two\n");
  writeFileSync(join(tree, "new"), "new\n");
  git(tree, "rm", "-q", "gone");
  await stores.close();
}

/** What a person and git see of both folders; commits by what they hold, since each try has ids of its own. */
export function homePicture(folder: string) {
  const work = join(folder, "work");
  const tree = join(folder, "data", "worktrees", "w1", "work");
  const of = (cwd: string) => ({
    files: readdirSync(cwd)
      .filter((name) => name !== ".git")
      .map((name) => [name, readFileSync(join(cwd, name), "utf8")]),
    // By their links alone: their dates may or may not lie in the same second.
    commits: git(cwd, "log", "--topo-order", "--format=%s %T"),
    status: git(cwd, "status", "--porcelain"),
  });
  const left = readdirSync(join(work, ".git")).filter((name) => name.endsWith(".lock"));
  return { work: of(work), tree: of(tree), left };
}
