/** A repository with real git, and worktrees that are made of it, in a folder of their own. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { keptRef } from "../keep-changes.ts";
import { type MadeWorktree, type MakeParts, makeWorktree } from "../make-worktree.ts";
import { safeGit } from "../safe-git.ts";
import { createWorktreeStore, type Worktree } from "../worktree-store.ts";

/** The environment of git: a name to commit with, and nothing of the person's own settings. */
export const gitEnv = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.c" },
  ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b.c" },
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
};

/** What git prints in a folder. */
export const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, env: gitEnv, encoding: "utf8" });

/** Writes files below a folder, by their names in it. */
export function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A repository with one commit, on `main`. */
export function makeRepository(folder: string, files: Record<string, string> = { "a.txt": "a\n" }): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  put(folder, files);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "one");
  return folder;
}

/** The thread that all of them are for. */
export const thread = "thread-1" as ThreadId;

export type TestWorktrees = {
  root: string;
  /** Where the repository is to be; a test makes it. */
  repository: string;
  parts: MakeParts;
  make(title?: string, id?: string): Promise<{ worktree: Worktree; made: MadeWorktree }>;
  /** The text of a file in what was kept. */
  keptText(name: string, id?: string): string;
};

/**
 * The worktree of most tests. Its git is found by it when it outlives the app: of another name in each file of tests, or one would
 * end the git of the other.
 */
export const firstId = `w-${randomUUID()}`;

/** Everything is gone again after the test. */
export function openWorktrees(): TestWorktrees {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-trees-")));
  const dataDir = join(root, "data");
  mkdirSync(dataDir);
  const { database } = openDatabase(dataDir, Date.now);
  onTestFinished(() => {
    database.close();
    rmSync(root, { recursive: true });
  });
  const repository = join(root, "Mein Projekt é");
  // The data directory is named by a link, as the home of a person may be.
  symlinkSync(dataDir, join(root, "link"));
  const parts = { git: safeGit, store: createWorktreeStore(database), folder: join(root, "link/worktrees") };
  return {
    root,
    repository,
    parts,
    async make(title = "Fix the rows", id = firstId) {
      parts.store.want(id, thread, repository);
      let made: MadeWorktree | undefined;
      await makeWorktree({ id, origin: repository }, title, parts, (found, gitDir) => {
        parts.store.made(id, gitDir);
        made = found;
      });
      return { worktree: parts.store.at(made!.path)!, made: made! };
    },
    keptText: (name, id = firstId) => git(repository, "show", `${keptRef(id)}:${name}`),
  };
}

/** A git that does its work and then never answers, as if the app had died right after the nth such call. */
export function diesAfter(step: string, nth: number): { git: typeof safeGit; died: Promise<void> } {
  const died = Promise.withResolvers<void>();
  let left = nth;
  return {
    died: died.promise,
    async git(place, args, options) {
      const answer = await safeGit(place, args, options);
      if (!args.includes(step)) return answer;
      left -= 1;
      if (left > 0) return answer;
      died.resolve();
      return new Promise(() => {});
    },
  };
}
