/** What is kept of a worktree that goes, with real git. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
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
} from "./testing/test-worktrees.ts";
import { findStanding } from "./worktree-standing.ts";
import type { Worktree } from "./worktree-store.ts";

let trees: TestWorktrees;

beforeEach(() => {
  trees = openWorktrees();
});

describe("when a worktree goes", () => {
  it("keeps a change of the second in which git last looked at the file, though it goes in a later one", async () => {
    makeRepository(trees.repository, { "a.txt": "a\n" });
    const { worktree } = await trees.make();
    const second = () => Math.floor(statSync(join(worktree.path, "a.txt")).ctimeMs / 1_000);
    for (let looked = Number.NaN; looked !== second(); ) {
      put(worktree.path, { "a.txt": "a\n" });
      git(worktree.path, "update-index", "--refresh");
      looked = second();
      // As long as before, so that its times alone could tell.
      put(worktree.path, { "a.txt": "b\n" });
    }
    await vi.waitFor(() => expect(Math.floor(Date.now() / 1_000)).toBeGreaterThan(second()));
    await removeWorktree(worktree, trees.parts);
    expect(trees.keptText("a.txt")).toBe("b\n");
  });

  it("stays as it is known, whatever was written into its file `.git` and its part of the store", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    const evil = makeRepository(join(trees.root, "evil"));
    git(evil, "config", "core.fsmonitor", `touch ${join(trees.root, "ran")}`);
    writeFileSync(join(worktree.path, ".git"), `gitdir: ${evil}/.git\n`);
    writeFileSync(join(worktree.gitDir, "commondir"), `${evil}/.git\n`);
    put(worktree.path, { "b.txt": "b\n" });
    expect(await findStanding(safeGit, worktree)).toBeUndefined();
    await removeWorktree(worktree, trees.parts);
    expect(trees.keptText("b.txt")).toBe("b\n");
    expect(git(evil, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(existsSync(join(trees.root, "ran"))).toBe(false);
  });

  it("every byte that was not committed is kept: changed, new, deleted, staged, marked as unchanged, links, modes", async () => {
    makeRepository(trees.repository, {
      ...{ "a.txt": "a\n", "gone.txt": "g\n", "hidden.txt": "h\n", "skipped.txt": "s\n", "run.sh": "x\n" },
      ...{ ".gitattributes": "*.txt text eol=lf\n", ".gitignore": "ignored\n" },
    });
    const { worktree } = await trees.make();
    const { path } = worktree;
    put(path, { "a.txt": "staged\n" });
    git(path, "add", "a.txt");
    git(path, "update-index", "--assume-unchanged", "hidden.txt");
    git(path, "update-index", "--skip-worktree", "skipped.txt");
    put(path, {
      ...{ "a.txt": "mixed\r\nends\n", "hidden.txt": "H\n", "skipped.txt": "S\n", 'new/ü\n"b".txt': "n\n" },
      ignored: "i\n",
    });
    rmSync(join(path, "gone.txt"));
    chmodSync(join(path, "run.sh"), 0o755);
    symlinkSync("a.txt", join(path, "link"));
    writeFileSync(join(worktree.gitDir, "index.lock"), "");
    const kept = await removeWorktree(worktree, trees.parts);
    expect(kept).toEqual({ ref: `refs/countersign/kept/${firstId}`, files: 7 });
    expect(trees.keptText("a.txt")).toBe("mixed\r\nends\n");
    expect([trees.keptText("hidden.txt"), trees.keptText("skipped.txt"), trees.keptText("link")]).toEqual([
      "H\n",
      "S\n",
      "a.txt",
    ]);
    expect(trees.keptText('new/ü\n"b".txt')).toBe("n\n");
    expect(git(trees.repository, "show", `${keptRef(firstId)}^2:a.txt`)).toBe("staged\n");
    const tree = git(trees.repository, "ls-tree", keptRef(firstId));
    expect(tree).toMatch(/^100755 .*\trun\.sh$/m);
    expect(tree).not.toMatch(/gone\.txt|ignored/);
  });

  it("its commits stay on its branch, and those that no branch has are kept", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    git(worktree.path, "commit", "-q", "--allow-empty", "-m", "on the branch");
    const onBranch = git(worktree.path, "rev-parse", "HEAD");
    git(worktree.path, "checkout", "-q", "--detach");
    git(worktree.path, "commit", "-q", "--allow-empty", "-m", "on none");
    const onNone = git(worktree.path, "rev-parse", "HEAD");
    expect(await removeWorktree(worktree, trees.parts)).toEqual({ ref: keptRef(firstId), files: 0 });
    expect(git(trees.repository, "rev-parse", worktree.branch)).toBe(onBranch);
    expect(git(trees.repository, "rev-parse", keptRef(firstId))).toBe(onNone);
  });

  it.each<[string, (worktree: Worktree) => void]>([
    ["without its part of the store", ({ gitDir }) => rmSync(gitDir, { recursive: true })],
    ["on a branch that has no commit", ({ path }) => void git(path, "checkout", "-q", "--orphan", "new")],
    ["whose index is broken", ({ gitDir }) => rmSync(join(gitDir, "index"))],
  ])("it is kept all the same %s", async (_, breakIt) => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    put(worktree.path, { "a.txt": "changed\n", "b.txt": "b\n" });
    breakIt(worktree);
    await removeWorktree(worktree, trees.parts);
    expect([trees.keptText("a.txt"), trees.keptText("b.txt")]).toEqual(["changed\n", "b\n"]);
  });

  it("nothing is written through a link in its part of the store", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    const victim = join(trees.root, "victim");
    writeFileSync(victim, "mine\n");
    rmSync(join(worktree.gitDir, "commondir"));
    for (const name of ["commondir", "index.lock", "countersign-w1.index", "w1.index", "w1.index.lock"])
      symlinkSync(victim, join(worktree.gitDir, name));
    put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, trees.parts);
    expect(readFileSync(victim, "utf8")).toBe("mine\n");
    expect(trees.keptText("b.txt")).toBe("b\n");
  });

  it("a link in place of a folder is kept as a link, without what it leads to", async () => {
    makeRepository(trees.repository, { "dir/sub/a.txt": "a\n", "b.txt": "b\n" });
    const { worktree } = await trees.make();
    const outside = join(trees.root, "outside");
    put(outside, { "sub/a.txt": "secret\n" });
    rmSync(join(worktree.path, "dir"), { recursive: true });
    symlinkSync(outside, join(worktree.path, "dir"));
    await removeWorktree(worktree, trees.parts);
    expect(git(trees.repository, "ls-tree", "-r", "--name-only", keptRef(firstId))).toBe("b.txt\ndir\n");
    expect(trees.keptText("dir")).toBe(outside);
    // Nor is what it leads to among the repository's objects.
    const secret = git(trees.repository, "hash-object", "--no-filters", join(outside, "sub/a.txt")).trim();
    expect(() => git(trees.repository, "cat-file", "-e", secret)).toThrow();
  });
});
