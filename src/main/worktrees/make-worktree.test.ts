/** Worktrees as they are made, with real git. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { keptRef } from "./keep-changes.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { safeGit } from "./safe-git.ts";
import {
  firstId,
  git,
  makeRepository,
  openWorktrees,
  put,
  type TestWorktrees,
  thread,
} from "./testing/test-worktrees.ts";
import { findStanding } from "./worktree-standing.ts";

let trees: TestWorktrees;

beforeEach(() => {
  trees = openWorktrees();
});

describe("a worktree", () => {
  it("begins at the last commit, on a branch named after the title, and shows in git's own list", async () => {
    makeRepository(trees.repository, { "a.txt": "a\n", "sub/ü b.txt": "b\n" });
    writeFileSync(join(trees.repository, "a.txt"), "not committed\n");
    const { worktree } = await trees.make();
    expect(worktree).toMatchObject({
      branch: "countersign/fix-the-rows",
      origin: trees.repository,
      state: "there",
    });
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("a\n");
    expect(readFileSync(join(worktree.path, "sub/ü b.txt"), "utf8")).toBe("b\n");
    const listed = git(trees.repository, "worktree", "list", "--porcelain");
    // Without the lock another tool's `git worktree prune` takes it away as soon as its disk is not there.
    expect(listed).toMatch(new RegExp(`worktree ${worktree.path}\\n(?:.+\\n)*locked Countersign uses it`));
    expect(await findStanding(safeGit, worktree)).toEqual({
      ...{ branch: "countersign/fix-the-rows", ahead: 0, behind: 0, dirty: 0 },
    });
  });

  it.each<[string, () => void]>([
    ["a detached head", () => git(trees.repository, "checkout", "-q", "--detach")],
    [
      "a sparse checkout",
      () => {
        git(trees.repository, "sparse-checkout", "set", "in");
      },
    ],
    [
      "a pointer of LFS",
      () => {
        put(trees.repository, {
          ".gitattributes": "*.bin filter=lfs\n",
          "in/large.bin": "version https://git-lfs",
        });
        git(trees.repository, "add", "-A");
        git(trees.repository, "commit", "-q", "-m", "pointer");
        for (const name of ["smudge", "clean"])
          git(trees.repository, "config", `filter.lfs.${name}`, "false");
        git(trees.repository, "config", "filter.lfs.required", "true");
      },
    ],
    [
      "a submodule",
      () => {
        const inner = makeRepository(join(trees.root, "inner"));
        git(
          trees.repository,
          "-c",
          "protocol.file.allow=always",
          "submodule",
          "--quiet",
          "add",
          inner,
          "mod",
        );
        git(trees.repository, "commit", "-q", "-m", "sub");
      },
    ],
  ])("is made and removed in a repository with %s", async (_, prepare) => {
    makeRepository(trees.repository, { "in/a.txt": "a\n", "out/b.txt": "b\n" });
    prepare();
    const { worktree } = await trees.make();
    expect(existsSync(join(worktree.path, "in/a.txt"))).toBe(true);
    expect(await findStanding(safeGit, worktree)).toMatchObject({ ahead: 0, behind: 0, dirty: 0 });
    put(worktree.path, { "in/a.txt": "changed\n" });
    expect(await removeWorktree(worktree, trees.parts)).toEqual({ ref: keptRef(firstId), files: 1 });
    expect(git(trees.repository, "diff", "--name-status", "HEAD", keptRef(firstId))).toBe("M\tin/a.txt\n");
  });

  it("is made beside the work tree of a bare repository", async () => {
    const bare = join(trees.root, "store.git");
    makeRepository(join(trees.root, "seed"));
    git(trees.root, "clone", "-q", "--bare", join(trees.root, "seed"), bare);
    git(bare, "worktree", "add", "-q", trees.repository, "main");
    const { worktree } = await trees.make();
    expect(worktree.common).toBe(bare);
    put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, trees.parts);
    expect(trees.keptText("b.txt")).toBe("b\n");
    expect(git(bare, "worktree", "list", "--porcelain")).toContain(`worktree ${trees.repository}`);
  });

  it("is refused in words where there is no commit or no repository, and leaves nothing", async () => {
    mkdirSync(trees.repository);
    await expect(trees.make()).rejects.toThrow("not the top of a git repository");
    trees.parts.store.unwant(thread);
    // Nor is a folder of one: its worktree would hold more than the thread was to see.
    git(trees.root, "init", "-q");
    await expect(trees.make()).rejects.toThrow("not the top of a git repository");
    trees.parts.store.unwant(thread);
    git(trees.repository, "init", "-q");
    await expect(trees.make()).rejects.toThrow("no commit yet");
    expect(existsSync(trees.parts.folder)).toBe(false);
    expect(trees.parts.store.unfinished()).toEqual([]);
  });

  it("counts commits of either side and files that are not committed", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    put(worktree.path, { "b.txt": "b\n" });
    git(worktree.path, "add", "-A");
    git(worktree.path, "commit", "-q", "-m", "two");
    put(worktree.path, { "a.txt": "other\n", "ü\nc.txt": "c\n" });
    git(trees.repository, "commit", "-q", "--allow-empty", "-m", "here");
    git(trees.repository, "commit", "-q", "--allow-empty", "-m", "here too");
    expect(await findStanding(safeGit, worktree)).toMatchObject({ ahead: 1, behind: 2, dirty: 2 });
    git(worktree.path, "checkout", "-q", "--detach");
    expect((await findStanding(safeGit, worktree))?.branch).toBeUndefined();
  });
});
